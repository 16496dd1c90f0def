// Parts of wmma loads and stores, besides plain loads and stores.
#include <cstring>

#include <fermata/stimuli/ptx/matrix_ops.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {

void executeTileAddress(Warp& warp, const Instruction& i, LaneMask mask) {
  if (!isWholeWarp(warp, i, mask)) return;
  const std::uint32_t* stride = rowOf<std::uint32_t>(warp, i.b);
  const bool lanesAcross = i.tile.lanesAcross;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    const unsigned x = lane / 4, y = lane % 4 * i.elements;
    const std::uint64_t elements = lanesAcross ? x + std::uint64_t{y + i.tile.at} * stride[lane]
                                               : std::uint64_t{x + i.tile.at} * stride[lane] + y;
    const std::uint64_t address =
        laneValue(warp, i.a, i.wideBase, lane) + elements * i.tile.elementBits / 8;
    if (i.wideData) {
      rowOf<std::uint64_t>(warp, i.d)[lane] = address;
    } else {
      rowOf<std::uint32_t>(warp, i.d)[lane] = static_cast<std::uint32_t>(address);
    }
  }
}

void executeCopiedLoad(Warp& warp, const Instruction& i, LaneMask mask) {
  i.inner(warp, i, mask);
  for (unsigned copy = 1; copy <= i.copies; ++copy)
    std::memcpy(rowBytes(warp, i.vector[copy]), rowBytes(warp, i.vector[0]), kRowBytes);
}

}  // namespace fermata::ptx
