#include <fermata/stimuli/ptx/factor_tile.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include <fermata/stimuli/ptx/matrix_ops.h>
#include <fermata/stimuli/ptx/memory_access.h>

namespace fermata::ptx {
namespace {

constexpr unsigned kCoresOfRead = kWarpLanes / kCoreRows;

/// Returns, in bytes, a field of 14 bits that counts units of 16 bytes.
std::uint32_t bytesAt(std::uint64_t descriptor, unsigned bit) {
  return static_cast<std::uint32_t>(descriptor >> bit & 0x3fffU) * 16;
}

/// Returns a row of a core matrix; throws Fault outside of shared memory.
const std::uint8_t* rowAt(const Warp& warp, const Instruction& i, std::uint32_t address) {
  const Window window = sharedWindow(warp);
  if (window.bytes < kCoreRowBytes || address > window.bytes - kCoreRowBytes) {
    failAtAddress(warp, i, -1, FaultKind::Address, address,
                  "a row of a factor is at {:#x} of shared memory; expected it in {} bytes",
                  address, window.bytes);
  }
  return window.data + address;
}

void transposeHalves(FactorWords& words) {
  std::uint16_t m[kCoreRows][kCoreRows];
  std::memcpy(m, words, sizeof m);
  for (unsigned r = 0; r < kCoreRows; ++r) {
    for (unsigned c = 0; c < r; ++c) std::swap(m[r][c], m[c][r]);
  }
  std::memcpy(words, m, sizeof m);
}

}  // namespace

FactorTile factorTile(const Warp& warp, const Instruction& i, Row descriptor, bool transposed,
                      unsigned across) {
  const auto* lanes = rowOf<std::uint64_t>(warp, descriptor);
  const std::uint64_t bits = lanes[0];
  for (unsigned lane = 1; lane < kWarpLanes; ++lane) {
    if (lanes[lane] != bits)
      failAt(warp, i, lane,
             "another matrix descriptor than lane 0 has; expected one for all lanes");
  }
  if ((bits >> 49 & 7U) != 0)
    failAt(warp, i, 0, "a matrix descriptor with a base offset; expected 0 in its bits 49 to 51");
  // Swizzle in bits 62 and 63: none, 128, 64, 32 bytes.
  constexpr unsigned kAtoms[] = {1, 8, 4, 2};
  const unsigned atom = kAtoms[bits >> 62];
  if (!transposed && atom != 1 && atom < across)
    failAt(warp, i, 0,
           "a matrix descriptor of rows of 32 bytes; expected rows of 64 bytes or more "
           "for the second factor of a sparse product");
  return {bytesAt(bits, 0), bytesAt(bits, 16), bytesAt(bits, 32), atom, transposed};
}

void readFactor(const Warp& warp, const Instruction& i, const FactorTile& tile, unsigned number,
                unsigned c, FactorWords& words) {
  for (unsigned r = 0; r < kCoreRows; ++r)
    std::memcpy(words + r * kCoreRowBytes, rowAt(warp, i, tile.row(number, c, r)), kCoreRowBytes);
  if (tile.transposed) transposeHalves(words);
}

void executeFactorRead(Warp& warp, const Instruction& i, LaneMask mask) {
  if (!isWholeWarp(warp, i, mask)) return;
  const FactorTile tile = factorTile(warp, i, i.a, i.factorRead.transposed, i.factorRead.across);
  const unsigned begin = kCoresOfRead * kWarpsOfGroup * i.factorRead.part;
  const unsigned end = std::min(i.factorRead.cores, begin + kCoresOfRead * kWarpsOfGroup);
  const unsigned share = (end - begin + kWarpsOfGroup - 1) / kWarpsOfGroup;
  const unsigned first = std::min(end, begin + share * (warp.indexInCta % kWarpsOfGroup));
  const unsigned count = std::min(end - first, share);
  WarpInstruction& out = *warp.machine->out;
  out.active = count == 0 ? 0 : kAllLanes >> (kWarpLanes - kCoreRows * count);
  out.hasData = warp.machine->options.carryData;
  for (unsigned lane = 0; lane < kCoreRows * count; ++lane) {
    const unsigned core = first + lane / kCoreRows;
    out.address[lane] =
        tile.row(core / i.factorRead.across, core % i.factorRead.across, lane % kCoreRows);
    const std::uint8_t* from = rowAt(warp, i, static_cast<std::uint32_t>(out.address[lane]));
    checkWritten(warp, i, sharedWindow(warp), out.address[lane], lane, kCoreRowBytes);
    if (out.hasData) std::memcpy(out.data[lane].data(), from, kCoreRowBytes);
  }
}

}  // namespace fermata::ptx
