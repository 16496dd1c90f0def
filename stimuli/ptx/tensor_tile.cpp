#include <fermata/stimuli/ptx/tensor_tile.h>

#include <fermata/stimuli/ptx/clusters.h>
#include <fermata/stimuli/ptx/memory_access.h>

namespace fermata::ptx {
namespace {

constexpr unsigned kCore = 8;      // chunks of a core matrix
constexpr unsigned kWideRows = 4;  // rows that a swizzle of 32 bytes repeats after

/// Returns, in bytes, a field of 14 bits that counts units of 16 bytes.
std::uint32_t fieldAt(std::uint64_t bits, unsigned bit) {
  return static_cast<std::uint32_t>(bits >> bit & 0x3fffU) * 16;
}

}  // namespace

unsigned TensorTile::chunks() const {
  if (!transposed) return rows * across;
  return (rows + perChunk - 1) / perChunk * across * perChunk;
}

TensorTile::Chunk TensorTile::chunk(unsigned number) const {
  const unsigned core = number / kCore, r = number % kCore;
  if (!transposed) {
    const unsigned row = core / across * kCore + r, c = core % across;
    const std::uint32_t at =
        start + r * kBytes * units + core / across * stride + c * (units == 1 ? leading : kBytes);
    return {swizzled(at), row, c * perChunk};
  }
  const unsigned groups = across * perChunk / kCore;  // of eight steps of k
  const unsigned unit = core / groups, group = core % groups, step = kCore * group + r;
  const Chunk found{0, unit * perChunk, step};
  if (units == 1) return {start + unit * stride + group * leading + r * kBytes, found.row, step};
  const std::uint32_t aside = start + unit % units * kBytes + unit / units * leading;
  const unsigned repeat = wideAtoms ? kWideRows : kCore;
  const std::uint32_t at = aside + step % repeat * kBytes * units + step / repeat * stride;
  return {swizzled(at), found.row, step};
}

std::uint32_t TensorTile::swizzled(std::uint32_t address) const {
  if (wideAtoms) return address ^ (address >> 2 & 0x60U);
  return address ^ (address >> 3 & (units - 1) * kBytes);
}

TensorTile tensorTile(const Warp& warp, const Instruction& i, unsigned lane, std::uint64_t bits,
                      bool transposed, unsigned rows, unsigned perChunk, unsigned across) {
  if ((bits >> 46 & 7U) != 1)
    failAt(warp, i, lane, "a matrix descriptor with {} in bits 46 to 48; expected 1",
           bits >> 46 & 7U);
  if ((bits >> 49 & 0xfU) != 0)
    failAt(warp, i, lane,
           "a matrix descriptor with a base offset or an absolute address; expected 0 in its bits "
           "49 to 52");
  // Swizzles by bits 61 to 63: none, 128 by 32 bytes, 128, 64, 32.
  constexpr unsigned kUnits[] = {1, 8, 8, 0, 4, 0, 2, 0};
  const auto mode = static_cast<unsigned>(bits >> 61);
  if (kUnits[mode] == 0)
    failAt(warp, i, lane, "a matrix descriptor with swizzle {}; expected 0, 1, 2, 4 or 6", mode);
  if (mode == 1 && !transposed)
    failAt(warp, i, lane,
           "a matrix descriptor with a swizzle of 32-byte atoms for rows along k; expected one of "
           "rows along m or n");
  if (!transposed && kUnits[mode] != 1 && kUnits[mode] < across)
    failAt(warp, i, lane,
           "a matrix descriptor with a swizzle of {} bytes for rows of {} bytes of k; expected one "
           "of as many at least, or none",
           kUnits[mode] * TensorTile::kBytes, across * TensorTile::kBytes);
  return {fieldAt(bits, 0),
          fieldAt(bits, 16),
          fieldAt(bits, 32),
          kUnits[mode],
          mode == 1,
          transposed,
          rows,
          perChunk,
          across};
}

const std::uint8_t* chunkBytes(const Warp& warp, const Instruction& i, unsigned lane,
                               std::uint32_t address) {
  const Window window = sharedWindowAt(warp, i, lane, address);
  const std::uint64_t offset = address - window.base;
  if (window.bytes < TensorTile::kBytes || offset > window.bytes - TensorTile::kBytes) {
    failAtAddress(warp, i, lane, FaultKind::Address, address,
                  "16 bytes of a factor are at {:#x} of shared memory; expected them in {} bytes",
                  offset, window.bytes);
  }
  checkWritten(warp, i, window, address, lane, TensorTile::kBytes);
  return window.data + offset;
}

}  // namespace fermata::ptx
