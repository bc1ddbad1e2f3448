//===- MatrixOps.cpp - MFMA: matrix multiply and add ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Formats.h"
#include "Tables.h"
#include "VectorOperands.h"
#include <algorithm>

namespace mlir::qfuse::emulator {

enum ElementKind : u32 {
  TY_F32,
  TY_XF32,
  TY_F16,
  TY_BF16,
  TY_FP8,
  TY_BF8,
  TY_I8,
  TY_F64,
  TY_FP6,
  TY_BF6,
  TY_FP4
};
static int getBits(u32 t) {
  switch (t) {
  case TY_F32:
  case TY_XF32:
    return 32;
  case TY_F16:
  case TY_BF16:
    return 16;
  case TY_F64:
    return 64;
  case TY_FP6:
  case TY_BF6:
    return 6;
  case TY_FP4:
    return 4;
  default:
    return 8;
  }
}
struct Shape {
  int M, N, K, B;
  u32 ta, tb;
  bool i32out, f64out, f8f6f4, scaled;
};
static bool parseShape(
    const std::string &m,
    Shape &s) { // v_mfma[_scale]_f32_16x16x32_fp8_fp8,
                // v_mfma_f32_32x32x4_2b_bf16, v_mfma_f32_32x32x4bf16_1k ...
  s = Shape();
  std::string r = m.substr(7);
  if (r.compare(0, 6, "scale_") == 0) {
    s.scaled = true;
    r = r.substr(6);
  }
  std::string out = r.substr(0, 3);
  r = r.substr(4);
  s.i32out = out == "i32";
  s.f64out = out == "f64";
  int n = 0;
  if (sscanf(r.c_str(), "%dx%dx%d%n", &s.M, &s.N, &s.K, &n) < 3)
    return false;
  r = r.substr(n);
  if (!r.empty() && r[0] == '_')
    r = r.substr(1);
  s.B = 1;
  int b;
  char c;
  if (sscanf(r.c_str(), "%d%c_", &b, &c) == 2 && c == 'b') {
    s.B = b;
    r = r.substr(r.find('_') + 1);
  } else {
    int dimblk = 64 / s.M;
    if (s.M == 4)
      s.B = 16;
    (void)dimblk;
  }
  auto ty = [](const std::string &t) -> int {
    if (t == "f32")
      return TY_F32;
    if (t == "xf32")
      return TY_XF32;
    if (t == "f16")
      return TY_F16;
    if (t == "bf16")
      return TY_BF16;
    if (t == "bf16_1k")
      return TY_BF16;
    if (t == "fp8")
      return TY_FP8;
    if (t == "bf8")
      return TY_BF8;
    if (t == "i8")
      return TY_I8;
    if (t == "f64")
      return TY_F64;
    return -1;
  };
  if (r == "f8f6f4") {
    s.f8f6f4 = true;
    return true;
  }
  int t = ty(r);
  if (t >= 0) {
    s.ta = s.tb = t;
    return true;
  }
  auto p = r.find('_');
  if (p == std::string::npos)
    return false;
  int a = ty(r.substr(0, p)), d = ty(r.substr(p + 1));
  if (a < 0 || d < 0)
    return false;
  s.ta = a;
  s.tb = d;
  return true;
}
// Layouts, written the way the register file holds them (what one lane has),
// from the formulas that AMD's matrix instruction calculator prints for CDNA3
// and, for f8f6f4 with 8-bit types, from the CDNA4 description: two runs of 16
// consecutive k, half of K apart.
struct Pos {
  int i, k, b;
};
static Pos getInputPosition(int dim, int K, int B, int lane, int e, int bits) {
  int groups = 64 / (dim * B), per_lane = K / groups, g = lane / (dim * B);
  Pos p;
  p.i = lane % dim;
  p.b = lane / dim % B;
  if (bits == 8 && per_lane == 32)
    p.k = (e / 16) * (K / 2) + 16 * g + e % 16;
  else
    p.k = g * per_lane + e;
  return p;
}
static Pos getAccumulator32(int M, int N, int B, int lane,
                            int reg) { // 32-bit accumulators: i in .i, j in .k
  if (M == 32)
    return {8 * (reg % 16 / 4) + 4 * (lane / 32) + reg % 4, lane % 32,
            reg / 16};
  if (M == 16)
    return {4 * (lane / 16) + reg % 4, lane % 16, reg / 4};
  return {reg % 4, lane % 4, lane / 4};
}
static Pos getAccumulator64(int M, int lane, int pair) {
  return M == 16 ? Pos{4 * pair + lane / 16, lane % 16, 0}
                 : Pos{lane / 16, lane % 4, lane / 4 % 4};
}
static double readElement(const Wave &wave, int reg, int lane, int e, u32 t) {
  switch (t) {
  case TY_F32:
    return f32(wave.vgprs[reg + e][lane]);
  case TY_XF32:
    return f32(wave.vgprs[reg + e][lane] & 0xffffe000);
  case TY_F64:
    return f64((u64)wave.vgprs[reg + 2 * e][lane] |
               (u64)wave.vgprs[reg + 2 * e + 1][lane] << 32);
  case TY_F16:
    return h2f((wave.vgprs[reg + e / 2][lane] >> 16 * (e & 1)) & 0xffff);
  case TY_BF16:
    return bf2f((wave.vgprs[reg + e / 2][lane] >> 16 * (e & 1)) & 0xffff);
  case TY_FP8:
    return decodeFp8(wave.vgprs[reg + e / 4][lane] >> 8 * (e & 3), false,
                     current->program->ocp);
  case TY_BF8:
    return decodeFp8(wave.vgprs[reg + e / 4][lane] >> 8 * (e & 3), true,
                     current->program->ocp);
  case TY_I8:
    return (i8)(wave.vgprs[reg + e / 4][lane] >> 8 * (e & 3));
  default: {
    int bits = getBits(t), bit = e * bits;
    u64 x = wave.vgprs[reg + bit / 32][lane];
    if (bit % 32 + bits > 32)
      x |= (u64)wave.vgprs[reg + bit / 32 + 1][lane] << 32;
    return decodeSubByte((u32)(x >> (bit % 32)), t == TY_FP4 ? SmallFormat::FP4
                                                 : t == TY_FP6
                                                     ? SmallFormat::FP6
                                                     : SmallFormat::BF6);
  }
  }
}
static int broadcastLane(int l, u32 g) {
  switch (g) {
  case 1:
    return l & 31;
  case 2:
    return (l & 31) + 32;
  case 3:
    return (l + 16) & 63;
  case 4:
    return l & 15;
  case 5:
    return (l & 15) + 16;
  case 6:
    return (l & 15) + 32;
  case 7:
    return (l & 15) + 48;
  default:
    return l;
  }
}
struct Plan {
  Shape s;
  std::vector<u32> a, b, d;
}; // a/b: lane | elem << 8 per (block, i, k); d: lane | reg << 8 per (block, i,
   // j)
static const Plan &plan(const Shape &s0, u32 cbsz, u32 abid, u32 blgp) {
  static thread_local std::unordered_map<u64, Plan> cache;
  u64 key = (u64)s0.M | (u64)s0.N << 8 | (u64)s0.K << 16 | (u64)s0.B << 32 |
            (u64)s0.ta << 40 | (u64)s0.tb << 44 | (u64)s0.f64out << 48 |
            (u64)cbsz << 49 | (u64)abid << 52 | (u64)blgp << 56;
  auto it = cache.find(key);
  if (it != cache.end())
    return it->second;
  Plan p;
  p.s = s0;
  int M = s0.M, N = s0.N, K = s0.K, B = s0.B;
  p.a.resize((size_t)B * M * K);
  p.b.resize((size_t)B * K * N);
  p.d.resize((size_t)B * M * N);
  auto epl = [&](int dim) { return K / (64 / (dim * B)); };
  for (int l = 0; l < 64; l++)
    for (int e = 0; e < epl(M); e++) {
      Pos q = getInputPosition(M, K, B, l, e, getBits(s0.ta));
      p.a[((size_t)q.b * M + q.i) * K + q.k] = l | e << 8;
    }
  for (int l = 0; l < 64; l++)
    for (int e = 0; e < epl(N); e++) {
      Pos q = getInputPosition(N, K, B, l, e, getBits(s0.tb));
      p.b[((size_t)q.b * K + q.k) * N + q.i] = l | e << 8;
    }
  int nr = M == 4 ? (s0.f64out ? 1 : 4) : M * N * B / 64;
  for (int l = 0; l < 64; l++)
    for (int r = 0; r < nr; r++) {
      Pos q = s0.f64out ? getAccumulator64(M, l, r)
                        : getAccumulator32(M, N, B, l, r);
      p.d[((size_t)q.b * M + q.i) * N + q.k] = l | (s0.f64out ? 2 * r : r) << 8;
    }
  if (cbsz) { // groups of 2^cbsz blocks share the A block number abid of the
              // group
    std::vector<u32> t = p.a;
    int n = 1 << cbsz;
    size_t sz = (size_t)M * K;
    for (int b = 0; b < B; b++) {
      int src = (b & ~(n - 1)) + (int)abid;
      if (src < B)
        std::copy(t.begin() + src * sz, t.begin() + (src + 1) * sz,
                  p.a.begin() + b * sz);
    }
  }
  if (blgp)
    for (auto &x : p.b)
      x = (x & ~255u) | (u32)broadcastLane(x & 255, blgp);
  return cache.emplace(key, p).first->second;
}
// Values of all codes of fp8 and bf8 (FNUZ, OCP) and of fp6, bf6 and fp4.
struct CodeValues {
  double fp8[2][2][256], sub[3][64];
  CodeValues() {
    for (int o = 0; o < 2; o++)
      for (int f = 0; f < 2; f++)
        for (int x = 0; x < 256; x++)
          fp8[o][f][x] = decodeFp8(x, f, o);
    for (int x = 0; x < 64; x++) {
      sub[0][x] = decodeSubByte(x, SmallFormat::FP6);
      sub[1][x] = decodeSubByte(x, SmallFormat::BF6);
      sub[2][x] = decodeSubByte(x, SmallFormat::FP4);
    }
  }
};
static const CodeValues &getCodeValues() {
  static const CodeValues values;
  return values;
}
static void gather(const Wave &wave, int reg, const u32 *loc, int n, u32 t,
                   double *out) {
  bool o = current->program->ocp;
  switch (t) {
  case TY_F16:
    for (int q = 0; q < n; q++) {
      u32 l = loc[q] & 255, e = loc[q] >> 8;
      out[q] = h2f((wave.vgprs[reg + e / 2][l] >> 16 * (e & 1)) & 0xffff);
    }
    break;
  case TY_BF16:
    for (int q = 0; q < n; q++) {
      u32 l = loc[q] & 255, e = loc[q] >> 8;
      out[q] = bf2f((wave.vgprs[reg + e / 2][l] >> 16 * (e & 1)) & 0xffff);
    }
    break;
  case TY_FP8:
  case TY_BF8: {
    const double *L = getCodeValues().fp8[o][t == TY_BF8];
    for (int q = 0; q < n; q++) {
      u32 l = loc[q] & 255, e = loc[q] >> 8;
      out[q] = L[(wave.vgprs[reg + e / 4][l] >> 8 * (e & 3)) & 255];
    }
    break;
  }
  case TY_FP4: {
    const double *codes = getCodeValues().sub[2];
    for (int q = 0; q < n; q++) {
      u32 l = loc[q] & 255, e = loc[q] >> 8;
      out[q] = codes[(wave.vgprs[reg + e / 8][l] >> 4 * (e & 7)) & 15];
    }
    break;
  }
  default:
    for (int q = 0; q < n; q++)
      out[q] = readElement(wave, reg, loc[q] & 255, loc[q] >> 8, t);
  }
}
static double decodeE8m0(u32 x) {
  return x == 255 ? (double)NAN : ldexp(1.0, (int)x - 127);
}
struct TlsBuf {
  std::vector<double> A, B, D;
};
static void matrixMultiply(Wave &wave, const Instruction &inst) {
  static thread_local std::unordered_map<std::string, Shape> cache;
  auto it = cache.find(inst.mnemonic);
  if (it == cache.end()) {
    Shape s;
    if (!parseShape(inst.mnemonic, s))
      raiseFault(wave, inst, "MFMA name not understood");
    it = cache.emplace(inst.mnemonic, s).first;
  }
  Shape s = it->second;
  u32 cbsz = inst.cbsz, blgp = inst.blgp;
  if (s.f8f6f4) {
    static const u32 t[5] = {TY_FP8, TY_BF8, TY_FP6, TY_BF6, TY_FP4};
    if (cbsz > 4 || blgp > 4)
      raiseFault(wave, inst, "bad f8f6f4 format");
    s.ta = t[cbsz];
    s.tb = t[blgp];
    cbsz = blgp = 0;
  }
  int M = s.M, N = s.N, K = s.K, NB = s.B;
  static thread_local TlsBuf tb;
  tb.A.resize(M * K);
  tb.B.resize(K * N);
  tb.D.resize(M * N);
  if (inst.operands[1].kind != OperandKind::vgpr ||
      inst.operands[2].kind != OperandKind::vgpr ||
      inst.operands[0].kind != OperandKind::vgpr)
    raiseFault(wave, inst, "MFMA A/B/D operand is not a VGPR");
  int ra = inst.operands[1].reg, rb = inst.operands[2].reg,
      rd = inst.operands[0].reg;
  const Operand &c = inst.operands[3];
  u32 sgn = 0;
  if (s.f64out) {
    sgn = blgp;
    blgp = 0;
  } // f64: BLGP negates A/B/C
  const Plan &P = plan(s, cbsz, inst.abid, blgp);
  static thread_local u32 res[64][64];
  int nres = (s.f64out ? 2 : 1) * std::max(1, M * N * NB / 64);
  for (int b = 0; b < NB; b++) {
    double *A = tb.A.data(), *B = tb.B.data(), *D = tb.D.data();
    const u32 *dl = &P.d[(size_t)b * M * N];
    gather(wave, ra, &P.a[(size_t)b * M * K], M * K, s.ta, A);
    gather(wave, rb, &P.b[(size_t)b * K * N], K * N, s.tb, B);
    if (s.scaled) {
      u32 sa = ((inst.opSel & 1) | (inst.opSelHi & 1) << 1) * 8,
          sb = (((inst.opSel >> 1) & 1) | ((inst.opSelHi >> 1) & 1) << 1) * 8;
      for (int i = 0; i < M; i++)
        for (int kb = 0; kb < K / 32; kb++) {
          int sl = i + M * kb;
          u32 v = inst.operands[4].kind == OperandKind::vgpr
                      ? wave.vgprs[inst.operands[4].reg][sl]
                      : scalar32(wave, inst.operands[4]);
          double f = decodeE8m0((v >> sa) & 255);
          for (int k = 0; k < 32; k++)
            A[i * K + kb * 32 + k] *= f;
        }
      for (int j = 0; j < N; j++)
        for (int kb = 0; kb < K / 32; kb++) {
          int sl = j + N * kb;
          u32 v = inst.operands[5].kind == OperandKind::vgpr
                      ? wave.vgprs[inst.operands[5].reg][sl]
                      : scalar32(wave, inst.operands[5]);
          double f = decodeE8m0((v >> sb) & 255);
          for (int k = 0; k < 32; k++)
            B[(kb * 32 + k) * N + j] *= f;
        }
    }
    if (sgn & 1)
      for (int q = 0; q < M * K; q++)
        A[q] = -A[q];
    if (sgn & 2)
      for (int q = 0; q < K * N; q++)
        B[q] = -B[q];
    if (s.i32out) {
      for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
          i64 acc = 0;
          for (int k = 0; k < K; k++)
            acc += (i64)A[i * K + k] * (i64)B[k * N + j];
          u32 l = dl[i * N + j] & 255, r = dl[i * N + j] >> 8;
          acc += c.kind == OperandKind::vgpr ? (i32)wave.vgprs[c.reg + r][l]
                                             : (i32)scalar32(wave, c);
          res[r][l] = (u32)acc;
        }
    } else if (s.f64out) {
      for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
          u32 l = dl[i * N + j] & 255, r = dl[i * N + j] >> 8;
          double acc =
              c.kind == OperandKind::vgpr
                  ? f64((u64)wave.vgprs[c.reg + r][l] |
                        (u64)wave.vgprs[c.reg + r + 1][l] << 32)
                  : f64(c.kind == OperandKind::constant ? c.asF64
                                                        : scalar64(wave, c));
          if (sgn & 4)
            acc = -acc;
          for (int k = 0; k < K; k++)
            acc = fma(A[i * K + k], B[k * N + j], acc);
          u64 u = b64(acc);
          res[r][l] = (u32)u;
          res[r + 1][l] = (u32)(u >> 32);
        }
    } else if (current->dotMode ==
               DotMode::oneRounding) { // nearly exact: f64 accumulation, one
                                       // rounding
      for (int q = 0; q < M * N; q++) {
        u32 l = dl[q] & 255, r = dl[q] >> 8;
        D[q] = c.kind == OperandKind::vgpr ? f32(wave.vgprs[c.reg + r][l])
                                           : f32(scalar32(wave, c));
      }
      for (int i = 0; i < M; i++)
        for (int k = 0; k < K; k++) {
          double x = A[i * K + k];
          double *Dr = D + i * N;
          const double *Br = B + k * N;
          for (int j = 0; j < N; j++)
            Dr[j] += x * Br[j];
        }
      for (int q = 0; q < M * N; q++) {
        u32 l = dl[q] & 255, r = dl[q] >> 8;
        res[r][l] = b32((float)D[q]);
      }
    } else { // sequential f32 fma in K order
      for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
          u32 l = dl[i * N + j] & 255, r = dl[i * N + j] >> 8;
          float acc = c.kind == OperandKind::vgpr
                          ? f32(wave.vgprs[c.reg + r][l])
                          : f32(scalar32(wave, c));
          for (int k = 0; k < K; k++)
            acc = fmaf((float)A[i * K + k], (float)B[k * N + j], acc);
          res[r][l] = b32(acc);
        }
    }
  }
  for (int r = 0; r < nres; r++)
    memcpy(wave.vgprs[rd + r], res[r], 256); // MFMA ignores EXEC
}

