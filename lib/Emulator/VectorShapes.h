//===- VectorShapes.h - Instructions by their operands -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_EMULATOR_VECTORSHAPES_H
#define QFUSE_LIB_EMULATOR_VECTORSHAPES_H

#include "Tables.h"
#include "VectorMath.h"
#include "VectorOperands.h"

namespace mlir::qfuse::emulator {

/// Instructions that compute each lane's result from its sources with `f`.
template <class F>
inline void unaryBits(Wave &wave, const Instruction &inst, F f) {
  Lanes32 a, r;
  auto x = readBits(wave, inst, 1, 0, a);
  FOR_EACH_LANE r.v[i] = f(x[i]);
  writeBits(wave, inst, r.v);
}
template <class F>
inline void binaryBits(Wave &wave, const Instruction &inst, F f) {
  Lanes32 a, b, r;
  auto x = readBits(wave, inst, 1, 0, a), y = readBits(wave, inst, 2, 1, b);
  FOR_EACH_LANE r.v[i] = f(x[i], y[i]);
  writeBits(wave, inst, r.v);
}
template <class F>
inline void ternaryBits(Wave &wave, const Instruction &inst, F f) {
  Lanes32 a, b, c, r;
  auto x = readBits(wave, inst, 1, 0, a), y = readBits(wave, inst, 2, 1, b),
       z = readBits(wave, inst, 3, 2, c);
  FOR_EACH_LANE r.v[i] = f(x[i], y[i], z[i]);
  writeBits(wave, inst, r.v);
}
template <class F>
inline void unaryF32(Wave &wave, const Instruction &inst, F f) {
  Lanes32 a, r;
  auto x = readF32(wave, inst, 1, 0, a);
  FOR_EACH_LANE r.v[i] = b32(f(f32(x[i])));
  writeF32(wave, inst, r.v);
}
template <class F>
inline void binaryF32(Wave &wave, const Instruction &inst, F f) {
  ieeeMode = (wave.mode >> 9) & 1;
  Lanes32 a, b, r;
  auto x = readF32(wave, inst, 1, 0, a), y = readF32(wave, inst, 2, 1, b);
  FOR_EACH_LANE r.v[i] = b32(f(f32(x[i]), f32(y[i])));
  writeF32(wave, inst, r.v);
}
template <class F>
inline void ternaryF32(Wave &wave, const Instruction &inst, F f) {
  ieeeMode = (wave.mode >> 9) & 1;
  Lanes32 a, b, c, r;
  auto x = readF32(wave, inst, 1, 0, a), y = readF32(wave, inst, 2, 1, b),
       z = readF32(wave, inst, 3, 2, c);
  FOR_EACH_LANE r.v[i] = b32(f(f32(x[i]), f32(y[i]), f32(z[i])));
  writeF32(wave, inst, r.v);
}
template <class F>
inline void unaryF16(Wave &wave, const Instruction &inst, F f, bool p = false) {
  Lanes32 a, r;
  readHalf(wave, inst, 1, 0, a);
  FOR_EACH_LANE r.v[i] = f2h(f(h2f(a.v[i])));
  writeHalf(wave, inst, r.v, true, p);
}
template <class F>
inline void binaryF16(Wave &wave, const Instruction &inst, F f,
                      bool p = false) {
  Lanes32 a, b, r;
  readHalf(wave, inst, 1, 0, a);
  readHalf(wave, inst, 2, 1, b);
  FOR_EACH_LANE r.v[i] = f2h(f(h2f(a.v[i]), h2f(b.v[i])));
  writeHalf(wave, inst, r.v, true, p);
}
template <class F>
inline void ternaryF16(Wave &wave, const Instruction &inst, F f,
                       bool p = true) {
  Lanes32 a, b, c, r;
  readHalf(wave, inst, 1, 0, a);
  readHalf(wave, inst, 2, 1, b);
  readHalf(wave, inst, 3, 2, c);
  FOR_EACH_LANE r.v[i] = f2h(f(h2f(a.v[i]), h2f(b.v[i]), h2f(c.v[i])));
  writeHalf(wave, inst, r.v, true, p);
}
template <class F>
inline void binaryI16(Wave &wave, const Instruction &inst, F f,
                      bool p = false) {
  Lanes32 a, b, r;
  readHalf(wave, inst, 1, 0, a);
  readHalf(wave, inst, 2, 1, b);
  FOR_EACH_LANE r.v[i] = (u16)f((u16)a.v[i], (u16)b.v[i]);
  writeHalf(wave, inst, r.v, false, p);
}
template <class F>
inline void ternaryI16(Wave &wave, const Instruction &inst, F f,
                       bool p = true) {
  Lanes32 a, b, c, r;
  readHalf(wave, inst, 1, 0, a);
  readHalf(wave, inst, 2, 1, b);
  readHalf(wave, inst, 3, 2, c);
  FOR_EACH_LANE r.v[i] = (u16)f((u16)a.v[i], (u16)b.v[i], (u16)c.v[i]);
  writeHalf(wave, inst, r.v, false, p);
}
template <class F>
inline void unaryF64(Wave &wave, const Instruction &inst, F f) {
  Lanes64 a, r;
  read64(wave, inst, 1, a, 0);
  FOR_EACH_LANE r.v[i] = b64(f(f64(a.v[i])));
  writeF64(wave, inst, r);
}
template <class F>
inline void binaryF64(Wave &wave, const Instruction &inst, F f) {
  ieeeMode = (wave.mode >> 9) & 1;
  Lanes64 a, b, r;
  read64(wave, inst, 1, a, 0);
  read64(wave, inst, 2, b, 0);
  FOR_EACH_LANE r.v[i] = b64(f(f64(a.v[i]), f64(b.v[i])));
  writeF64(wave, inst, r);
}
template <class F>
inline void ternaryF64(Wave &wave, const Instruction &inst, F f) {
  Lanes64 a, b, c, r;
  read64(wave, inst, 1, a, 0);
  read64(wave, inst, 2, b, 0);
  read64(wave, inst, 3, c, 0);
  FOR_EACH_LANE r.v[i] = b64(f(f64(a.v[i]), f64(b.v[i]), f64(c.v[i])));
  writeF64(wave, inst, r);
}
} // namespace mlir::qfuse::emulator

