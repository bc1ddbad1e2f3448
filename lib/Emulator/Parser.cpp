//===- Parser.cpp - Reads the text of an instruction ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parser.h"
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace mlir::qfuse::emulator {

static std::string trim(const std::string &s) {
  size_t a = 0, b = s.size();
  while (a < b && isspace((u8)s[a]))
    a++;
  while (b > a && isspace((u8)s[b - 1]))
    b--;
  return s.substr(a, b - a);
}
// split on top level commas
static std::vector<std::string> splitOperands(const std::string &s) {
  std::vector<std::string> r;
  int d = 0;
  std::string cur;
  bool q = false;
  for (char c : s) {
    if (c == '"')
      q = !q;
    if (!q) {
      if (c == '[' || c == '(')
        d++;
      if (c == ']' || c == ')')
        d--;
    }
    if (c == ',' && d == 0 && !q) {
      r.push_back(trim(cur));
      cur.clear();
    } else
      cur += c;
  }
  if (!trim(cur).empty())
    r.push_back(trim(cur));
  return r;
}
static std::vector<std::string> splitWords(const std::string &s) {
  std::vector<std::string> r;
  int d = 0;
  std::string cur;
  bool q = false;
  for (char c : s) {
    if (c == '"')
      q = !q;
    if (!q) {
      if (c == '[' || c == '(')
        d++;
      if (c == ']' || c == ')')
        d--;
    }
    if (isspace((u8)c) && d == 0 && !q) {
      if (!cur.empty())
        r.push_back(cur);
      cur.clear();
    } else
      cur += c;
  }
  if (!cur.empty())
    r.push_back(cur);
  return r;
}
static bool parseRange(const std::string &t, int &lo,
                       int &n) { // "12" or "[4:7]" or "[4]"
  if (t.empty())
    return false;
  if (t[0] == '[') {
    int a, b;
    if (sscanf(t.c_str(), "[%d:%d]", &a, &b) == 2) {
      lo = a;
      n = b - a + 1;
      return true;
    }
    if (sscanf(t.c_str(), "[%d]", &a) == 1) {
      lo = a;
      n = 1;
      return true;
    }
    return false;
  }
  for (char c : t)
    if (!isdigit((u8)c))
      return false;
  lo = atoi(t.c_str());
  n = 1;
  return true;
}
struct Named {
  const char *nm;
  int reg, n;
};
static const Named named[] = {{"vcc", 106, 2},
                              {"vcc_lo", 106, 1},
                              {"vcc_hi", 107, 1},
                              {"exec", 126, 2},
                              {"exec_lo", 126, 1},
                              {"exec_hi", 127, 1},
                              {"m0", 124, 1},
                              {"flat_scratch", 102, 2},
                              {"flat_scratch_lo", 102, 1},
                              {"flat_scratch_hi", 103, 1},
                              {"xnack_mask", 104, 2},
                              {"xnack_mask_lo", 104, 1},
                              {"xnack_mask_hi", 105, 1}};
static bool parseOperand(std::string t, Operand &o) {
  o = Operand();
  // source modifiers
  for (;;) {
    if (t.size() > 5 && t.compare(0, 5, "sext(") == 0 && t.back() == ')') {
      o.sext = true;
      t = t.substr(5, t.size() - 6);
      continue;
    }
    if (t.size() > 4 && t.compare(0, 4, "neg(") == 0 && t.back() == ')') {
      o.neg = true;
      t = t.substr(4, t.size() - 5);
      continue;
    }
    if (t.size() > 4 && t.compare(0, 4, "abs(") == 0 && t.back() == ')') {
      o.abs = true;
      t = t.substr(4, t.size() - 5);
      continue;
    }
    if (t.size() > 2 && t[0] == '|' && t.back() == '|') {
      o.abs = true;
      t = t.substr(1, t.size() - 2);
      continue;
    }
    if (t.size() > 1 && t[0] == '-' &&
        (t[1] == 'v' || t[1] == 's' || t[1] == 'a' || t[1] == '|' ||
         t[1] == 'm' || t[1] == 'e' || t[1] == 't')) {
      o.neg = true;
      t = t.substr(1);
      continue;
    }
    break;
  }
  if (t.size() > 5 && t.compare(0, 4, "lit(") == 0) {
    t = t.substr(4, t.size() - 5);
    if (t.compare(0, 2, "0x")) {
      char b[32];
      snprintf(b, sizeof b, "0x%llx", strtoll(t.c_str(), 0, 0));
      t = b;
    }
  }
  if (t.size() > 7 && t.compare(0, 6, "lit64(") == 0) {
    u64 x = strtoull(t.substr(6).c_str(), 0, 0);
    o.kind = OperandKind::constant;
    o.lit = true;
    o.bits32 = (u32)x;
    o.bits16 = (u16)x;
    o.asB64 = o.asI64 = o.asF64 = x;
    return true;
  }
  if (t == "off" || t == "null") {
    o.kind = OperandKind::off;
    return true;
  }
  for (auto &n : named)
    if (t == n.nm) {
      o.kind = OperandKind::sgpr;
      o.reg = n.reg;
      o.n = n.n;
      return true;
    }
  int lo, n;
  if (t[0] == 'v' && parseRange(t.substr(1), lo, n)) {
    o.kind = OperandKind::vgpr;
    o.reg = lo;
    o.n = n;
    return true;
  }
  if (t[0] == 'a' && parseRange(t.substr(1), lo, n)) {
    o.kind = OperandKind::vgpr;
    o.reg = 256 + lo;
    o.n = n;
    return true;
  }
  if (t.compare(0, 4, "ttmp") == 0 && parseRange(t.substr(4), lo, n)) {
    o.kind = OperandKind::sgpr;
    o.reg = 108 + lo;
    o.n = n;
    return true;
  }
  if (t[0] == 's' && parseRange(t.substr(1), lo, n)) {
    o.kind = OperandKind::sgpr;
    o.reg = lo;
    o.n = n;
    return true;
  }
  static const char *specs[] = {"src_shared_base",
                                "src_shared_limit",
                                "src_private_base",
                                "src_private_limit",
                                "src_pops_exiting_wave_id",
                                "src_vccz",
                                "src_execz",
                                "src_scc",
                                "src_lds_direct"};
  for (int i = 0; i < 9; i++)
    if (t == specs[i]) {
      o.kind = OperandKind::special;
      o.reg = i;
      return true;
    }
  // constants
  if (t.compare(0, 2, "0x") == 0) {
    u64 x = strtoull(t.c_str(), 0, 16);
    o.kind = OperandKind::constant;
    o.lit = true;
    o.bits32 = (u32)x;
    o.bits16 = (u16)x;
    o.asB64 = (u32)x;
    o.asI64 = (u64)(i64)(i32)x;
    o.asF64 = x << 32;
    if (x >> 32) {
      o.asB64 = o.asI64 = o.asF64 = x;
    }
    return true;
  }
  char *e;
  if (t.find('.') != std::string::npos) {
    double d = strtod(t.c_str(), &e);
    if (*e)
      return false;
    o.kind = OperandKind::constant;
    o.fp = true;
    if (fabs(d - 0.15915494) < 1e-6) {
      o.bits32 = 0x3e22f983;
      o.bits16 = 0x3118;
      o.asF64 = 0x3fc45f306dc9c882ull;
    } else {
      o.bits32 = b32((float)d);
      o.bits16 = f2h((float)d);
      o.asF64 = b64(d);
    }
    o.asB64 = o.asI64 = o.asF64;
    return true;
  }
  long long x = strtoll(t.c_str(), &e, 10);
  if (*e || t.empty())
    return false;
  o.kind = OperandKind::constant;
  o.bits32 = (u32)x;
  o.bits16 = (u16)x;
  o.asB64 = o.asI64 = o.asF64 = (u64)x;
  return true;
}
static u32 parseBits(const std::string &v, int def_n,
                     int *cnt = nullptr) { // "[0,1,1]"
  u32 r = 0;
  int i = 0;
  for (char c : v) {
    if (c == '1')
      r |= 1u << i++;
    else if (c == '0')
      i++;
  }
  if (cnt)
    *cnt = i;
  (void)def_n;
  return r;
}
static u8 sel(const std::string &v) {
  if (v == "BYTE_0")
    return 0;
  if (v == "BYTE_1")
    return 1;
  if (v == "BYTE_2")
    return 2;
  if (v == "BYTE_3")
    return 3;
  if (v == "WORD_0")
    return 4;
  if (v == "WORD_1")
    return 5;
  return 6;
}
enum DppOp {
  D_QUAD,
  D_SHL,
  D_SHR,
  D_ROR,
  D_WSHL,
  D_WROL,
  D_WSHR,
  D_WROR,
  D_MIRROR,
  D_HALFMIRROR,
  D_BCAST,
  D_NEWBCAST
};
static bool parseModifier(const std::string &m, Instruction &inst) {
  auto c = m.find(':');
  std::string k = m.substr(0, c),
              v = c == std::string::npos ? "" : m.substr(c + 1);
  auto num = [&] { return (i32)strtol(v.c_str(), 0, 0); };
  if (k == "offset") {
    inst.offset = v.size() && (isdigit((u8)v[0]) || v[0] == '-') ? num() : 0;
    return true;
  }
  if (k == "offset0") {
    inst.offset0 = num();
    return true;
  }
  if (k == "offset1") {
    inst.offset1 = num();
    return true;
  }
  if (k == "op_sel") {
    inst.opSel = parseBits(v, 3);
    return true;
  }
  if (k == "op_sel_hi") {
    int n;
    inst.opSelHi = parseBits(v, 3, &n);
    return true;
  }
  if (k == "neg_lo") {
    inst.negLo = parseBits(v, 3);
    return true;
  }
  if (k == "neg_hi") {
    inst.negHi = parseBits(v, 3);
    return true;
  }
  if (k == "clamp") {
    inst.clamp = true;
    return true;
  }
  if (k == "mul") {
    inst.omod = num() == 2 ? 1 : 2;
    return true;
  }
  if (k == "div") {
    inst.omod = 3;
    return true;
  }
  if (k == "sc0" || k == "glc") {
    inst.sc0 = true;
    return true;
  }
  if (k == "sc1") {
    inst.sc1 = true;
    return true;
  }
  if (k == "nt" || k == "slc") {
    inst.nt = true;
    return true;
  }
  if (k == "offen") {
    inst.offen = true;
    return true;
  }
  if (k == "idxen") {
    inst.idxen = true;
    return true;
  }
  if (k == "lds") {
    inst.lds = true;
    return true;
  }
  if (k == "gds") {
    inst.gds = true;
    return true;
  }
  if (k == "cbsz") {
    inst.cbsz = num();
    return true;
  }
  if (k == "abid") {
    inst.abid = num();
    return true;
  }
  if (k == "blgp") {
    inst.blgp = num();
    return true;
  }
  if (k == "neg") {
    inst.negLo = parseBits(v, 3);
    return true;
  }
  if (k == "bitop3") {
    inst.bitop3 = num();
    return true;
  }
  if (k == "row_mask") {
    inst.rowMask = num();
    inst.dpp = true;
    return true;
  }
  if (k == "bank_mask") {
    inst.bankMask = num();
    inst.dpp = true;
    return true;
  }
  if (k == "bound_ctrl") {
    inst.boundControl = true;
    inst.dpp = true;
    return true;
  }
  auto dpp = [&](int o, int a) {
    inst.dpp = true;
    inst.dppControl = o;
    inst.dppArgument = a;
    return true;
  };
  if (k == "quad_perm") {
    int a, b, cc, d;
    if (sscanf(v.c_str(), "[%d,%d,%d,%d]", &a, &b, &cc, &d) != 4)
      return false;
    return dpp(D_QUAD, a | b << 2 | cc << 4 | d << 6);
  }
  if (k == "row_shl")
    return dpp(D_SHL, num());
  if (k == "row_shr")
    return dpp(D_SHR, num());
  if (k == "row_ror")
    return dpp(D_ROR, num());
  if (k == "wave_shl")
    return dpp(D_WSHL, 1);
  if (k == "wave_rol")
    return dpp(D_WROL, 1);
  if (k == "wave_shr")
    return dpp(D_WSHR, 1);
  if (k == "wave_ror")
    return dpp(D_WROR, 1);
  if (k == "row_mirror")
    return dpp(D_MIRROR, 0);
  if (k == "row_half_mirror")
    return dpp(D_HALFMIRROR, 0);
  if (k == "row_bcast")
    return dpp(D_BCAST, num());
  if (k == "row_newbcast")
    return dpp(D_NEWBCAST, num());
  if (k == "dst_sel") {
    inst.sdwa = true;
    inst.dstSel = sel(v);
    return true;
  }
  if (k == "dst_unused") {
    inst.sdwa = true;
    inst.dstUnused = v == "UNUSED_PAD" ? 0 : v == "UNUSED_SEXT" ? 1 : 2;
    return true;
  }
  if (k == "src0_sel") {
    inst.sdwa = true;
    inst.src0Sel = sel(v);
    return true;
  }
  if (k == "src1_sel") {
    inst.sdwa = true;
    inst.src1Sel = sel(v);
    return true;
  }
  return false;
}
static bool starts(const std::string &s, const char *p) {
  return s.compare(0, strlen(p), p) == 0;
}
static bool ends(const std::string &s, const char *p) {
  size_t n = strlen(p);
  return s.size() >= n && s.compare(s.size() - n, n, p) == 0;
}

bool parseInstruction(const std::string &body, Instruction &inst,
                      std::string &err) {
  inst.text = trim(body);
  size_t sp = inst.text.find_first_of(" \t");
  std::string mn = inst.text.substr(0, sp),
              rest = sp == std::string::npos ? "" : trim(inst.text.substr(sp));
  for (const char *suf : {"_e32", "_e64", "_dpp", "_sdwa", "_e64_dpp"})
    if (ends(mn, suf)) {
      mn = mn.substr(0, mn.size() - strlen(suf));
      break;
    }
  inst.mnemonic = mn;
  bool sopp = mn == "s_waitcnt" || starts(mn, "s_cbranch") ||
              mn == "s_branch" || mn == "s_nop" || mn == "s_sendmsg" ||
              mn == "s_sleep" || mn == "s_setprio" || mn == "s_endpgm" ||
              mn == "s_barrier" || mn == "s_trap" || mn == "s_sethalt" ||
              mn == "s_code_end" || mn == "s_icache_inv" ||
              mn == "s_set_gpr_idx_mode" || mn == "s_set_gpr_idx_off";
  if (sopp)
    return true;
  if (mn == "s_getreg_b32" || mn == "s_setreg_b32" ||
      mn == "s_setreg_imm32_b32") {
    auto ops = splitOperands(rest);
    for (auto &o : ops) {
      if (starts(o, "hwreg"))
        continue;
      Operand p;
      if (parseOperand(o, p))
        inst.operands[inst.numOperands++] = p;
    }
    return true;
  }
  auto ops = splitOperands(rest);
  for (size_t i = 0; i < ops.size(); i++) {
    auto parts = splitWords(ops[i]);
    size_t j = 0;
    if (!parts.empty()) {
      Operand o;
      // a first token with ':' that is not a register range is a modifier (ops
      // without operands)
      bool ismod = parts[0].find(':') != std::string::npos &&
                   parts[0].find('[') != 1 && !starts(parts[0], "ttmp[") &&
                   !isdigit((u8)parts[0][0]) && parts[0][0] != '-' &&
                   parts[0][0] != '|' && !starts(parts[0], "sext(") &&
                   !starts(parts[0], "neg(");
      if (mn == "s_set_gpr_idx_on" && i == 1) {
        j = 1;
      } else if (!ismod && parseOperand(parts[0], o)) {
        if (inst.numOperands >= 8) {
          err = "too many operands";
          return false;
        }
        inst.operands[inst.numOperands++] = o;
        j = 1;
      } else if (!ismod && !parseModifier(parts[0], inst)) {
        err = "operand '" + parts[0] + "'";
        return false;
      }
    }
    for (; j < parts.size(); j++)
      if (!parseModifier(parts[j], inst)) {
        err = "modifier '" + parts[j] + "'";
        return false;
      }
  }
  return true;
}

static MemoryClass classify(const Instruction &inst) {
  const std::string &m = inst.mnemonic;
  if (starts(m, "s_load_") || starts(m, "s_buffer_load_") || m == "s_memtime" ||
      m == "s_memrealtime")
    return MemoryClass::scalar;
  if (starts(m, "ds_"))
    return m == "ds_nop" ? MemoryClass::none : MemoryClass::lds;
  if (starts(m, "global_load_lds") || (starts(m, "buffer_load") && inst.lds))
    return MemoryClass::vectorToLds;
  if (!starts(m, "global_") && !starts(m, "flat_") && !starts(m, "scratch_") &&
      !starts(m, "buffer_load") && !starts(m, "buffer_store") &&
      !starts(m, "buffer_atomic"))
    return MemoryClass::none;
  bool returns = m.find("_atomic_") != std::string::npos && inst.sc0;
  return returns || m.find("_load_") != std::string::npos
             ? MemoryClass::vectorLoad
             : MemoryClass::vectorStore;
}

static bool hasResult(const Instruction &inst) {
  const std::string &m = inst.mnemonic;
  switch (inst.memoryClass) {
  case MemoryClass::scalar:
  case MemoryClass::vectorLoad:
    return true;
  case MemoryClass::lds:
    return starts(m, "ds_read") || starts(m, "ds_swizzle") ||
           starts(m, "ds_permute") || starts(m, "ds_bpermute") ||
           m.find("_rtn_") != std::string::npos;
  default:
    return false;
  }
}

void finishInstruction(Instruction &inst) {
  inst.memoryClass = classify(inst);
  inst.numResults = hasResult(inst);
  u32 encoding = inst.words[0] >> 23;
  bool isVop3p = encoding == 0x1a7;
  if (encoding >> 3 == 0x34 && !isVop3p)
    inst.opSel = (inst.words[0] >> 11) & 15;
  // MFMA has other fields there.
  if (isVop3p && inst.mnemonic.find("mfma") == std::string::npos) {
    inst.opSel = (inst.words[0] >> 11) & 7;
    inst.opSelHi = ((inst.words[1] >> 27) & 3) | ((inst.words[0] >> 14) & 1)
                                                     << 2;
    inst.negLo = (inst.words[1] >> 29) & 7;
    inst.negHi = (inst.words[0] >> 8) & 7;
  }
}

} // namespace mlir::qfuse::emulator
