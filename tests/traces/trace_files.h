// Traces as files and as text, for tests.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>

#include <fermata/stimuli/traces/trace_reader.h>
#include <fermata/stimuli/traces/trace_recorder.h>
#include <fermata/stimuli/traces/trace_workload.h>
#include "tests/traces/interleaved_run.h"

namespace fermata::test {

/// A directory of this process, removed with the object.
class Scratch {
 public:
  Scratch() : path_("scratch_" + std::to_string(::getpid())) {
    std::filesystem::create_directory(path_);
  }
  ~Scratch() { std::filesystem::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::size_t files() const {
    const std::filesystem::directory_iterator all(path_);
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }

 private:
  std::filesystem::path path_;
};

inline std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline void put(const std::string& path, const std::string& bytes) {
  // Some file systems wait for the disk when a file is overwritten: removes it first.
  std::filesystem::remove(path);
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
