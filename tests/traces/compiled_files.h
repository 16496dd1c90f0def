// Compiled traces as files, for tests.
#pragma once

#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/traces/compiled_reader.h>
#include "tests/traces/fake_workload.h"
#include "tests/traces/trace_files.h"

namespace fermata::test {

/// Options that compile every trace, however small.
inline traces::TraceOptions always() {
  traces::TraceOptions options;
  options.compileFrom = 0;
  return options;
}

inline traces::TraceOptions never() {
  traces::TraceOptions options;
  options.compileFrom = traces::TraceOptions::kNever;
  return options;
}

inline RunResult replay(const std::string& path) {
  return record(*traces::openTrace(path, always()), anyOrder());
}

/// Returns the error that ended the replay; "none" if there was none.
inline std::string errorOf(const std::string& path, const traces::TraceOptions& options) {
  return errorOf<InputError>([&] { record(*traces::openTrace(path, options), anyOrder()); });
}

/// Returns whether the next replay would use the compiled form beside the trace.
inline bool isReplayedCompiled(const std::string& path) {
  return traces::CompiledReader::open(path, *traces::hashOfFile(path)) != nullptr;
}

}  // namespace fermata::test
