// Runs a workload without timing: warps of resident CTAs in an order of choice.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <fermata/models/core/workload.h>

namespace fermata::test {

enum class Order {
  RoundRobin,  ///< one instruction a warp in turn
  Greedy,      ///< a warp until it must stop
  Reverse,     ///< one instruction a warp in turn, last slot first
  Random,      ///< any warp that can run, by seed
};

struct RunOptions {
  Order order = Order::RoundRobin;
  unsigned residentCtas = 2;
  std::uint64_t seed = 1;
  bool honourBarriers = true;  ///< false: a barrier is an instruction like any other
};

/// What a warp executed, one text an instruction, by grid, CTA and warp.
using Streams = std::map<std::tuple<unsigned, std::uint64_t, unsigned>, std::vector<std::string>>;

struct RunResult {
  Streams streams;
  std::vector<std::string> grids;
  std::uint64_t instructions = 0;
};

/// Everything that an execution says, as text: the static instruction, then what it added.
std::string describe(const StaticInstruction& instruction, const WarpInstruction& executed);
std::string describe(const Grid& grid);
/// Programs and their texts.
std::string describePrograms(const Workload& workload);

/// Calls `seen(static, executed, cta, warp)` for each instruction.
template <typename Seen>
void runInterleaved(Workload& workload, const RunOptions& options, Seen seen);

/// Runs all of it and keeps what was executed. Asynchronous copies are stored while the warp goes
/// on, in an order that is not that in which they began.
RunResult record(Workload& workload, const RunOptions& options);

/// Residents of a run: which slots may go.
class Residents {
 public:
  Residents(Workload& workload, const RunOptions& options);

  /// The next launch; nullptr behind the last.
  const Grid* begin();
  /// A slot that executes next, or -1 when the grid has ended. Places and ends CTAs on the way.
  int pick();
  /// To be told after each execution of a slot.
  void executed(unsigned slot, const StaticInstruction& instruction);
  std::uint64_t ctaOf(unsigned slot) const { return ctas_[slot / warps_].number; }
  unsigned warpOf(unsigned slot) const { return slot % warps_; }
  /// Slots that any grid here may need.
  static constexpr unsigned kSlots = 64;

 private:
  struct Cta {
    bool resident = false;
    std::uint64_t number = 0;
    std::uint32_t waiting = 0;  ///< bit: warp waits at the barrier
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
