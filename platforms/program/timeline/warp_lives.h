// The warps of a multiprocessor over time: what each waits for, when it issues, what of it is under
// way. A track a warp slot, of slices that follow each other, and the lives of its instructions.
//
//   wait operands   a register, a branch's target, an instruction to be fetched
//   wait memory     data of an access, or its turn behind one
//   wait port       it has its operands and accesses memory: the port is held, or others go first
//   wait unit       the same of an instruction that computes
//   barrier N       it has arrived there
//   (an opcode)     the cycle in which it issues
#pragma once

#include <fermata/models/core/slot_mask.h>
#include <fermata/models/probe/probe.h>
#include <fermata/platforms/program/timeline/instruction_names.h>

#include <array>
#include <optional>
#include <vector>

namespace fermata::platforms {

/// Cycles are those of the run. A state that begins and ends in one cycle is left out, so what is
/// there in a cycle is said when it is over: settle() comes before what happens in a cycle.
class WarpLives {
 public:
  using Stream = results::timeline::Stream;
  using TrackId = results::timeline::TrackId;

  /// `group`: of the tracks; `first`: of the numbers that its instructions get.
  WarpLives(Stream& stream, InstructionNames& names, TrackId group, unsigned slots,
            std::uint64_t first);

  void settle(Cycle now);
  void waits(const WaitEvent& event, std::uint32_t program, Cycle now, Cycle ready);
  void waitsAtBarrier(unsigned slot, unsigned barrier, Cycle now);
  /// The next issue of the warp is that of an access.
  void requested(unsigned slot, std::uint64_t flow) { warps_[slot].requested = flow; }
  void issued(const IssueEvent& event);
  /// Another try of an access.
  void retried(unsigned slot, std::uint64_t flow, Cycle now);
  void completed(unsigned slot, const StaticInstruction& instruction, Cycle at);
  void exited(unsigned slot, Cycle now);

 private:
  enum class State : std::uint8_t { None, Operands, Memory, Port, Unit, Barrier };
  static constexpr unsigned kStates = 6;

  struct UnderWay {
    std::uint32_t pc;
    std::uint64_t line;
    std::uint64_t flow;  ///< of an access; 0: none
    Cycle issued;
  };
  struct Warp {
    TrackId track = 0;
    State state = State::None;
    bool begun = false;  ///< the slice of the state is there
    Cycle since = 0;     ///< the state is there
    Cycle ready = 0;     ///< of Operands, Memory: until
    const StaticInstruction* next = nullptr;
    std::uint32_t program = 0;
    Cycle busyUntil = 0;     ///< it has issued in the cycle before
    Cycle memoryUntil = 0;   ///< latest data that are known to come
    unsigned barrier = 0;    ///< number of it
    std::uint64_t line = 0;  ///< of the next instruction; 0: not there yet
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
  SlotMask unsettled_ = 0;  ///< slots whose state is not begun, or will change by itself
  std::uint64_t lines_;
  std::array<results::timeline::Text, kStates> stateNames_{};
  // Stages of instructions, and the instant of a response.
  std::array<results::timeline::Text, kStates> waitStages_{};
  results::timeline::Text issue_ = stream_.text("Is");
  results::timeline::Text compute_ = stream_.text("X");
  results::timeline::Text memory_ = stream_.text("M");
  results::timeline::Text barrier_ = stream_.text("Ba");
  results::timeline::Text replay_ = stream_.text("Rp");
  results::timeline::Text response_ = stream_.text("response");
};

}  // namespace fermata::platforms
