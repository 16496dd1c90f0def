// The instruction cache of a streaming multiprocessor: which lines of the program are present,
// which are under way, and which warps wait for them. With `bytes` = 0 nothing is modelled.
//
// A line takes its place when it comes. If all MSHRs are taken, a warp waits in a queue for one.
//
// With `prefetch` = n, the miss of a line and the first use of a line that was fetched ahead fetch
// those of the n lines behind it that are absent (tagged prefetch: Smith, "Cache Memories", ACM
// Computing Surveys 14(3), 1982). Straight code then has n lines under way:
//
//   line    0   1   2   3   4        n = 2, latency 40, a line lasts 8 cycles
//   asked   0   0   0  48  56        line 1 is used in cycle 48, which asks for line 3
//   used   40  48  56  88  96
//
// Lines fetched ahead have n buffers of their own and take no MSHR.
//
// With `constants`, the constants and parameters of a program lie in a line of their own behind it.
// It is fetched when the first instruction that reads them issues, without an MSHR, and stays.
//
// With `buffer` = n, a fetch brings n instructions to its warp. A warp fetches when they have
// issued, and behind a branch that leaves them. Those behind the first one come with it, also from
// another line, whose absence shows with the next fetch. The SM begins `fetches` per cycle; those
// that meet go in the order in which they are asked for. With n = 2 and a latency of 2, straight
// code of one warp issues in cycles 2, 3, 5, 6, 8, 9: the second issue of a pair begins the next
// fetch. If that issue is a branch that is taken, the fetch still takes what lies behind the
// branch, and the warp fetches again when it has come.
//
//   branch issues in cycle 9   first of its pair: fetch in 10, target issues in 12
//                              second: fetches in 9 and in 11, target issues in 13
#pragma once

#include <fermata/models/core/constant_tables.h>
#include <fermata/models/core/instruction_cache_parameters.h>
#include <fermata/models/transaction/instruction_memory.h>
#include <fermata/models/vocabulary/grid.h>
#include <fermata/models/vocabulary/slot_mask.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <vector>

namespace fermata {

class InstructionCache {
 public:
  using Parameters = InstructionCacheParameters;
  /// Address of the first program. Programs lie one behind the other, in the order of their first
  /// grids, behind the device's addresses, which have 32 bits.
  static constexpr std::uint64_t kBase = std::uint64_t{1} << 40;
  /// Number of the first line of the constant space. The lines lie behind all programs.
  static constexpr std::uint64_t kTables = std::uint64_t{1} << 40;

  explicit InstructionCache(const Parameters& parameters);

  bool exists() const { return parameters_.bytes != 0; }
  /// Returns which of `warps` slots from `first` on fetches first, if all begin to: fetches go
  /// round the slots, and begin behind slot 0.
  unsigned fetchesFirst(unsigned first, unsigned warps) const {
    if (parameters_.buffer == 0 || lastFetched_ < first || lastFetched_ + 1 >= first + warps)
      return first;
    return lastFetched_ + 1;
  }
  /// True if constants are absent until they are asked for.
  bool fetchesConstants() const { return parameters_.constants; }
  /// Sets where lines come from. Call it before the first workload, if exists().
  void connect(InstructionMemory& memory) { memory_ = &memory; }
  /// Forgets all programs, lines and waiting warps, for a new workload.
  void clear();
  /// Lays out the grid's program, if it is new. beginGrid() does it, too.
  void layOut(const Grid& grid);
  /// Lays out the grid's program, if it is new, and brings its first lines into the cache, as far
  /// as the parameters say.
  void beginGrid(const Grid& grid);

  /// Looks up instruction `pc` of the program, in cycle `now`, for the warp of `slot`, which can
  /// issue it from `notBefore` on. Returns that cycle, or kNever if the warp waits for the line.
  Cycle fetch(unsigned slot, std::uint32_t program, std::uint32_t pc, Cycle notBefore, Cycle now) {
    if (parameters_.buffer != 0 && takeBuffered(slot, program, pc)) return notBefore;
    const std::uint64_t number = (programs_[program].begin + pc) >> pcShift_;
    Line* line = &lines_[last_[slot]];
    if (line->number != number) {
      line = find(number);
      if (line == nullptr) {
        waits_[slot] = {program, pc, notBefore};
        miss(slot, number, now);
        return kNever;
      }
      last_[slot] = static_cast<std::uint32_t>(line - lines_.data());
    }
    line->used = ++clock_;
    if (line->ahead) {
      line->ahead = false;
      runAhead(program, number, now);
    }
    return parameters_.buffer == 0 ? notBefore : buffered(slot, program, pc, notBefore, now);
  }
  /// True if the constants of the program are here. Otherwise asks for them, for instruction `pc`;
  /// fetched() takes them.
  bool askConstants(std::uint32_t program, std::uint32_t pc, Cycle now);
  /// True if lines of the constant space are absent until they are asked for.
  bool fetchesTables() const { return parameters_.constants && tables_.exist(); }
  bool hasTable(std::uint64_t line) const { return tables_.has(line); }
  /// Asks for a line of the constant space, for instruction `pc`.
  ConstantTables::Answer askTable(std::uint64_t line, std::uint32_t program, std::uint32_t pc,
                                  Cycle now) {
    const ConstantTables::Answer answer = tables_.ask(line);
    if (answer == ConstantTables::Answer::Asked)
      memory_->fetch({(kTables + line) << lineShift_, program, pc}, now);
    return answer;
  }
  /// Takes the line at `address` in cycle `now`. Calls `ready(slot, cycle)` for each warp that has
  /// its instruction now: it can issue it from that cycle on.
  template <class Ready>
  void fetched(std::uint64_t address, Cycle now, Ready ready) {
    if (fetchesTables() && tables_.arrive((address >> lineShift_) - kTables)) return;
    for (SlotMask slots = arrive(address >> lineShift_); slots != 0; slots &= slots - 1)
      lookAgain(lowestSlot(slots), now, ready);
    while (!queue_.empty() && misses_ < parameters_.mshrs) {
      const unsigned slot = queue_.front();
      queue_.pop_front();
      lookAgain(slot, now, ready);
    }
  }
  /// True if the warp of the slot waits.
  bool waits(unsigned slot) const { return (waiting_ & slotBit(slot)) != 0; }
  bool anyWaits() const { return waiting_ != 0; }
  /// Lets the warp issue its instruction no sooner than in cycle `at`. Precondition: it waits.
  void delay(unsigned slot, Cycle at) {
    waits_[slot].notBefore = std::max(waits_[slot].notBefore, at);
  }

