//===- VectorCompares.cpp - VOPC: compares -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "VectorShapes.h"

namespace mlir::qfuse::emulator {

enum Relation {
  R_F,
  R_LT,
  R_EQ,
  R_LE,
  R_GT,
  R_NE,
  R_GE,
  R_T,
  R_LG,
  R_O,
  R_U,
  R_NGE,
  R_NLG,
  R_NGT,
  R_NLE,
  R_NEQ,
  R_NLT
};
template <class T>
static inline bool holds(int r, T a, T b) {
  switch (r) {
  case R_F:
    return false;
  case R_T:
    return true;
  case R_LT:
    return a < b;
  case R_EQ:
    return a == b;
  case R_LE:
    return a <= b;
  case R_GT:
    return a > b;
  case R_NE:
    return a != b;
  case R_GE:
    return a >= b;
  case R_LG:
    return a < b || a > b;
  case R_O:
    return a == a && b == b;
  case R_U:
    return !(a == a && b == b);
  case R_NGE:
    return !(a >= b);
  case R_NLG:
    return !(a < b || a > b);
  case R_NGT:
    return !(a > b);
  case R_NLE:
    return !(a <= b);
  case R_NEQ:
    return !(a == b);
  case R_NLT:
    return !(a < b);
  }
  return false;
}
static void finishCompare(Wave &wave, const Instruction &inst, u64 m, bool x) {
  m &= wave.exec();
  setMask(wave, inst.operands[0].reg, m);
  if (x)
    wave.setExec(m);
}
template <int R, int X>
static void compareF32(Wave &wave, const Instruction &inst) {
  Lanes32 a, b;
  auto x = readF32(wave, inst, 1, 0, a), y = readF32(wave, inst, 2, 1, b);
  u64 m = 0;
  FOR_EACH_LANE m |= (u64)holds(R, f32(x[i]), f32(y[i])) << i;
  finishCompare(wave, inst, m, X);
}
template <int R, int X>
static void compareF16(Wave &wave, const Instruction &inst) {
  Lanes32 a, b;
  readHalf(wave, inst, 1, 0, a);
  readHalf(wave, inst, 2, 1, b);
  u64 m = 0;
  FOR_EACH_LANE m |= (u64)holds(R, h2f(a.v[i]), h2f(b.v[i])) << i;
  finishCompare(wave, inst, m, X);
}
template <int R, int X>
static void compareF64(Wave &wave, const Instruction &inst) {
  Lanes64 a, b;
  read64(wave, inst, 1, a, 0);
  read64(wave, inst, 2, b, 0);
  u64 m = 0;
  FOR_EACH_LANE m |= (u64)holds(R, f64(a.v[i]), f64(b.v[i])) << i;
  finishCompare(wave, inst, m, X);
}
template <int R, int X>
static void compareI32(Wave &wave, const Instruction &inst) {
  Lanes32 a, b;
  auto x = readBits(wave, inst, 1, 0, a), y = readBits(wave, inst, 2, 1, b);
  u64 m = 0;
  FOR_EACH_LANE m |= (u64)holds(R, (i32)x[i], (i32)y[i]) << i;
  finishCompare(wave, inst, m, X);
}
template <int R, int X>
static void compareU32(Wave &wave, const Instruction &inst) {
  Lanes32 a, b;
  auto x = readBits(wave, inst, 1, 0, a), y = readBits(wave, inst, 2, 1, b);
  u64 m = 0;
  FOR_EACH_LANE m |= (u64)holds(R, x[i], y[i]) << i;
  finishCompare(wave, inst, m, X);
}
template <int R, int X>
static void compareI16(Wave &wave, const Instruction &inst) {
  Lanes32 a, b;
  readHalf(wave, inst, 1, 0, a);
  readHalf(wave, inst, 2, 1, b);
  u64 m = 0;
  FOR_EACH_LANE m |= (u64)holds(R, (i16)a.v[i], (i16)b.v[i]) << i;
  finishCompare(wave, inst, m, X);
}
template <int R, int X>
static void compareU16(Wave &wave, const Instruction &inst) {
  Lanes32 a, b;
  readHalf(wave, inst, 1, 0, a);
  readHalf(wave, inst, 2, 1, b);
  u64 m = 0;
  FOR_EACH_LANE m |= (u64)holds(R, (u16)a.v[i], (u16)b.v[i]) << i;
  finishCompare(wave, inst, m, X);
}
template <int R, int X>
static void compareI64(Wave &wave, const Instruction &inst) {
  Lanes64 a, b;
  read64(wave, inst, 1, a, 2);
  read64(wave, inst, 2, b, 2);
  u64 m = 0;
  FOR_EACH_LANE m |= (u64)holds(R, (i64)a.v[i], (i64)b.v[i]) << i;
  finishCompare(wave, inst, m, X);
}
template <int R, int X>
static void compareU64(Wave &wave, const Instruction &inst) {
  Lanes64 a, b;
  read64(wave, inst, 1, a, 1);
  read64(wave, inst, 2, b, 1);
  u64 m = 0;
  FOR_EACH_LANE m |= (u64)holds(R, a.v[i], b.v[i]) << i;
  finishCompare(wave, inst, m, X);
}

void addCompares(const TableBuilder &add) {
  add("v_cmp_class_f32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b;
    auto x = readF32(wave, inst, 1, 0, a), y = readBits(wave, inst, 2, 1, b);
    u64 m = 0;
    FOR_EACH_LANE m |= (u64)classifyF32(f32(x[i]), y[i]) << i;
    finishCompare(wave, inst, m, false);
  });
  add("v_cmp_class_f16", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b;
    readHalf(wave, inst, 1, 0, a);
    auto y = readBits(wave, inst, 2, 1, b);
    u64 m = 0;
    FOR_EACH_LANE m |= (u64)classifyF16(a.v[i], y[i]) << i;
    finishCompare(wave, inst, m, false);
  });
  add("v_cmp_class_f64", [](Wave &wave, const Instruction &inst) {
    Lanes64 a;
    Lanes32 b;
    read64(wave, inst, 1, a, 0);
    auto y = readBits(wave, inst, 2, 1, b);
    u64 m = 0;
    FOR_EACH_LANE m |= (u64)classifyF64(f64(a.v[i]), y[i]) << i;
    finishCompare(wave, inst, m, false);
  });
