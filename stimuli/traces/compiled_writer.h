// Writes the compiled form of a trace (compiled_format.h) while its text is read.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <fermata/files/output_file.h>
#include <fermata/stimuli/traces/compiled_format.h>
#include <fermata/stimuli/traces/packed_row.h>

namespace fermata::traces {

/// Told each row once it has been checked. The file appears when finish() was reached, so never of
/// a trace that is bad or was not read to its end. It is a convenience: where it cannot be written
/// (a folder that is read-only, a full disk) or would be out of proportion (over kMostGrowth times
/// the size of the trace) nothing is left behind and nothing is said.
class CompiledWriter {
 public:
  static constexpr std::uint64_t kMostGrowth = 4;

  /// `hash`: of the trace's file. nullptr when no file can be created beside it.
  static std::unique_ptr<CompiledWriter> create(const std::string& trace, const ContentHash& hash);

  /// A row of a program, text, instruction or grid as it stands, its line break included.
  void line(std::string_view text);
  void start();
  void exit(std::uint64_t cta, std::uint32_t warp);
  /// As TraceSource has them.
  void row(std::uint64_t cta, std::uint32_t warp, const Row& row, const Row& target);
  /// The trace was whole. The file appears if the trace still is what it was.
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
  std::unique_ptr<files::OutputFile> file_;  ///< nullptr: given up
  ContentHasher hasher_;
  std::string buffer_;
};

}  // namespace fermata::traces
