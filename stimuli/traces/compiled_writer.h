// Writes the compiled form of a trace (compiled_format.h) while its text is read.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <fermata/results/files/output_file.h>
#include <fermata/stimuli/traces/compiled_format.h>
#include <fermata/stimuli/traces/packed_row.h>

namespace fermata::traces {

/// Receives each row once it has been checked. The file appears only after finish(), so never for a
/// trace that is bad or was not read to its end. It is a convenience: if it cannot be written (a
/// read-only folder, a full disk) or would exceed kMostGrowth times the size of the trace, it is
/// dropped without an error and nothing is left behind.
class CompiledWriter {
 public:
  static constexpr std::uint64_t kMostGrowth = 4;

  /// Creates the file. `hash` is that of the trace's file. Returns nullptr if no file can be
  /// created beside the trace.
  static std::unique_ptr<CompiledWriter> create(const std::string& trace, const ContentHash& hash);

  /// Adds a row of a program, text, instruction or grid as it stands, its line break included.
  void line(std::string_view text);
  void start();
  void exit(std::uint64_t cta, std::uint32_t warp);
  /// Adds a row in the form of TraceSource.
  void row(std::uint64_t cta, std::uint32_t warp, const Row& row, const Row& target);
  /// Ends a whole trace. The file appears if the trace is still unchanged.
  void finish();

 private:
  CompiledWriter(const std::string& trace, const ContentHash& hash, std::uint64_t room);
  template <typename Value>
  void put(const Value& value);
  void putNumber(std::uint64_t number);
  void putAddresses(const Row& row);
  void endRecord();
  void flush();
  void commit();

  std::string trace_;
  ContentHash hash_;
  std::uint64_t room_;                       ///< bytes that may still be written
  std::unique_ptr<files::OutputFile> file_;  ///< nullptr: writing was given up
  ContentHasher hasher_;
  std::string buffer_;
};

}  // namespace fermata::traces
