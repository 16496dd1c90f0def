// libFuzzer target: any records, sealed as a compiled trace with valid hashes, are replayed or
// refused with InputError.
#include <fermata/stimuli/traces/compiled_reader.h>
#include <fermata/stimuli/traces/trace_workload.h>
#include "tests/fuzz/input.h"
#include "tests/fuzz/replay.h"

namespace {

using namespace fermata::traces;

template <typename Value>
void append(std::string& file, const Value& value) {
  file.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Returns the records as the compiled form of a trace with hash 0, with the right hash at the end.
std::string sealed(const std::uint8_t* records, std::size_t size) {
  std::string file;
  append(file, CompiledHeader());
  file.append(reinterpret_cast<const char*>(records), size);
  ContentHasher hasher;
  hasher.add(file.data(), file.size());
  append(file, hasher.hash());
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  auto in = std::make_unique<std::istringstream>(sealed(bytes, size));
  auto reader = CompiledReader::open(std::move(in), "fuzz.csv.compiled", {});
  fermata::fuzz::require(reader != nullptr, "a file whose hashes fit is opened");
  try {
    TraceOptions options;
    options.windowBytes = 0;  // rows go through the temporary file
    TraceWorkload trace(std::move(reader), options);
    fermata::fuzz::replay(trace);
  } catch (const fermata::InputError&) {
  }
  return 0;
}
