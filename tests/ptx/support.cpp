#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {

std::string moduleText(const std::string& items) {
  return ".version 7.0\n.target sm_75\n.address_size 64\n" + items;
}

std::string kernelText(const std::string& body, const std::string& moduleItems) {
  return moduleText(moduleItems + R"(
.visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n) {
.reg .pred %p<100>; .reg .b16 %rs<100>; .reg .b32 %r<100>; .reg .b64 %rd<100>; .reg .f32 %f<100>; .reg .f64 %fd<100>;
ld.param.u64 %rd90, [in]; ld.param.u64 %rd91, [out]; ld.param.u32 %r91, [n];
mov.u32 %r90, %tid.x; mov.u32 %r92, %ctaid.x; mov.u32 %r93, %ntid.x; mad.lo.s32 %r92, %r92, %r93, %r90;
)" + body + "\nret;\n}\n");
}

std::string errorOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string parseError(const std::string& text) {
  return errorOf([&] { parse(text, "bad.ptx"); });
}

void expect(const std::string& error, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    BOOST_TEST(error.find(part) != std::string::npos, "'" << part << "' in: " << error);
}

void expectError(const std::function<void()>& action, const std::vector<std::string>& parts) {
  expect(errorOf(action), parts);
}

void refuses(const std::string& statement, const std::string& part) {
  BOOST_TEST_CONTEXT(statement) expect(parseError(kernelText(statement)), {part});
}

Bench::Bench(const std::string& text, const std::string& entry, const ExecutorOptions& options,
             bool trackWritten)
    : module(parse(text, "test.ptx")), memory(trackWritten), executor(48, memory, options) {
  launch.kernel = &module->kernel(entry);
  launch.block.x = 32;
}

std::vector<Bench::Step> Bench::steps(unsigned slot) {
  std::vector<Step> all;
  giveParameters();
  executor.begin(launch);
  executor.startCta(0, slot);
  while (const StaticInstruction* next = executor.peek(slot)) {
    all.push_back({*next, {}});
    executor.execute(slot, all.back().done);
  }
  return all;
}

}  // namespace fermata::ptx::test
