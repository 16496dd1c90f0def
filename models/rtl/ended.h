// RTL that ends the run by itself: a failed assertion, $error, $fatal, $stop or $finish.
#pragma once

#include <fermata/models/rtl/map_block.h>
#include <fermata/models/vocabulary/cycle.h>
#include <fermata/models/vocabulary/error.h>

#include <string>

namespace fermata::rtl {

/// Thrown when RTL first ends the run. what() names the file and line of the RTL and what it said.
/// A module with a block adds the block, the cycle, and what the lanes asked for (inBlock).
class RtlEnded : public BadInput {
 public:
  using BadInput::BadInput;
};

/// Returns "lane:what" of each lane, as in "0:32 1:33".
template <class Say>
std::string lanesText(LaneMask lanes, Say say) {
  std::string text;
  forEachLane(lanes, [&](unsigned lane) {
    text += (text.empty() ? "" : " ") + std::to_string(lane) + ":" + say(lane);
  });
  return text;
}

/// Work of a block when its RTL ended the run.
struct BlockAtWork {
  std::string block;
  Cycle cycle;
  std::string asked;  ///< request of the lanes; empty: none
};

/// Returns act(). If RTL ends the run in act(), throws RtlEnded with the BlockAtWork of atWork().
template <class Act, class AtWork>
decltype(auto) inBlock(Act act, AtWork atWork) {
  try {
    return act();
  } catch (const RtlEnded& ended) {
    const BlockAtWork work = atWork();
    throw RtlEnded("the RTL of the " + work.block + " ends the run in cycle " +
                   std::to_string(work.cycle) + ": " + ended.what() +
                   (work.asked.empty() ? "" : "; asked for " + work.asked));
  }
}

}  // namespace fermata::rtl
