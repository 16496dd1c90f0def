// Traces as files and as text, for tests.
#pragma once

#include <fermata/stimuli/traces/trace_reader.h>
#include <fermata/stimuli/traces/trace_recorder.h>
#include <fermata/stimuli/traces/trace_workload.h>
#include "tests/support/says.h"
#include "tests/support/temporary_folder.h"
#include "tests/traces/interleaved_run.h"

namespace fermata::test {

struct Scratch : TemporaryFolder {
  std::string file(const std::string& name) const { return (*this / name).string(); }
};

/// Gives each case of a suite a folder of its own.
struct InScratch {
  const Scratch scratch;
};

inline void put(const std::string& path, const std::string& bytes) {
  // Some file systems wait for the disk when a file is overwritten: removes it first.
  fs::remove(path);
  std::ofstream(path, std::ios::binary) << bytes;
}

/// Runs the workload and records it to `path`.
inline RunResult recordTo(Workload& workload, const std::string& path, const RunOptions& options) {
  traces::TraceRecorder recorder(workload, path);
  RunResult result = record(recorder, options);
  recorder.finish();
  return result;
}

inline std::unique_ptr<traces::TraceWorkload> fromText(const std::string& text,
                                                       traces::TraceOptions options = {}) {
  return std::make_unique<traces::TraceWorkload>(
      std::make_unique<traces::TraceReader>(std::make_unique<std::istringstream>(text),
                                            "trace.csv"),
      options);
}

}  // namespace fermata::test
