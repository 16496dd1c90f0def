// Reads a CSV trace row by row and checks it, so that the caller gets a well-formed sequence.
#pragma once

#include <cstdint>
#include <istream>
#include <memory>
#include <string>

#include <fermata/stimuli/traces/compiled_writer.h>
#include <fermata/stimuli/traces/csv_rows.h>
#include <fermata/stimuli/traces/open_ctas.h>
#include <fermata/stimuli/traces/trace_source.h>

namespace fermata::traces {

/// Refuses a row that breaks a guarantee of TraceSource: throws InputError with line and column.
/// Also refuses a trace without its trailer, or with one that counts other rows.
class TraceReader : public TraceSource {
 public:
  /// `file` is the name for errors. `copy` receives each row that was read; nullptr: no copy.
  TraceReader(std::unique_ptr<std::istream> in, const std::string& file,
              std::unique_ptr<CompiledWriter> copy = nullptr);

  Event next() override;

 private:
  void readHeader();
  /// Returns true if the row was an event.
  bool readKeyword(Event& event);
  void readWarpInstruction();
  void readLanes(const StaticInstruction& instruction);
  void readOperand(const StaticInstruction& instruction);
  /// `text`: the operand's. `target`: addresses to which a copy stores.
  void readAddresses(std::string_view text, Row& row, bool target);
  void checkRange(const ParsedRuns& parsed, const RowHead& head, std::size_t start,
                  bool target) const;
  void readTarget(std::string_view text);
  void readAnswers(std::string_view text, std::size_t from);
  void readColumns(const StaticInstruction& instruction);
  void readSpace(const StaticInstruction& instruction);
  void readBytes(const StaticInstruction& instruction);
  void readBarrier();
  void readStart();
  void readExit();
  void readEnd();
  void checkGridEnded() const;

  /// Returns parse(). Turns its FormatError into an error of the field, whose text begins at
  /// `start`.
  template <class Parse>
  auto at(std::size_t field, std::size_t start, Parse parse) const;
  std::uint64_t number(std::size_t field, std::uint64_t limit, const char* quantity) const;
  void readWarp(std::size_t ctaField);
  void expectFields(std::size_t least, std::size_t most) const;

  CsvRows rows_;
  std::unique_ptr<CompiledWriter> copy_;
  OpenCtas ctas_;
  AddressRuns runs_;
  bool ended_ = false;
  std::uint64_t count_ = 0;  ///< warp instructions so far
};

}  // namespace fermata::traces
