// Execution pipelines: which take an instruction of which class, how often, and how long it lasts.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include <fermata/models/timing/clock_domain.h>
#include <fermata/models/transaction/warp_instruction.h>

namespace fermata {

enum class PipelineKind : std::uint8_t { Alu, Special, Double, Memory };
inline constexpr unsigned kPipelineKinds = 4;

/// Latency: cycles from issue to a dependent issue. Interval: cycles until the same unit takes the
/// next.
struct ClassTiming {
  unsigned latency = 9;
  unsigned interval = 1;
};

struct PipelineParameters {
  std::array<unsigned, kPipelineKinds> units{2, 1, 1, 1};  ///< by PipelineKind; one memory port
  /// By InstructionClass; Memory is not used. Fermi's, as in platforms/gtx480.toml, where their
  /// sources are.
  std::array<ClassTiming, kInstructionClasses> timing{
      {{9, 1}, {9, 1}, {18, 4}, {13, 4}, {9, 1}, {1, 1}, {1, 1}, {1, 1}}};
};

/// The pipeline that an instruction of a class goes to.
constexpr PipelineKind pipelineOf(InstructionClass instructionClass) {
  switch (instructionClass) {
    case InstructionClass::Special:
      return PipelineKind::Special;
    case InstructionClass::Double:
      return PipelineKind::Double;
    case InstructionClass::Memory:
      return PipelineKind::Memory;
    default:
      return PipelineKind::Alu;
  }
}

/// Units as "next free cycle" integers.
class Pipelines {
 public:
  explicit Pipelines(const PipelineParameters& parameters) : parameters_(parameters) {
    for (unsigned kind = 0; kind < kPipelineKinds; ++kind) {
      units_[kind].assign(std::max(1U, parameters.units[kind]), 0);
    }
  }

  /// First cycle in which a unit of the kind takes an instruction.
  Cycle free(PipelineKind kind) const { return free_[static_cast<unsigned>(kind)]; }
  const ClassTiming& timing(InstructionClass instructionClass) const {
    return parameters_.timing[static_cast<unsigned>(instructionClass)];
  }
  /// Every unit of the kind is free from `at` on, and not before.
  void setFree(PipelineKind kind, Cycle at) {
    std::vector<Cycle>& units = units_[static_cast<unsigned>(kind)];
    std::fill(units.begin(), units.end(), at);
    free_[static_cast<unsigned>(kind)] = at;
  }
  /// Takes the unit that is free first, for `interval` cycles from `now`.
  void take(PipelineKind kind, Cycle now, Cycle interval) {
    std::vector<Cycle>& units = units_[static_cast<unsigned>(kind)];
    *std::min_element(units.begin(), units.end()) = now + interval;
    free_[static_cast<unsigned>(kind)] = *std::min_element(units.begin(), units.end());
  }

 private:
  PipelineParameters parameters_;
  std::array<std::vector<Cycle>, kPipelineKinds> units_;
  std::array<Cycle, kPipelineKinds> free_{};
};

}  // namespace fermata
