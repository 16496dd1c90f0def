// Copies by a tensor map of a pair of CTAs (cp.async.bulk.tensor with .cta_group::2). The mbarrier
// may be that of either CTA.
#include <fermata/stimuli/ptx/bulk_copies.h>
#include <fermata/stimuli/ptx/clusters.h>
#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/executor_state.h>

namespace fermata::ptx {

// The bytes of a multicast to both CTAs of a pair count twice at its mbarrier.
void executePairCompletion(Warp& warp, const Instruction& i, LaneMask mask) {
  executeCompletion(warp, i, mask);
  const unsigned ctas = warp.machine->clusterCtas;
  if (ctas % 2 != 0)
    failAt(warp, i, firstLane(mask), "a pair of CTAs in a cluster of {}; expected an even number",
           ctas);
  PendingCopy& copy = warp.copies.pending.newest();
  for (const unsigned lane : lanesIn(mask)) {
    if (copy.ctas[lane] == 0) continue;
    constexpr unsigned kFirsts = 0x5555;
    const unsigned even = copy.ctas[lane] & kFirsts, odd = copy.ctas[lane] >> 1 & kFirsts;
    if ((even & odd) != 0 && even != odd)
      failAt(warp, i, lane,
             "a multicast to the CTAs of mask {:#x}; expected one or both of each pair",
             unsigned{copy.ctas[lane]});
    if (even == odd) copy.bytes[lane] *= 2;
    copy.ctas[lane] = static_cast<std::uint16_t>(even | odd);
  }
}

}  // namespace fermata::ptx
