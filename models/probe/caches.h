// Counts hits and misses of the caches and requests to memory, and the wire that words switch in
// the crossbar: totals, and by instruction.
#pragma once

#include <array>

#include <fermata/models/probe/by_instruction.h>
#include <fermata/models/probe/figure.h>
#include <fermata/models/probe/probe.h>

namespace fermata {

class CacheCounters : public Probe {
 public:
  struct Counts {
    std::array<std::uint64_t, CacheEvent::kWhats> counts{};  ///< by CacheEvent::What

    void add(const Counts& other) {
      for (unsigned what = 0; what < CacheEvent::kWhats; ++what) counts[what] += other.counts[what];
    }
    std::uint64_t of(CacheEvent::What what) const { return counts[what]; }
    std::uint64_t l1Accesses() const { return of(CacheEvent::L1Hit) + of(CacheEvent::L1Miss); }
    std::uint64_t l2Accesses() const { return of(CacheEvent::L2Hit) + of(CacheEvent::L2Miss); }
  };

  static const Figures<Counts>& l1Figures();
  static const Figures<Counts>& l2Figures();
  static const Figures<Counts>& dramFigures();

  const ByInstruction<Counts>& counts() const { return counts_; }
  void reset() { counts_.reset(); }
  /// Adds the figures of another part of the chip. No event is a pair of one told by an SM and one
  /// told by memory, so parts can be counted apart.
  void add(const CacheCounters& other) { counts_.add(other.counts_); }
  /// Takes over the figures of one program of `whole`.
  void take(const CacheCounters& whole, std::uint32_t program) {
    counts_ = whole.counts_.only(program);
  }

  unsigned events() const override { return Grids | Caches; }
  void gridStarted(const Grid& grid, Cycle) override {
    counts_.prepare(grid.program, grid.instructionCount);
  }
  void cached(const CacheEvent& event) override {
    counts_.add(event.program, event.pc,
                [&](Counts& counts) { counts.counts[event.what] += event.count; });
  }

 private:
  ByInstruction<Counts> counts_;
};

/// Counts the wire that the words of accesses switch in a crossbar laid out as one grid, lanes
/// along one side and banks along the other (Diamond et al., Arbitrary Modulus Indexing, MICRO
/// 2014, section VII.D). The unit is the pitch of a word-wide link; lane 0 and bank 0 are next to
/// the corner. A word of bank b that some lanes get, lane m the farthest of them, takes
///
///   b + 1 pitches  on the row of each of the lanes
///   m + 1 pitches  on the column of the bank
class WireCounter : public Probe {
 public:
  struct Counts {
    std::uint64_t pitches = 0;

    void add(const Counts& other) { pitches += other.pitches; }
  };

  static const Figures<Counts>& figures();
  /// Returns the pitches of a try, for the lanes that it serves.
  static std::uint64_t pitches(const WarpAccess& access);

  const ByInstruction<Counts>& counts() const { return counts_; }
  void reset() { counts_.reset(); }
  /// Adds the figures of another multiprocessor.
  void add(const WireCounter& other) { counts_.add(other.counts_); }
  /// Takes over the figures of one program of `whole`.
  void take(const WireCounter& whole, std::uint32_t program) {
    counts_ = whole.counts_.only(program);
  }

  unsigned events() const override { return Grids | SharedTries | Caches; }
  void gridStarted(const Grid& grid, Cycle) override {
    counts_.prepare(grid.program, grid.instructionCount);
  }
  void sharedTry(const WarpAccess& access) override { count(access); }
  void l1Try(const WarpAccess& access) override { count(access); }

 private:
  static std::uint64_t pitches(const WarpAccess& access, LaneMask left);
  void count(const WarpAccess& access);
  ByInstruction<Counts> counts_;
};

}  // namespace fermata
