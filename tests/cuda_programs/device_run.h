// Device code of a .cu, compiled by `fermata cc` and executed.
#pragma once

#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <fermata/platforms/program/cc/compile_program.h>
#include <fermata/stimuli/ptx/executor.h>

#include "tests/support/temporary_folder.h"

namespace fermata::test {

inline std::string textOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Compiles `source` to PTX and returns it. `words`: further options.
inline std::string ptxOf(const std::string& source, const std::vector<std::string>& words) {
  const TemporaryFolder folder;
  const std::string output = (folder.path() / "device.ptx").string();
  std::vector<std::string> all = {source, "--ptx", "-o", output};
  all.insert(all.end(), words.begin(), words.end());
  if (platforms::compileProgram(platforms::readProgramRequest(all)) != 0)
    throw std::runtime_error(source + " does not compile");
  return textOf(output);
}

/// Runs kernels k(const In* in, Out* out, int n) over n results.
class DeviceRun {
 public:
  explicit DeviceRun(const std::string& ptx)
      : module_(ptx::parse(ptx, "device.ptx")), executor_(48, memory_) {}

  template <class Out, class In>
  std::vector<Out> run(const std::string& kernel, const std::vector<In>& in, std::size_t count) {
    const std::uint64_t from = memory_.allocate(in.size() * sizeof(In), "in");
    const std::uint64_t to = memory_.allocate(count * sizeof(Out), "out");
    memory_.write(from, in.data(), in.size() * sizeof(In));
    ptx::Launch launch;
    launch.kernel = &module_->kernel(kernel);
    launch.block.x = 256;
    launch.grid.x = 8;
    launch.parameters.resize(20);
    const std::uint32_t n = static_cast<std::uint32_t>(count);
    std::memcpy(launch.parameters.data(), &from, 8);
    std::memcpy(launch.parameters.data() + 8, &to, 8);
    std::memcpy(launch.parameters.data() + 16, &n, 4);
    ptx::runFunctionally(executor_, launch);
    std::vector<Out> out(count);
    memory_.read(to, out.data(), count * sizeof(Out));
    return out;
  }

 private:
  std::shared_ptr<const ptx::Module> module_;
  ptx::DeviceMemory memory_;
  ptx::Executor executor_;
};

}  // namespace fermata::test
