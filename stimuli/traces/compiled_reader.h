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

/// Checks what the text's reader checks, so that no bytes, however they came about, break the
/// guarantees of a TraceSource; only what is wrong is not told.
class CompiledReader : public TraceSource {
 public:
  /// Opens the form beside `trace`, whose file has this hash. nullptr: there is none, it is of
  /// another trace or version, or its own hash does not fit: cut off or damaged.
  static std::unique_ptr<CompiledReader> open(const std::string& trace, const ContentHash& hash);
  /// The same of any bytes that can be read twice. `file`: the name that errors give.
  static std::unique_ptr<CompiledReader> open(std::unique_ptr<std::istream> in,
                                              const std::string& file, const ContentHash& hash);

  /// Throws InputError when the file changes while it is read.
  Event next() override;

 private:
  CompiledReader(const std::string& file, std::unique_ptr<std::istringstream> line);
  Event read();
  void readWarp();
  Event readRow(std::uint8_t flags);
  void readAddresses(Row& row);
  void readTarget();
  void readBarrier(RowHead& head);
  bool accessFits(const StaticInstruction& instruction) const;
  bool addressesAre(const Row& row) const;
  /// True when the line begins a grid.
  bool readLine();
  void start();
  void end();

  std::string file_;
  CompiledInput in_;
  std::istringstream* line_;  ///< what rows_ reads: one line at a time
  CsvRows rows_;
  OpenCtas ctas_;
  bool ended_ = false;
};

}  // namespace fermata::traces
