// The parts of a trace that it states once: programs, their instructions and texts, and the grids
// that run them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fermata/models/vocabulary/workload.h>
#include <fermata/stimuli/traces/csv_rows.h>

namespace fermata::traces {

/// The static part of a kernel. Each table is allocated whole when its first row is read, so that
/// pointers into it stay valid.
struct Program {
  std::string name;
  std::uint32_t instructionCount = 0;
  std::vector<StaticInstruction> instructions;
  std::vector<bool> known;  ///< by PC: true if its row has been read
  std::vector<InstructionText> texts;
  std::uint32_t registers = 0;  ///< highest scoreboard register used, plus 1

  bool knows(std::uint32_t pc) const { return pc < known.size() && known[pc]; }
};

/// Reads the rows of named fields ("key=value"). Each member throws InputError for a bad row and
/// leaves the tables unchanged.
class TraceTables {
 public:
  /// Reads a row `program`, `text`, `instruction` or `memory`; returns false if it is another one.
  /// `running` is the grid that is being executed; without CTAs before the first.
  bool read(const CsvRows& rows, const Grid& running);
  Grid readGrid(const CsvRows& rows) const;

  /// Returns the ranges of device memory that the host has copied, in the order of their rows,
  /// without data.
  const std::vector<DeviceBytes>& memory() const { return memory_; }

  std::size_t size() const { return programs_.size(); }
  const Program& operator[](std::size_t program) const { return *programs_[program]; }

 private:
  void readProgram(const CsvRows& rows);
  void readText(const CsvRows& rows);
  void readInstruction(const CsvRows& rows, const Grid& running);
  void readMemory(const CsvRows& rows);

  std::vector<std::unique_ptr<Program>> programs_;
  std::uint64_t instructions_ = 0;  ///< number of all programs' instructions
  std::vector<DeviceBytes> memory_;
};

}  // namespace fermata::traces
