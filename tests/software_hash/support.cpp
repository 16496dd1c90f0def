#include "tests/software_hash/support.h"

#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/ptx/executor.h>

namespace fermata::software_hash::test {

const std::vector<std::string> kHashes = {"xor k1=0 k2=1 mask=16",
                                          "xor k1=0 k2=4 mask=14",
                                          "xor k1=0 k2=5 mask=7",
                                          "xor k1=0 k2=5 mask=15",
                                          "xor k1=1 k2=10 mask=1",
                                          "xor k1=1 k2=0 mask=0",
                                          "xor k1=0 k2=2 mask=31",
                                          "xor k1=6 k2=4 mask=1",
                                          "xor k1=0 k2=6 mask=28",
                                          "xor k1=1 k2=6 mask=3",
                                          "xor k1=0 k2=5 mask=31",
                                          "xor k1=1 k2=6 mask=1",
                                          "xor k1=0 k2=5 mask=3",
                                          "xor k1=3 k2=0 mask=31",
                                          "perm k=2",
                                          "bits 3,4,0,7,8",
                                          "pairs 3,4,0^5,1^6,2^7",
                                          "matrix 0x21,0x42,0x84,0x108,0x211",
                                          "fixed-xor"};

HashRequest request(const std::string& text, bool reuse) {
  HashRequest request;
  request.text = text;
  request.reuse = reuse;
  return request;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

std::string moduleText(const std::string& items) {
  return ".version 4.2\n.target sm_20\n.address_size 32\n" + items;
}

std::string kernelText(const std::string& body, const std::string& moduleItems) {
  return moduleText(moduleItems + R"(
.visible .entry k(.param .u32 in, .param .u32 out)
{
  .reg .pred %p<60>; .reg .b16 %rs<60>; .reg .b32 %r<60>; .reg .b64 %rd<60>;
  .reg .f32 %f<60>; .reg .f64 %fd<60>;
  ld.param.u32 %r50, [in];
  ld.param.u32 %r51, [out];
  mov.u32 %r52, %tid.x;
  shl.b32 %r53, %r52, 2;
)" + body + "\n  ret;\n}\n");
}

Rewritten rewriteText(const std::string& text, const std::string& hash, bool reuse, Lines lines) {
  return rewrite(*ptx::parse(text, "test.ptx"), request(hash, reuse), lines);
}

std::vector<std::uint32_t> run(const std::string& text, unsigned threads, std::uint32_t dynamic) {
  const auto module = ptx::parse(text, "run.ptx");
  std::vector<std::uint32_t> in(1024), out(512);
  std::iota(in.begin(), in.end(), 0U);
  ptx::DeviceMemory memory;
  const std::uint64_t buffers[2] = {memory.allocate(in.size() * 4, "in"),
                                    memory.allocate(out.size() * 4, "out")};
  memory.write(buffers[0], in.data(), in.size() * 4);
  memory.write(buffers[1], out.data(), out.size() * 4);
  ptx::ExecutorOptions options;
  options.instructionBudget = 1000000;
  ptx::Executor executor(32, memory, options);
  ptx::Launch launch;
  launch.kernel = &module->kernel("k");
  launch.block.x = threads;
  launch.dynamicSharedBytes = dynamic;
  launch.parameters.resize(8);
  for (unsigned k = 0; k < 2; ++k) {
    const auto address = static_cast<std::uint32_t>(buffers[k]);
    std::memcpy(&launch.parameters[4 * k], &address, 4);
  }
  ptx::runFunctionally(executor, launch);
  memory.read(buffers[1], out.data(), out.size() * 4);
  return out;
}

}  // namespace fermata::software_hash::test