#define CMPI1(R, n)                                                            \
  add("v_cmp_" n "_i32", compareI32<R, 0>);                                    \
  add("v_cmpx_" n "_i32", compareI32<R, 1>);                                   \
  add("v_cmp_" n "_u32", compareU32<R, 0>);                                    \
  add("v_cmpx_" n "_u32", compareU32<R, 1>);                                   \
  add("v_cmp_" n "_i16", compareI16<R, 0>);                                    \
  add("v_cmpx_" n "_i16", compareI16<R, 1>);                                   \
  add("v_cmp_" n "_u16", compareU16<R, 0>);                                    \
  add("v_cmpx_" n "_u16", compareU16<R, 1>);                                   \
  add("v_cmp_" n "_i64", compareI64<R, 0>);                                    \
  add("v_cmpx_" n "_i64", compareI64<R, 1>);                                   \
  add("v_cmp_" n "_u64", compareU64<R, 0>);                                    \
  add("v_cmpx_" n "_u64", compareU64<R, 1>)
  CMPI1(R_F, "f");
  CMPI1(R_LT, "lt");
  CMPI1(R_EQ, "eq");
  CMPI1(R_LE, "le");
  CMPI1(R_GT, "gt");
  CMPI1(R_NE, "ne");
  CMPI1(R_GE, "ge");
  CMPI1(R_T, "t");
#define CMPF1(R, n)                                                            \
  add("v_cmp_" n "_f32", compareF32<R, 0>);                                    \
  add("v_cmpx_" n "_f32", compareF32<R, 1>);                                   \
  add("v_cmp_" n "_f16", compareF16<R, 0>);                                    \
  add("v_cmpx_" n "_f16", compareF16<R, 1>);                                   \
  add("v_cmp_" n "_f64", compareF64<R, 0>);                                    \
  add("v_cmpx_" n "_f64", compareF64<R, 1>)
  CMPF1(R_F, "f");
  CMPF1(R_LT, "lt");
  CMPF1(R_EQ, "eq");
  CMPF1(R_LE, "le");
  CMPF1(R_GT, "gt");
  CMPF1(R_LG, "lg");
  CMPF1(R_GE, "ge");
  CMPF1(R_O, "o");
  CMPF1(R_U, "u");
  CMPF1(R_NGE, "nge");
  CMPF1(R_NLG, "nlg");
  CMPF1(R_NGT, "ngt");
  CMPF1(R_NLE, "nle");
  CMPF1(R_NEQ, "neq");
  CMPF1(R_NLT, "nlt");
  CMPF1(R_T, "tru");
}

} // namespace mlir::qfuse::emulator
