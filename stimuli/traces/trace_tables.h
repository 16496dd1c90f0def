// What a trace says once: programs, their instructions and texts, and the grids that run them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fermata/models/core/workload.h>
#include <fermata/stimuli/traces/csv_rows.h>

namespace fermata::traces {

/// The static part of a kernel. Tables are allocated whole when the first row of theirs is read, so
/// that pointers into them stay valid.
struct Program {
  std::string name;
  std::uint32_t instructionCount = 0;
  std::vector<StaticInstruction> instructions;
  std::vector<bool> known;  ///< by PC: has its row been read?
  std::vector<InstructionText> texts;
  std::uint32_t registers = 0;  ///< highest scoreboard register that is used, plus 1

  bool knows(std::uint32_t pc) const { return pc < known.size() && known[pc]; }
};

/// Reads the rows of named fields ("key=value"). Each member throws InputError for a bad row and
/// leaves the tables as they were.
class TraceTables {
 public:
  void readProgram(const CsvRows& rows);
  void readText(const CsvRows& rows);
  /// `running`: the grid that is being executed, or nullptr.
  void readInstruction(const CsvRows& rows, const Grid* running);
  Grid readGrid(const CsvRows& rows) const;
  void readMemory(const CsvRows& rows);

  /// Device memory that the host has copied there, in the order of its rows, without data.
  const std::vector<DeviceBytes>& memory() const { return memory_; }

  std::size_t size() const { return programs_.size(); }
  const Program& operator[](std::size_t program) const { return *programs_[program]; }

 private:
  std::vector<std::unique_ptr<Program>> programs_;
  std::uint64_t instructions_ = 0;  ///< of all programs
  std::vector<DeviceBytes> memory_;
};

}  // namespace fermata::traces
