//===- MemoryData.h - Elements of loads, stores and atomics --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_EMULATOR_MEMORYDATA_H
#define QFUSE_LIB_EMULATOR_MEMORYDATA_H

#include "MemoryAccess.h"

namespace mlir::qfuse::emulator {

enum DataKind {
  M_U8,
  M_I8,
  M_U16,
  M_I16,
  M_D1,
  M_D2,
  M_D3,
  M_D4,
  M_U8L,
  M_U8H,
  M_I8L,
  M_I8H,
  M_B16L,
  M_B16H
};
inline u32 getByteSize(int t) {
  switch (t) {
  case M_U8:
  case M_I8:
  case M_U8L:
  case M_U8H:
  case M_I8L:
  case M_I8H:
    return 1;
  case M_U16:
  case M_I16:
  case M_B16L:
  case M_B16H:
    return 2;
  case M_D1:
    return 4;
  case M_D2:
    return 8;
  case M_D3:
    return 12;
  default:
    return 16;
  }
}
inline void putLane(Wave &wave, int reg, int l, const u8 *p, int t) {
  u32 *d = &wave.vgprs[reg][l];
  switch (t) {
  case M_U8:
    *d = *p;
    break;
  case M_I8:
    *d = (u32)(i32)(i8)*p;
    break;
  case M_U16: {
    u16 x;
    memcpy(&x, p, 2);
    *d = x;
    break;
  }
  case M_I16: {
    i16 x;
    memcpy(&x, p, 2);
    *d = (u32)(i32)x;
    break;
  }
  case M_U8L:
    *d = (*d & 0xffff0000) | *p;
    break;
  case M_U8H:
    *d = (*d & 0xffff) | (u32)*p << 16;
    break;
  case M_I8L:
    *d = (*d & 0xffff0000) | (u16)(i16)(i8)*p;
    break;
  case M_I8H:
    *d = (*d & 0xffff) | (u32)(u16)(i16)(i8)*p << 16;
    break;
  case M_B16L: {
    u16 x;
    memcpy(&x, p, 2);
    *d = (*d & 0xffff0000) | x;
    break;
  }
  case M_B16H: {
    u16 x;
    memcpy(&x, p, 2);
    *d = (*d & 0xffff) | (u32)x << 16;
    break;
  }
  default: {
    int n = t - M_D1 + 1;
    for (int k = 0; k < n; k++)
      memcpy(&wave.vgprs[reg + k][l], p + 4 * k, 4);
  }
  }
}
inline void getLane(Wave &wave, int reg, int l, u8 *p, int t) {
  u32 x = wave.vgprs[reg][l];
  switch (t) {
  case M_U8:
  case M_I8:
  case M_U8L:
    *p = (u8)x;
    break;
  case M_U8H:
    *p = (u8)(x >> 16);
    break;
  case M_U16:
  case M_I16:
  case M_B16L: {
    u16 h = (u16)x;
    memcpy(p, &h, 2);
    break;
  }
  case M_B16H: {
    u16 h = (u16)(x >> 16);
    memcpy(p, &h, 2);
    break;
  }
  default: {
    int n = t - M_D1 + 1;
    for (int k = 0; k < n; k++)
      memcpy(p + 4 * k, &wave.vgprs[reg + k][l], 4);
  }
  }
}
// ---- atomics
enum AtomicKind {
  A_ADD,
  A_SUB,
  A_SMIN,
  A_UMIN,
  A_SMAX,
  A_UMAX,
  A_AND,
  A_OR,
  A_XOR,
  A_INC,
  A_DEC,
  A_SWAP,
  A_CMPSWAP,
  A_ADDF,
  A_MINF,
  A_MAXF,
  A_PKADDH,
  A_PKADDB,
  A_RSUB,
  A_FCMP
};
template <class U, class S>
inline U combineInteger(int op, U m, U d, U cmp) {
  switch (op) {
  case A_ADD:
    return m + d;
  case A_SUB:
    return m - d;
  case A_RSUB:
    return d - m;
  case A_SMIN:
    return (S)m < (S)d ? m : d;
  case A_UMIN:
    return m < d ? m : d;
  case A_SMAX:
    return (S)m > (S)d ? m : d;
  case A_UMAX:
    return m > d ? m : d;
  case A_AND:
    return m & d;
  case A_OR:
    return m | d;
  case A_XOR:
    return m ^ d;
  case A_INC:
    return m >= d ? 0 : m + 1;
  case A_DEC:
    return m == 0 || m > d ? d : m - 1;
  case A_SWAP:
    return d;
  case A_CMPSWAP:
    return m == cmp ? d : m;
  }
  return m;
}
inline u32 combine32(int op, u32 m, u32 d, u32 cmp) {
  if (op == A_ADDF)
    return b32(f32(m) + f32(d));
  if (op == A_MINF)
    return f32(d) < f32(m) ? d : m;
  if (op == A_MAXF)
    return f32(d) > f32(m) ? d : m;
  if (op == A_PKADDH)
    return f2h(h2f(m & 0xffff) + h2f(d & 0xffff)) |
           (u32)f2h(h2f(m >> 16) + h2f(d >> 16)) << 16;
  if (op == A_PKADDB)
    return f2bf(bf2f(m & 0xffff) + bf2f(d & 0xffff)) |
           (u32)f2bf(bf2f(m >> 16) + bf2f(d >> 16)) << 16;
  return combineInteger<u32, i32>(op, m, d, cmp);
}
inline u64 combine64(int op, u64 m, u64 d, u64 cmp) {
  if (op == A_ADDF)
    return b64(f64(m) + f64(d));
  if (op == A_MINF)
    return f64(d) < f64(m) ? d : m;
  if (op == A_MAXF)
    return f64(d) > f64(m) ? d : m;
  return combineInteger<u64, i64>(op, m, d, cmp);
}
inline void applyAtomic(Wave &wave, u8 *p, int op, bool x2, int dreg, int l,
                        int rreg) {
  if (!x2) {
    u32 m;
    memcpy(&m, p, 4);
    u32 d = wave.vgprs[dreg][l],
        c = op == A_CMPSWAP ? wave.vgprs[dreg + 1][l] : 0;
    u32 r = combine32(op, m, d, c);
    memcpy(p, &r, 4);
    if (rreg >= 0)
      wave.vgprs[rreg][l] = m;
  } else {
    u64 m;
    memcpy(&m, p, 8);
    u64 d = wave.vgprs[dreg][l] | (u64)wave.vgprs[dreg + 1][l] << 32,
        c = op == A_CMPSWAP
                ? wave.vgprs[dreg + 2][l] | (u64)wave.vgprs[dreg + 3][l] << 32
                : 0;
    u64 r = combine64(op, m, d, c);
    memcpy(p, &r, 8);
    if (rreg >= 0) {
      wave.vgprs[rreg][l] = (u32)m;
      wave.vgprs[rreg + 1][l] = (u32)(m >> 32);
    }
  }
}

} // namespace mlir::qfuse::emulator

#endif // QFUSE_LIB_EMULATOR_MEMORYDATA_H
