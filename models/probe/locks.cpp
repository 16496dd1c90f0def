#include <fermata/models/probe/locks.h>

namespace fermata {

const Figures<LockCounters::Counts>& LockCounters::figures() {
  static const Figures<Counts> all{
      {"lock_tries", "lanes",
       "lanes of shared atomics that tried to get their lock, each time they did; empty where "
       "scratchpad.atomics is not locked",
       &Counts::tries},
      {"lock_failures_position", "lanes",
       "lock_tries lost to another lane of the warp in one try, for one word", &Counts::position},
      {"lock_failures_alias", "lanes",
       "lock_tries lost to another lane of the warp in one try, for another word", &Counts::alias},
      {"lock_failures_other_warp", "lanes", "lock_tries for a lock that another warp held",
       &Counts::otherWarp},
      {"atomic_rounds", "rounds", "rounds of warps through the loops of shared atomics",
       &Counts::rounds}};
  return all;
}

void LockCounters::Counts::add(const Counts& other) {
  tries += other.tries;
  position += other.position;
  alias += other.alias;
  otherWarp += other.otherWarp;
  rounds += other.rounds;
}

void LockCounters::locked(const LockEvent& event) {
  counts_.add(event.program, event.pc, [&](Counts& counts) {
    counts.tries += event.tries;
    counts.position += event.position;
    counts.alias += event.alias;
    counts.otherWarp += event.otherWarp;
    ++counts.rounds;
  });
}

}  // namespace fermata
