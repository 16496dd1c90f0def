// Parameters of the load-store unit and its replay buffer. No SystemC.
#pragma once

#include <fermata/models/vocabulary/choice.h>

#include <cstdint>

namespace fermata {

/// Order among replays and new instructions.
enum class ReplayPriority : std::uint8_t {
  Old,  ///< replays before new instructions, in the order in which they came to the buffer
  Age,  ///< replays before new instructions, in the order in which the accesses first issued
  New,  ///< new instructions before replays
};

struct ReplayParameters {
  ReplayPriority priority = ReplayPriority::Old;
  /// Entries; 0: no limit. Each access needs an entry from its issue until it is known that the
  /// access leaves no lane. A full buffer holds up the issue of memory instructions.
  unsigned capacity = 0;
  unsigned latency = 0;    ///< least cycles from a try to the issue of the next try
  unsigned detection = 0;  ///< cycles from a try until the core knows its outcome
};

/// Ways of the memory instructions of each scheduler to the memory port (subcore_queues.h).
struct SubcoreParameters {
  unsigned queue = 0;     ///< instructions per scheduler between issue and port; 0: no such way
  unsigned latency = 10;  ///< cycles from issue to the port, for one that waits for nothing
  unsigned addressInterval =
      4;  ///< cycles from one calculation of addresses to the scheduler's next
  /// Cycles to hand over a register that an access reads; addressInterval is the least for each.
  unsigned registerInterval = 0;
  unsigned portInterval = 1;  ///< cycles from one instruction at the port to the next
  // Cycles from issue until a later instruction may write the registers that the access reads.
  unsigned sharedSources = 0;  ///< load from shared memory
  unsigned globalSources = 0;  ///< load from other memory
  unsigned storeSources = 0;   ///< in addition, store or atomic
  unsigned wideSources = 0;    ///< in addition, for each further 32 bits that a lane stores
};

struct LoadStoreParameters {
  /// Accesses per path that can wait before the memory port; 0: the issue stage waits instead.
  unsigned queue = 0;
  unsigned spacing = 0;       ///< least cycles from an access of a warp to its next one
  SubcoreParameters subcore;  ///< in the place of the queue above
  ReplayParameters replay;
};

template <>
inline constexpr NamedChoice<ReplayPriority> kChoices<ReplayPriority>[] = {
    {ReplayPriority::Old, "old"}, {ReplayPriority::Age, "age"}, {ReplayPriority::New, "new"}};

}  // namespace fermata