void addMatrix(const TableBuilder &add) {
  for (const char *n : {"f32_32x32x1_2b_f32",
                        "f32_16x16x1_4b_f32",
                        "f32_4x4x1_16b_f32",
                        "f32_32x32x2_f32",
                        "f32_16x16x4_f32",
                        "f32_32x32x4_2b_f16",
                        "f32_16x16x4_4b_f16",
                        "f32_4x4x4_16b_f16",
                        "f32_32x32x8_f16",
                        "f32_16x16x16_f16",
                        "f32_32x32x4_2b_bf16",
                        "f32_16x16x4_4b_bf16",
                        "f32_4x4x4_16b_bf16",
                        "f32_32x32x8_bf16",
                        "f32_16x16x16_bf16",
                        "i32_32x32x4_2b_i8",
                        "i32_16x16x4_4b_i8",
                        "i32_4x4x4_16b_i8",
                        "i32_32x32x16_i8",
                        "i32_16x16x32_i8",
                        "f32_16x16x8_xf32",
                        "f32_32x32x4_xf32",
                        "f64_16x16x4_f64",
                        "f64_4x4x4_4b_f64",
                        "f32_16x16x32_bf8_bf8",
                        "f32_16x16x32_bf8_fp8",
                        "f32_16x16x32_fp8_bf8",
                        "f32_16x16x32_fp8_fp8",
                        "f32_32x32x16_bf8_bf8",
                        "f32_32x32x16_bf8_fp8",
                        "f32_32x32x16_fp8_bf8",
                        "f32_32x32x16_fp8_fp8",
                        "f32_16x16x32_f16",
                        "f32_16x16x32_bf16",
                        "f32_32x32x16_f16",
                        "f32_32x32x16_bf16",
                        "i32_16x16x64_i8",
                        "i32_32x32x32_i8",
                        "f32_16x16x128_f8f6f4",
                        "f32_32x32x64_f8f6f4",
                        "scale_f32_16x16x128_f8f6f4",
                        "scale_f32_32x32x64_f8f6f4"})
    add(std::string("v_mfma_") + n, matrixMultiply);
}

} // namespace mlir::qfuse::emulator