 private:
  struct Line {
    std::uint64_t number = ~std::uint64_t{0};
    std::uint64_t used = 0;
    bool ahead = false;  ///< fetched ahead, and not used yet
  };
  struct Flight {
    std::uint64_t number;
    SlotMask waiting;
    bool ahead;              ///< holds a buffer of the prefetcher, no MSHR
    bool constants = false;  ///< holds neither
    unsigned parts = 1;      ///< that have not come
  };
  struct Program {
    std::uint64_t begin = 0;  ///< number of its first instruction, counted from address 0
    std::uint64_t first = 0;  ///< number of its first line
    std::uint64_t lines = 0;
    std::uint64_t constants = 0;  ///< number of the line with its constants
    bool constantsHere = false;
  };

  /// Instruction that a warp waits for.
  struct Wait {
    std::uint32_t program = 0;
    std::uint32_t pc = 0;
    Cycle notBefore = 0;
  };

  /// Instructions that a warp has fetched and not issued: `next` to `end`, without the latter.
  struct Buffer {
    std::uint32_t program = 0;
    std::uint32_t next = 0;
    std::uint32_t end = 0;
  };

  /// Fetches that begin in a cycle.
  struct Places {
    Cycle cycle = 0;
    unsigned taken = 0;
  };

  /// Takes instruction `pc` out of the warp's buffer; its line need not be here. Returns false if
  /// the buffer has another one, or none.
  bool takeBuffered(unsigned slot, std::uint32_t program, std::uint32_t pc) {
    Buffer& buffer = buffers_[slot];
    if (buffer.program != program || buffer.next != pc || pc >= buffer.end) return false;
    ++buffer.next;
    return true;
  }
  /// Returns the cycle, `notBefore` or later, in which the warp has fetched instruction `pc` of a
  /// present line, and those behind it, into its buffer.
  Cycle buffered(unsigned slot, std::uint32_t program, std::uint32_t pc, Cycle notBefore,
                 Cycle now) {
    Buffer& buffer = buffers_[slot];
    Cycle asked = now;
    if (buffer.program != program || buffer.next != pc) {
      const bool empty = buffer.next == buffer.end && pc != 0;
      asked = empty ? beginFetch(now) + parameters_.fetchLatency : now + 1;
    }
    buffer = {program, pc + 1, pc + parameters_.buffer};
    lastFetched_ = slot;
    return std::max(notBefore, beginFetch(asked) + parameters_.fetchLatency);
  }
  /// Takes a place of a fetch in the first cycle from `from` on that has one. Returns that cycle.
  Cycle beginFetch(Cycle from) {
    for (;; ++from) {
      Places& places = places_[from % places_.size()];
      if (places.cycle != from) places = {from, 0};
      if (places.taken == parameters_.fetches) continue;
      ++places.taken;
      return from;
    }
  }

  template <class Ready>
  void lookAgain(unsigned slot, Cycle now, Ready ready) {
    waiting_ &= ~slotBit(slot);
    const Wait wait = waits_[slot];
    const Cycle at = fetch(slot, wait.program, wait.pc, std::max(wait.notBefore, now), now);
    if (at != kNever) ready(slot, at);
  }
  Line* find(std::uint64_t number);
  Flight* underWay(std::uint64_t number);
  void miss(unsigned slot, std::uint64_t number, Cycle now);
  SlotMask arrive(std::uint64_t number);
  void place(std::uint64_t number, bool ahead);
  void takeConstants(std::uint64_t number);
  void runAhead(std::uint32_t program, std::uint64_t number, Cycle now);

  Parameters parameters_;
  ConstantTables tables_;
  unsigned lineShift_ = 0;  ///< log2 of the bytes of a line
  unsigned pcShift_ = 0;    ///< log2 of the instructions of a line
  std::uint64_t sets_;
  InstructionMemory* memory_ = nullptr;
  std::vector<Line> lines_;  ///< [set][way]
  std::vector<Flight> flights_;
  std::array<std::uint32_t, kMaxWarpSlots> last_{};  ///< the slot's last line: index in `lines_`
  unsigned misses_ = 0;                              ///< flights that hold an MSHR
  unsigned ahead_ = 0;                               ///< flights that hold a buffer
  std::deque<unsigned> queue_;                       ///< slots that wait for an MSHR
  std::vector<Program> programs_;                    ///< by Grid::program
  std::uint64_t end_ = 0;  ///< number of the first line behind all programs
  SlotMask waiting_ = 0;
  std::array<Wait, kMaxWarpSlots> waits_{};
  std::uint64_t clock_ = 0;
  std::array<Buffer, kMaxWarpSlots> buffers_{};
  unsigned lastFetched_ = 0;                        ///< slot that has fetched into its buffer last
  std::array<Places, 4 * kMaxWarpSlots> places_{};  ///< by cycle; a warp takes two ahead at most
};

}  // namespace fermata
