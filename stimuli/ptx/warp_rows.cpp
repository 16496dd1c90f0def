// Fills the rows that differ from warp to warp when a CTA starts.
#include <fermata/stimuli/ptx/executor_state.h>

#include <algorithm>

namespace fermata::ptx {
namespace {

/// Finds the places in the block, by dimension and lane, of the threads from `first` on. Divides
/// once: short CTAs start often.
void findThreads(const Dim3& block, std::uint32_t first, std::uint32_t (&places)[3][kWarpLanes]) {
  std::uint32_t x = first % block.x, y = first / block.x % block.y, z = first / block.x / block.y;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    places[0][lane] = x;
    places[1][lane] = y;
    places[2][lane] = z;
    if (++x < block.x) continue;
    x = 0;
    if (++y < block.y) continue;
    y = 0;
    ++z;
  }
}

bool readsPlace(const KernelCode& code) {
  return code.warpRows[static_cast<unsigned>(WarpRow::SmId)] != kUnusedRow ||
         code.warpRows[static_cast<unsigned>(WarpRow::NsmId)] != kUnusedRow;
}

}  // namespace

void Executor::State::fillWarpRows(const Warp& warp) const {
  const Dim3 &block = machine.launch.block, &cluster = machine.cluster;
  const Dim3& at = warp.cta->index;
  const ModelState* const model = readsPlace(*machine.code) ? machine.model : nullptr;
  const unsigned slot = warp.cta->firstSlot;
  const std::uint32_t values[kWarpRows] = {0,  // in the order of WarpRow
                                           0,
                                           0,
                                           at.x,
                                           at.y,
                                           at.z,
                                           warp.indexInCta,
                                           at.x % cluster.x,
                                           at.y % cluster.y,
                                           at.z % cluster.z,
                                           at.x / cluster.x,
                                           at.y / cluster.y,
                                           at.z / cluster.z,
                                           warp.cta->rank,
                                           model == nullptr ? 0 : model->multiprocessorOf(slot),
                                           model == nullptr ? 1 : model->multiprocessors()};
  std::uint32_t places[3][kWarpLanes];
  findThreads(block, warp.indexInCta * kWarpLanes, places);
  for (unsigned which = 0; which < kWarpRows; ++which) {
    const Row row = machine.code->warpRows[which];
    if (row == kUnusedRow) continue;
    std::uint32_t* const to = rowOf<std::uint32_t>(warp, row);
    if (which < static_cast<unsigned>(WarpRow::CtaidX)) {
      std::copy_n(places[which], kWarpLanes, to);
    } else {
      std::fill_n(to, kWarpLanes, values[which]);
    }
  }
}

}  // namespace fermata::ptx
