// Lines that an L1 has asked memory for: the requests, the MSHRs with the accesses that wait, and
// the fills.
#pragma once

#include <fermata/models/memory/l1_events.h>
#include <fermata/models/memory/l1_parameters.h>
#include <fermata/models/memory/l1_tags.h>
#include <fermata/models/memory/l1_try.h>
#include <fermata/models/memory/line_requester.h>
#include <fermata/models/memory/mshr.h>

#include <vector>

namespace fermata {

class L1Misses {
 public:
  using Number = Mshrs<WarpAccess*>::Number;
  static constexpr Number kNone = Mshrs<WarpAccess*>::kNone;

  /// Everything referred to must outlive the misses.
  L1Misses(const L1CacheParameters& parameters, CacheArray& array, const L1Tags& tags,
           LineRequester& requester, const L1Events& events);

  /// Requests line `i` of the try, or joins the accesses that wait for it. False: the line takes no
  /// waiter, or no MSHR or frame is free.
  bool request(const L1Try& t, unsigned i);
  /// Opens a read of the whole line.
  tlm::tlm_generic_payload& openRead(std::uint64_t line);
  /// The line was written: data under way are older.
  void written(std::uint64_t line);
  /// Takes the line that has come. Returns its MSHR.
  Number fill(const tlm::tlm_generic_payload& payload, Cycle now);

  /// Returns the MSHR of the line; kNone: it has none.
  Number find(std::uint64_t line) const { return mshrs_.find(line); }
  bool none() const { return mshrs_.taken() == 0; }
  /// The accesses that wait for the line.
  std::vector<WarpAccess*>& waiters(Number number) { return mshrs_.at(number).waiters; }
  bool waits(Number number, const WarpAccess& access);
  bool isOverwritten(Number number) const { return states_[number] == State::Overwritten; }
  bool isHeld(Number number) const { return states_[number] == State::Held; }
  /// The line has come: its MSHR holds it for the waiters until free().
  void hold(Number number) { states_[number] = State::Held; }
  void free(Number number) { mshrs_.free(number); }

 private:
  enum class State : std::uint8_t {
    Requested,
    Overwritten,  ///< requested, and written since: it comes too old for the cache
    Held          ///< has come; waiters that must not lose it take it from the MSHR
  };

  bool join(Number number, const L1Try& t, std::uint64_t line);
  bool reserveFrame(std::uint64_t line);
  void install(const tlm::tlm_generic_payload& payload, Cycle now);

  const L1CacheParameters& parameters_;
  CacheArray& array_;
  const L1Tags& tags_;
  LineRequester& requester_;
  const L1Events& events_;
  Mshrs<WarpAccess*> mshrs_;
  std::vector<State> states_;  ///< by MSHR
};

}  // namespace fermata
