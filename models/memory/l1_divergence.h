// How an L1 treats the lanes of a try whose line is absent: L1Cache::Parameters::divergence. Each
// way is a class of its own: l1_wait.cpp, l1_replay.cpp.
#pragma once

#include <fermata/models/memory/l1_parts.h>

#include <memory>

namespace fermata {

class L1Divergence {
 public:
  /// Lets waiting accesses get on.
  class Waker {
   public:
    virtual ~Waker() = default;
    /// Data that the access waited for are there in cycle `at`.
    virtual void arrived(WarpAccess& access, Cycle at) = 0;
    /// Sends TRY_AGAIN.
    virtual void tryAgain(WarpAccess& access) = 0;
  };
  enum class Result : std::uint8_t {
    Served,   ///< no lane is left; the data are there in cycle L1Try::data
    Left,     ///< lanes are left, as is known in cycle L1Try::known
    Pending,  ///< no lane is left; more data are under way
    Stalled   ///< an MSHR, or a line on its way, must come free: serve the try again then
  };

  virtual ~L1Divergence() = default;
  virtual Result serve(L1Try& t) = 0;
  /// Serves the accesses that wait for what has come and been filled.
  virtual void filled(const L1Misses::Arrival& arrival, Cycle now) = 0;
};

std::unique_ptr<L1Divergence> makeL1Wait(L1Parts& parts, L1Divergence::Waker& waker);
std::unique_ptr<L1Divergence> makeL1Replay(L1Parts& parts, L1Divergence::Waker& waker);

}  // namespace fermata