// One instruction each, as an expression of its sources a, b and c.
#define UNARY_BITS(nm, e)                                                      \
  DEFINE(nm, unaryBits(wave, inst, [](u32 a) -> u32 { return e; }))
#define BINARY_BITS(nm, e)                                                     \
  DEFINE(nm, binaryBits(wave, inst, [](u32 a, u32 b) -> u32 { return e; }))
#define TERNARY_BITS(nm, e)                                                    \
  DEFINE(nm, ternaryBits(wave, inst,                                           \
                         [](u32 a, u32 b, u32 c) -> u32 { return e; }))
#define UNARY_F32(nm, e)                                                       \
  DEFINE(nm, unaryF32(wave, inst, [](float a) -> float { return e; }))
#define BINARY_F32(nm, e)                                                      \
  DEFINE(nm, binaryF32(wave, inst, [](float a, float b) -> float { return e; }))
#define TERNARY_F32(nm, e)                                                     \
  DEFINE(nm, ternaryF32(wave, inst,                                            \
                        [](float a, float b, float c) -> float { return e; }))
#define UNARY_F16(nm, e)                                                       \
  DEFINE(nm, unaryF16(wave, inst, [](float a) -> float { return e; }))
#define BINARY_F16(nm, e)                                                      \
  DEFINE(nm, binaryF16(wave, inst, [](float a, float b) -> float { return e; }))
#define TERNARY_F16(nm, e)                                                     \
  DEFINE(nm, ternaryF16(wave, inst,                                            \
                        [](float a, float b, float c) -> float { return e; }))
#define UNARY_F64(nm, e)                                                       \
  DEFINE(nm, unaryF64(wave, inst, [](double a) -> double { return e; }))
#define BINARY_F64(nm, e)                                                      \
  DEFINE(nm, binaryF64(wave, inst,                                             \
                       [](double a, double b) -> double { return e; }))
#define TERNARY_F64(nm, e)                                                     \
  DEFINE(nm,                                                                   \
         ternaryF64(wave, inst,                                                \
                    [](double a, double b, double c) -> double { return e; }))
#define BINARY_I16(nm, e)                                                      \
  DEFINE(nm,                                                                   \
         binaryI16(wave, inst, [](u16 a, u16 b) -> u16 { return (u16)(e); }))
#define TERNARY_I16(nm, e)                                                     \
  DEFINE(nm, ternaryI16(wave, inst,                                            \
                        [](u16 a, u16 b, u16 c) -> u16 { return (u16)(e); }))

namespace mlir::qfuse::emulator {} // namespace mlir::qfuse::emulator

#endif // QFUSE_LIB_EMULATOR_VECTORSHAPES_H
