// Replays the compiled form of a trace (compiled_format.h).
#pragma once

#include <memory>
#include <sstream>
#include <string>

#include <fermata/stimuli/traces/compiled_input.h>
#include <fermata/stimuli/traces/csv_rows.h>
#include <fermata/stimuli/traces/open_ctas.h>
#include <fermata/stimuli/traces/trace_source.h>

namespace fermata::traces {

/// Checks what the reader of the text checks, so that no bytes, whatever their origin, break the
/// guarantees of a TraceSource. It does not say what is wrong.
class CompiledReader : public TraceSource {
 public:
  /// Opens the form beside `trace`, whose file has this hash. Returns nullptr if there is none, it
  /// belongs to another trace or version, or its own hash does not fit (cut off or damaged).
  static std::unique_ptr<CompiledReader> open(const std::string& trace, const ContentHash& hash);
  /// Opens a form from any bytes that can be read twice. `file` is the name for errors.
  static std::unique_ptr<CompiledReader> open(std::unique_ptr<std::istream> in,
                                              const std::string& file, const ContentHash& hash);

  /// Returns the next event. Throws InputError if the file changes while it is read.
  Event next() override;

 private:
  CompiledReader(const std::string& file, std::unique_ptr<std::istringstream> line);
  Event read();
  void readWarp();
  Event readRow(std::uint8_t flags);
  void readAddresses(Row& row);
  void readTarget();
  void readBarrier(RowHead& head, const StaticInstruction& instruction);
  bool accessFits(const StaticInstruction& instruction) const;
  bool addressesAre(const Row& row, bool target) const;
  /// Reads a line and returns true if it begins a grid.
  bool readLine();
  void start();
  void end();

  std::string file_;
  CompiledInput in_;
  std::istringstream* line_;  ///< input of rows_: one line at a time
  CsvRows rows_;
  OpenCtas ctas_;
  bool ended_ = false;
};

}  // namespace fermata::traces
