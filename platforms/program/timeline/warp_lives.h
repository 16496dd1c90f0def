// The warps of a multiprocessor over time: the reason of each wait, each issue, and the
// instructions under way. There is one track per warp slot with consecutive slices, and one line
// per instruction.
//
//   wait operands   a register, a branch's target, or an instruction fetch
//   wait memory     data of an access, or a turn behind another access
//   wait port       operands ready, memory instruction: port held, or others go first
//   wait unit       operands ready, arithmetic instruction: unit held, or others go first
//   barrier N       arrived at barrier N
//   (an opcode)     the cycle of its issue
#pragma once

#include <fermata/models/probe/probe.h>
#include <fermata/models/vocabulary/slot_mask.h>
#include <fermata/platforms/program/timeline/instruction_names.h>

#include <array>
#include <optional>
#include <vector>

namespace fermata::platforms {

/// Cycles are those of the run. A state that begins and ends in one cycle is left out, so the state
/// of a cycle is written only when the cycle is over: call settle() before the events of a cycle.
class WarpLives {
 public:
  using Stream = results::timeline::Stream;
  using TrackId = results::timeline::TrackId;

  /// `group`: parent of the tracks; `first`: first number for its instructions.
  WarpLives(Stream& stream, InstructionNames& names, TrackId group, unsigned slots,
            std::uint64_t first);

  void settle(Cycle now);
  void waits(const WaitEvent& event, std::uint32_t program, Cycle now, Cycle ready);
  void waitsAtBarrier(unsigned slot, unsigned barrier, Cycle now);
  /// Says that the warp's next issue is that of an access.
  void requested(unsigned slot, std::uint64_t flow) { warps_[slot].requested = flow; }
  void issued(const IssueEvent& event);
  /// Adds a replay of an access.
  void retried(unsigned slot, std::uint64_t flow, Cycle now);
  void completed(unsigned slot, const StaticInstruction& instruction, Cycle at);
  void exited(unsigned slot, Cycle now);

 private:
  enum class State : std::uint8_t { None, Operands, Memory, Port, Unit, Barrier };
  static constexpr unsigned kStates = 6;

  struct UnderWay {
    std::uint32_t pc;
    std::uint64_t line;
    std::uint64_t flow;  ///< number of the access's flow; 0: no access
    Cycle issued;
  };
  struct Warp {
    TrackId track = 0;
    State state = State::None;
    bool begun = false;  ///< the slice of the state is written
    Cycle since = 0;     ///< first cycle of the state
    Cycle ready = 0;     ///< Operands, Memory: end of the state
    const StaticInstruction* next = nullptr;
    std::uint32_t program = 0;
    Cycle busyUntil = 0;     ///< end of the issue slice; issue was the cycle before
    Cycle memoryUntil = 0;   ///< latest known arrival of data
    unsigned barrier = 0;    ///< number of the barrier
    std::uint64_t line = 0;  ///< line of the next instruction; 0: none yet
    std::uint64_t requested = 0;
    std::vector<UnderWay> underWay;
    std::optional<UnderWay> atBarrier;  ///< its line ends when the warp goes on
  };

  void change(Warp& warp, State state, Cycle from);
  void settle(Warp& warp, Cycle now);
  void begin(Warp& warp);
  void endState(Warp& warp, Cycle at);
  void openLine(Warp& warp, Cycle at);
  void stage(const Warp& warp, std::uint64_t line, results::timeline::Text name, Cycle at);
  void closeLine(const Warp& warp, std::uint64_t line, Cycle at);
  static bool waitsForMemory(const Warp& warp, Cycle ready);
  static State readyState(const StaticInstruction* next);
  results::timeline::Text nameOf(const Warp& warp);

  Stream& stream_;
  InstructionNames& names_;
  std::vector<Warp> warps_;
  /// Slots with a state not written yet, or due to change without an event.
  SlotMask unsettled_ = 0;
  std::uint64_t lines_;
  std::array<results::timeline::Text, kStates> stateNames_{};
  // Names of the stages of instructions, and of the instant of a response.
  std::array<results::timeline::Text, kStates> waitStages_{};
  results::timeline::Text issue_ = stream_.text("Is");
  results::timeline::Text compute_ = stream_.text("X");
  results::timeline::Text memory_ = stream_.text("M");
  results::timeline::Text barrier_ = stream_.text("Ba");
  results::timeline::Text replay_ = stream_.text("Rp");
  results::timeline::Text response_ = stream_.text("response");
};

}  // namespace fermata::platforms
