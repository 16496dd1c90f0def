// Runs a workload without timing, with the warps of resident CTAs in a chosen order.
#pragma once

#include <fermata/models/vocabulary/workload.h>

#include "tests/support/test.h"

namespace fermata::test {

enum class Order {
  RoundRobin,  ///< one instruction per warp, in turn
  Greedy,      ///< one warp until it must stop
  Reverse,     ///< one instruction per warp, last slot first
  Random,      ///< any warp that can run, by a seed
};

struct RunOptions {
  Order order = Order::RoundRobin;
  unsigned residentCtas = 2;
  std::uint64_t seed = 1;
  bool honourBarriers = true;  ///< false: barriers stop no warp
};

inline RunOptions options(Order order, unsigned residents) {
  return {order, residents, 1, false};
}
inline RunOptions anyOrder() {
  return options(Order::RoundRobin, 2);
}

/// Executed instructions as texts, by grid, CTA and warp.
using Streams = std::map<std::tuple<unsigned, std::uint64_t, unsigned>, std::vector<std::string>>;

struct RunResult {
  Streams streams;
  std::vector<std::string> grids;
  std::uint64_t instructions = 0;
};

/// Returns all facts of an execution as text: the static instruction, then what it added.
std::string describe(const StaticInstruction& instruction, const WarpInstruction& executed);
std::string describe(const Grid& grid);
/// Returns the programs and their texts as one text.
std::string describePrograms(const Workload& workload);

/// Calls `seen(static, executed, cta, warp)` for each instruction.
template <typename Seen>
void runInterleaved(Workload& workload, const RunOptions& options, Seen seen);

/// Runs the whole workload and keeps the executed instructions. Asynchronous copies are stored
/// while their warp goes on, out of order.
RunResult record(Workload& workload, const RunOptions& options);

/// The resident CTAs of a run, and which slots may execute.
class Residents {
 public:
  Residents(Workload& workload, const RunOptions& options);

  /// Begins the next launch and returns it; nullptr after the last.
  const Grid* begin();
  /// Returns the slot to execute next, or -1 when the grid has ended. Places and ends CTAs.
  int pick();
  /// Call after each execution of a slot.
  void executed(unsigned slot, const StaticInstruction& instruction);
  std::uint64_t ctaOf(unsigned slot) const { return ctas_[slot / warps_].number; }
  unsigned warpOf(unsigned slot) const { return slot % warps_; }
  /// Number of slots that suffices for every grid here.
  static constexpr unsigned kSlots = 64;

 private:
  struct Cta {
    bool resident = false;
    std::uint64_t number = 0;
    std::uint32_t waiting = 0;  ///< bit per warp: waits at the barrier
    std::uint32_t exited = 0;
  };
  void refill();
  bool canRun(unsigned slot);
  void settle(Cta& cta, unsigned first);
  std::uint64_t random();

  Workload& workload_;
  RunOptions options_;
  const Grid* grid_ = nullptr;
  unsigned warps_ = 1;
  std::uint64_t nextCta_ = 0;
  std::vector<Cta> ctas_;
  unsigned last_ = 0;
  std::uint64_t state_;
};

template <typename Seen>
void runInterleaved(Workload& workload, const RunOptions& options, Seen seen) {
  Residents residents(workload, options);
  WarpInstruction out;
  while (residents.begin() != nullptr) {
    for (int slot = residents.pick(); slot >= 0; slot = residents.pick()) {
      const auto chosen = static_cast<unsigned>(slot);
      const StaticInstruction instruction = *workload.peek(chosen);
      workload.execute(chosen, out);
      seen(instruction, out, residents.ctaOf(chosen), residents.warpOf(chosen));
      residents.executed(chosen, instruction);
    }
  }
}

}  // namespace fermata::test
