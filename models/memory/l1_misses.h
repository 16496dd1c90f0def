// Lines that an L1 has asked memory for: the requests, the MSHRs with the accesses that wait, and
// the fills.
//
// A line under way has one MSHR, whatever is asked of it. With Fetch::Sectors a later access asks
// only for sectors that are not under way, and waits for those that are. Sectors side by side go as
// one request; a gap makes two of them. Each request costs the interconnect 8 bytes of address, a
// sector that nobody needs costs 32 there and a turn of the L2's port: so gaps are left out.
#pragma once

#include <fermata/models/memory/l1_events.h>
#include <fermata/models/memory/l1_parameters.h>
#include <fermata/models/memory/l1_sectors.h>
#include <fermata/models/memory/l1_tags.h>
#include <fermata/models/memory/l1_try.h>
#include <fermata/models/memory/line_requester.h>
#include <fermata/models/memory/mshr.h>

#include <vector>

namespace fermata {

class L1Misses {
 public:
  /// An access that waits for sectors of a line.
  struct Waiter {
    WarpAccess* access = nullptr;
    LaneMask lanes = 0;      ///< lanes that found their bytes absent
    SectorMask sectors = 0;  ///< sectors still under way; 0: all have come
    /// The MSHR holds what has come until the access has had it.
    bool held = false;
  };
  using Number = Mshrs<Waiter>::Number;
  static constexpr Number kNone = Mshrs<Waiter>::kNone;

  /// An answer of memory.
  struct Arrival {
    Number number = kNone;
    std::uint64_t line = 0;
    SectorMask sectors = 0;
    bool written = false;                 ///< some of it was written since it was asked for
    const std::uint8_t* bytes = nullptr;  ///< of the whole line, `sectors` valid; with `verify`
  };

  /// Everything referred to must outlive the misses.
  L1Misses(const L1CacheParameters& parameters, CacheArray& array, L1Sectors& sectors,
           const L1Tags& tags, LineRequester& requester, const L1Events& events);

  /// Requests what line `i` of the try lacks, except what is under way, and lets the access wait.
  /// False, and nothing has changed: the line takes no waiter, or no MSHR or frame is free.
  bool request(const L1Try& t, unsigned i, const Absent& absent);
  /// Records that a store changed the line in the frame. False: such a store goes to memory, and
  /// nothing has changed.
  bool keepChange(const WarpAccess& access, CacheArray::Frame frame);
  /// Forgets what stores have changed: the lines are gone.
  void forgetChanges() { changed_.clear(); }
  /// Opens a read of sectors from the first to the last of the mask.
  tlm::tlm_generic_payload& openRead(std::uint64_t line, SectorMask sectors);
  /// Bytes of the line were stored: data under way are older.
  void written(std::uint64_t line, const TouchedBytes& bytes);
  /// The line was dropped for a write: data under way are older.
  void dropped(std::uint64_t line);
  /// Returns the MSHR of a line under way that stores leave alone; kNone: there is none.
  Number passed(std::uint64_t line) const { return passesStores() ? mshrs_.find(line) : kNone; }
  /// A store changed byte `at` of the line under way: it is newer than what comes.
  void store(Number number, std::uint32_t at, std::uint8_t value) {
    requests_[number].stored.push_back({at, value});
  }
  /// Puts what has come into the array, and off what its waiters wait for.
  Arrival fill(const tlm::tlm_generic_payload& payload, Cycle now);
  /// Returns the bytes of a line, of which the payload has some.
  const std::uint8_t* bytesOf(const tlm::tlm_generic_payload& payload);

  /// Returns the MSHR of the line; kNone: it has none.
  Number find(std::uint64_t line) const { return mshrs_.find(line); }
  bool none() const { return mshrs_.taken() == 0; }
  /// The accesses that wait for the line.
  std::vector<Waiter>& waiters(Number number) { return mshrs_.at(number).waiters; }
  /// Returns how the access waits for the line; null: it does not.
  Waiter* waiter(std::uint64_t line, const WarpAccess& access);
  /// True if nobody waits for the line and nothing of it is under way.
  bool isOver(Number number) { return requests_[number].underWay == 0 && waiters(number).empty(); }
  void free(Number number) { mshrs_.free(number); }

 private:
  /// Sectors under way for an MSHR.
  struct Requests {
    SectorMask underWay = 0;
    SectorMask overwritten = 0;  ///< under way, and comes too old for the cache
    struct Byte {
      std::uint32_t at;
      std::uint8_t value;
    };
    std::vector<Byte> stored;  ///< with `verify`, of the line under way
  };

  static constexpr std::uint64_t kNoLine = ~std::uint64_t{0};

  bool passesStores() const { return parameters_.storesPass && parameters_.fetch == Fetch::Line; }
  bool mayJoin(Number number, const WarpAccess& access, const Absent& absent);
  bool reserveFrame(std::uint64_t line);
  void writeBack(const L1Try& t, CacheArray::Frame frame);
  void send(const L1Try& t, std::uint64_t line, SectorMask sectors);
  void install(const Arrival& arrival, SectorMask kept, const LineRequest& request, Cycle now);

  const L1CacheParameters& parameters_;
  CacheArray& array_;
  L1Sectors& sectors_;
  const L1Tags& tags_;
  LineRequester& requester_;
  const L1Events& events_;
  Mshrs<Waiter> mshrs_;
  std::vector<Requests> requests_;     ///< by MSHR
  std::vector<std::uint8_t> line_;     ///< with `verify`: bytes of a line that came in part
  std::vector<std::uint8_t> changed_;  ///< by frame, as far as one was: not 0 if stores changed it
  std::uint64_t evicted_ = kNoLine;    ///< changed line whose frame the request at hand has taken
};

}  // namespace fermata
