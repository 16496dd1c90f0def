#include <fermata/stimuli/traces/trace_source.h>

#include <filesystem>
#include <optional>

#include <fermata/stimuli/traces/compiled_reader.h>
#include <fermata/stimuli/traces/compiled_writer.h>
#include <fermata/stimuli/traces/csv_rows.h>
#include <fermata/stimuli/traces/trace_reader.h>

namespace fermata::traces {

namespace {

/// Returns the hash to look for a compiled form; none: the file is too small, or cannot be read
/// twice.
std::optional<ContentHash> hashToCompile(const std::string& path, std::uint64_t compileFrom) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (error || bytes < compileFrom) return std::nullopt;
  // Refuses a file that begins as no trace: hashing it may take long.
  (void)TraceReader(openInput(path), path);
  return hashOfFile(path);
}

}  // namespace

std::unique_ptr<TraceSource> openSource(const std::string& path, std::uint64_t compileFrom) {
  const std::optional<ContentHash> hash = hashToCompile(path, compileFrom);
  if (!hash) return std::make_unique<TraceReader>(openInput(path), path);
  if (auto compiled = CompiledReader::open(path, *hash)) return compiled;
  return std::make_unique<TraceReader>(openInput(path), path, CompiledWriter::create(path, *hash));
}

}  // namespace fermata::traces
