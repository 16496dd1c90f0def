// Functions by the names of clang's builtins for AMD's GPUs, as far as public programs use them.
#pragma once

FERMATA_HIP int __builtin_amdgcn_readfirstlane(int word) {
  return fermata_hip::wordOf(word, __ffsll(static_cast<long long>(fermata_hip::active())) - 1);
}
FERMATA_HIP int __builtin_amdgcn_readlane(int word, int lane) {
  return fermata_hip::wordOf(word, lane);
}
/// Addresses are of bytes: four times the lane.
FERMATA_HIP int __builtin_amdgcn_ds_bpermute(int address, int word) {
  return fermata_hip::wordOf(word, address >> 2);
}
FERMATA_HIP int __builtin_amdgcn_ds_permute(int address, int word) {
  return fermata_hip::pushed(word, address >> 2);
}
FERMATA_HIP unsigned __builtin_amdgcn_mbcnt_lo(unsigned mask, unsigned base) {
  const unsigned lane = fermata_hip::lane();
  return base + __popc(lane >= 32 ? mask : mask & ((1U << lane) - 1));
}
FERMATA_HIP unsigned __builtin_amdgcn_mbcnt_hi(unsigned mask, unsigned base) {
  const unsigned lane = fermata_hip::lane();
  return base + (lane < 32 ? 0 : __popc(mask & ((1U << (lane - 32)) - 1)));
}
FERMATA_HIP void __builtin_amdgcn_s_barrier() { __syncthreads(); }
FERMATA_HIP void __builtin_amdgcn_wave_barrier() { asm volatile("" ::: "memory"); }
FERMATA_HIP void __builtin_amdgcn_sched_barrier(int) { asm volatile("" ::: "memory"); }
FERMATA_HIP void __builtin_amdgcn_s_sleep(int) {}
FERMATA_HIP unsigned __builtin_amdgcn_wavefrontsize() { return fermata_hip::kWave; }
FERMATA_HIP unsigned __builtin_amdgcn_workitem_id_x() { return threadIdx.x; }
FERMATA_HIP unsigned __builtin_amdgcn_workitem_id_y() { return threadIdx.y; }
FERMATA_HIP unsigned __builtin_amdgcn_workitem_id_z() { return threadIdx.z; }
FERMATA_HIP unsigned __builtin_amdgcn_workgroup_id_x() { return blockIdx.x; }
FERMATA_HIP unsigned __builtin_amdgcn_workgroup_id_y() { return blockIdx.y; }
FERMATA_HIP unsigned __builtin_amdgcn_workgroup_id_z() { return blockIdx.z; }
FERMATA_HIP long long __builtin_amdgcn_s_memtime() { return clock64(); }
FERMATA_HIP unsigned long long __builtin_amdgcn_ballot_w64(bool predicate) {
  return fermata_hip::ballot(predicate);
}
FERMATA_HIP float __builtin_amdgcn_rcpf(float x) { return __frcp_rn(x); }
FERMATA_HIP float __builtin_amdgcn_rsqf(float x) { return rsqrtf(x); }
FERMATA_HIP float __builtin_amdgcn_exp2f(float x) { return exp2f(x); }
FERMATA_HIP float __builtin_amdgcn_fmed3f(float a, float b, float c) {
  return fmaxf(fminf(a, b), fminf(fmaxf(a, b), c));
}

/// Bit mode (AMD, CDNA ISA, ds_swizzle_b32): within 32 lanes, source = ((lane & and) | or) ^ xor.
/// With bit 15 each quad is permuted.
FERMATA_HIP int __builtin_amdgcn_ds_swizzle(int word, int pattern) {
  const int lane = int(fermata_hip::laneInWarp());
  const int source = (pattern & 0x8000) != 0
                         ? (lane & ~3) | (pattern >> 2 * (lane & 3) & 3)
                         : ((lane & pattern) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31);
  return fermata_hip::wordOfHalf(word, source & 31);
}

namespace fermata_hip {

/// Returns the lane that a DPP control names for a lane; -1: none. Rows have 16 lanes.
FERMATA_HIP int dppSource(int control, int lane) {
  const int row = lane & ~15, at = lane & 15;
  const int amount = control & 15;
  if (control < 0x100) return (lane & ~3) | (control >> 2 * (lane & 3) & 3);  // quad_perm
  if (control < 0x110) return at + amount < 16 ? lane + amount : -1;          // row_shl
  if (control < 0x120) return at >= amount ? lane - amount : -1;              // row_shr
  if (control < 0x130) return row | ((at - amount) & 15);                     // row_ror
  if (control == 0x130) return lane + 1 < kWave ? lane + 1 : -1;              // wave_shl:1
  if (control == 0x134) return (lane + 1) & (kWave - 1);                      // wave_rol:1
  if (control == 0x138) return lane - 1;                                      // wave_shr:1
  if (control == 0x13c) return (lane - 1) & (kWave - 1);                      // wave_ror:1
  if (control == 0x140) return row | (15 - at);                               // row_mirror
  if (control == 0x141) return (lane & ~7) | (7 - (lane & 7));                // row_half_mirror
  if (control == 0x142) return row >= 16 ? row - 1 : -1;                      // row_bcast:15
  if (control == 0x143) return lane >= 32 ? 31 : -1;                          // row_bcast:31
  if (control >= 0x150 && control < 0x160) return row | amount;               // row_newbcast
  if (control >= 0x160 && control < 0x170) return row | (at ^ amount);        // row_xmask
  return lane;
}

}  // namespace fermata_hip

/// DPP (AMD, CDNA ISA): rows and banks (four lanes of a row) that the masks leave out keep `old`;
/// so do lanes without a source, which are 0 with `bound`.
FERMATA_HIP int __builtin_amdgcn_update_dpp(int old, int word, int control, int rows, int banks,
                                            bool bound) {
  const int lane = int(fermata_hip::lane());
  const int source = fermata_hip::dppSource(control, lane);
  const bool crosses = control == 0x142 || control == 0x143 || (control & ~0xf) == 0x130;
  const int got = crosses ? fermata_hip::wordOf(word, source < 0 ? lane : source)
                          : fermata_hip::wordOfHalf(word, (source < 0 ? lane : source) & 31);
  const bool written = (rows >> (lane >> 4 & 3) & 1) != 0 && (banks >> (lane >> 2 & 3) & 1) != 0;
  if (!written) return old;
  return source < 0 ? (bound ? 0 : old) : got;
}
FERMATA_HIP int __builtin_amdgcn_mov_dpp(int word, int control, int rows, int banks, bool bound) {
  return __builtin_amdgcn_update_dpp(0, word, control, rows, banks, bound);
}
