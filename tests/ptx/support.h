// Helpers that run small PTX kernels in tests.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/test/data/test_case.hpp>

#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/ptx/executor.h>
#include <fermata/stimuli/ptx/module.h>

namespace fermata::ptx::test {

/// Returns a file of PTX 7.0, 64-bit, that contains `items`.
std::string moduleText(const std::string& items);

/// Returns a file with one entry `k(.param .u64 in, .param .u64 out, .param .u32 n)` around `body`.
/// Registers %p %rs %r %rd %f %fd <100> are declared. On entry %rd90 = in, %rd91 = out, %r90 =
/// %tid.x, %r91 = n, %r92 = number of the thread in the grid.
std::string kernelText(const std::string& body, const std::string& moduleItems = "");

/// Returns the message of the error that `action` throws; "" if it throws none.
std::string errorOf(const std::function<void()>& action);
/// Returns the InputError of parsing a text.
std::string parseError(const std::string& text);

/// Checks that an error has all the parts.
void expect(const std::string& error, const std::vector<std::string>& parts);
/// Checks that the action throws an error that has all the parts.
void expectError(const std::function<void()>& action, const std::vector<std::string>& parts);
/// Checks that a statement of kernelText() is refused with this part of the message.
void refuses(const std::string& statement, const std::string& part);

struct RunOptions {
  Dim3 grid, block{32, 1, 1};
  std::uint32_t n = 0;
  std::uint32_t dynamicSharedBytes = 0;
  ExecutorOptions executor;
  std::optional<Dim3> cluster{};
};

/// Runs kernelText(body) with buffers `in` and `out`; returns `out` afterwards.
template <class T, class In = T>
std::vector<T> runBody(const std::string& body, const std::vector<In>& in, std::size_t outCount,
                       const RunOptions& options = {}, const std::string& moduleItems = "");

/// Runs kernelText(body), which reads no input.
template <class T>
std::vector<T> runBody(const std::string& body, std::size_t outCount,
                       const RunOptions& options = {}, const std::string& moduleItems = "") {
  return runBody<T, T>(body, {}, outCount, options, moduleItems);
}

/// A kernel with its memory and executor, for tests that inspect them.
class Bench {
 public:
  explicit Bench(const std::string& text, const std::string& entry = "k",
                 const ExecutorOptions& options = {}, bool trackWritten = false);

  template <class T>
  std::uint64_t buffer(const std::vector<T>& values, const std::string& name = "buffer") {
    const std::uint64_t address = memory.allocate(values.size() * sizeof(T), name);
    memory.write(address, values.data(), values.size() * sizeof(T));
    return address;
  }
  template <class T>
  std::vector<T> values(std::uint64_t address, std::size_t count) const {
    std::vector<T> list(count);
    memory.read(address, list.data(), count * sizeof(T));
    return list;
  }
  /// Appends a parameter at its natural alignment.
  template <class T>
  Bench& parameter(T value) {
    std::vector<std::uint8_t>& bytes = launch.parameters;
    bytes.resize((bytes.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T));
    bytes.resize(bytes.size() + sizeof(T));
    std::memcpy(bytes.data() + bytes.size() - sizeof(T), &value, sizeof(T));
    return *this;
  }
  /// Returns a buffer of zeros that kernelText() gets as `in` and as `out`.
  template <class T>
  std::uint64_t output(std::size_t count) {
    const std::uint64_t address = buffer(std::vector<T>(count));
    parameter(address).parameter(address).parameter(0U);
    return address;
  }
  void run() {
    giveParameters();
    runFunctionally(executor, launch);
  }

  /// An instruction of a warp: what is known before it executes, and what it did.
  struct Step {
    StaticInstruction known;
    WarpInstruction done;
  };
  /// Runs the first warp of CTA 0, in a slot, to its end; returns its instructions.
  std::vector<Step> steps(unsigned slot = 0);

  std::shared_ptr<const Module> module;
  DeviceMemory memory;
  Executor executor;
  Launch launch;

 private:
  /// Gives zeros where a test has appended no parameter.
  void giveParameters() {
    if (launch.parameters.empty()) launch.parameters.resize(launch.kernel->parameterBytes());
  }
};

template <class T, class In>
std::vector<T> runBody(const std::string& body, const std::vector<In>& in, std::size_t outCount,
                       const RunOptions& options, const std::string& moduleItems) {
  Bench bench(kernelText(body, moduleItems), "k", options.executor);
  const std::uint64_t input = bench.buffer(in.empty() ? std::vector<In>(1) : in, "in");
  const std::uint64_t output = bench.buffer(std::vector<T>(outCount), "out");
  bench.parameter(input).parameter(output).parameter(options.n);
  bench.launch.grid = options.grid;
  bench.launch.block = options.block;
  bench.launch.dynamicSharedBytes = options.dynamicSharedBytes;
  bench.launch.cluster = options.cluster;
  bench.run();
  return bench.values<T>(output, outCount);
}

}  // namespace fermata::ptx::test
