// Compiled code against the executor: equal memory, equal counts of instructions, equal errors.
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/native/kernel_compiler.h>
#include <fermata/stimuli/ptx/executor.h>
#include <fermata/stimuli/ptx/module.h>

#include "tests/native/random_kernel.h"

namespace {

using namespace fermata;
using namespace fermata::native;
using namespace fermata::native::test;
namespace bdata = boost::unit_test::data;

constexpr unsigned kCtas = 3, kThreads = 80;  // the last warp is half full
constexpr std::size_t kOutWords = kWordsOfInput + kCtas * kThreads * kWordsOfThread;

/// Memory, counts and error that a launch leaves.
struct Left {
  std::vector<std::uint32_t> out;
  std::uint64_t instructions = 0;
  std::string error;
  bool compiled = false;
};

std::vector<std::uint32_t> inputWords() {
  std::mt19937 random(1);
  std::vector<std::uint32_t> words(kWordsOfInput);
  const std::uint32_t odd[] = {0,          1,          0x80000000, 0xffffffff, 0x7f800000,
                               0xff800000, 0x7fc00001, 0x00000123, 0x3f800000, 0x7ff00000};
  for (std::uint32_t& word : words) {
    const auto value = static_cast<std::uint32_t>(random());
    word = value % 4 == 0 ? odd[value / 4 % std::size(odd)] : value % 4 == 1 ? value % 97 : value;
  }
  return words;
}

Left launch(const std::string& text, ptx::KernelCompiler* compiler,
            ptx::ExecutorOptions options = {}) {
  const auto module = ptx::parse(text, "k.ptx");
  ptx::DeviceMemory memory;
  options.compiler = compiler;
  ptx::Executor executor(48, memory, options);
  const std::vector<std::uint32_t> input = inputWords();
  const std::uint64_t in = memory.allocate(4 * kWordsOfInput, "in");
  const std::uint64_t out = memory.allocate(4 * kOutWords, "out");
  memory.write(in, input.data(), 4 * kWordsOfInput);
  ptx::Launch one;
  one.kernel = &module->kernel("k");
  one.grid = {kCtas, 1, 1};
  one.block = {kThreads, 1, 1};
  one.parameters.resize(16);
  std::memcpy(one.parameters.data(), &in, 8);
  std::memcpy(one.parameters.data() + 8, &out, 8);
  Left left;
  try {
    ptx::runFunctionally(executor, one);
  } catch (const InputError& error) {
    left.error = error.what();
  }
  left.out.resize(kOutWords);
  memory.read(out, left.out.data(), 4 * kOutWords);
  left.instructions = executor.instructionsExecuted();
  left.compiled = one.kernel->compiled().code.load() != nullptr;
  return left;
}

/// Returns a module whose entry k(in, out) has this body.
std::string kernel(const std::string& body) {
  return ".version 7.0\n.target sm_80\n.address_size 64\n"
         ".visible .entry k(.param .u64 in, .param .u64 out) {\n"
         ".reg .b32 %r<50>; .reg .b64 %w<30>; .reg .pred %p<4>;\n" +
         body + "\nret;\n}\n";
}

}  // namespace

BOOST_DATA_TEST_CASE(randomKernelsLeaveEqualMemory, bdata::xrange(10), seed) {
  const std::string text = randomKernel(static_cast<std::uint32_t>(seed));
  const auto compiler = makeKernelCompiler(When::Now);
  const Left plain = launch(text, nullptr), compiled = launch(text, compiler.get());
  BOOST_TEST(!plain.compiled);
  BOOST_TEST_REQUIRE(compiled.compiled, "the kernel is not compiled: is clang-16 there?");
  BOOST_TEST(plain.error == "");
  BOOST_TEST(compiled.error == "");
  BOOST_TEST(plain.instructions == compiled.instructions);
  BOOST_TEST(plain.out == compiled.out, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(errorsAreTheExecutors) {
  // Lane 5 of the second warp loads behind the buffer in the third turn of a loop.
  const std::string text = kernel(
      "ld.param.u64 %w1, [in]; mov.u32 %r1, %tid.x; mov.u32 %r2, 0;\n"
      "setp.eq.u32 %p1, %r1, 37;\n"
      "L: mul.lo.u32 %r3, %r2, 512; @!%p1 mov.u32 %r3, 0; cvt.u64.u32 %w2, %r3;\n"
      "add.u64 %w3, %w1, %w2; ld.global.u32 %r4, [%w3];\n"
      "add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 9; @%p2 bra L;");
  const auto compiler = makeKernelCompiler(When::Now);
  const Left plain = launch(text, nullptr), compiled = launch(text, compiler.get());
  BOOST_TEST(compiled.compiled);
  BOOST_TEST(plain.error.find("lane 5") != std::string::npos, plain.error);
  BOOST_TEST(plain.error == compiled.error);
}

BOOST_AUTO_TEST_CASE(theBudgetEndsAnEndlessLoop) {
  const std::string text =
      kernel("mov.u32 %r1, 0;\nL: add.u32 %r1, %r1, 1; xor.b32 %r2, %r1, 3; bra L;");
  const auto compiler = makeKernelCompiler(When::Now);
  ptx::ExecutorOptions options;
  options.instructionBudget = 12345;
  const Left plain = launch(text, nullptr, options),
             compiled = launch(text, compiler.get(), options);
  BOOST_TEST(compiled.compiled);
  BOOST_TEST(plain.error.find("12345") != std::string::npos, plain.error);
  BOOST_TEST(plain.error == compiled.error);
  BOOST_TEST(plain.instructions == compiled.instructions);
}

BOOST_AUTO_TEST_CASE(threadsRunOneCode) {
  // Long enough that both threads take CTAs.
  const std::string text = kernel(
      "ld.param.u64 %w1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r5, %ctaid.x; mov.u32 %r6, %ntid.x;\n"
      "mad.lo.u32 %r1, %r5, %r6, %r1; mul.wide.u32 %w2, %r1, 4; add.u64 %w1, %w1, %w2;\n"
      "mov.u32 %r2, 0; mov.u32 %r3, %r1;\n"
      "L: mad.lo.u32 %r3, %r3, 1664525, 1013904223; add.u32 %r2, %r2, 1;\n"
      "setp.lt.u32 %p2, %r2, 9000; @%p2 bra L; st.global.u32 [%w1], %r3;");
  const auto compiler = makeKernelCompiler(When::Now);
  ptx::ExecutorOptions options;
  options.jobs = 2;
  const Left plain = launch(text, nullptr), compiled = launch(text, compiler.get(), options);
  BOOST_TEST(compiled.compiled);
  BOOST_TEST(plain.instructions == compiled.instructions);
  BOOST_TEST(plain.out == compiled.out, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(aHotKernelIsCompiledBesideItsExecution) {
  const std::string text =
      kernel("mov.u32 %r1, 0;\nL: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 4000000; @%p1 bra L;");
  const auto compiler = makeKernelCompiler(When::Hot);
  const Left left = launch(text, compiler.get());
  BOOST_TEST(left.compiled);
  BOOST_TEST(left.error == "");
}

BOOST_AUTO_TEST_CASE(noCompilerIsNoError) {
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/nonexistent", 1);
  const auto compiler = makeKernelCompiler(When::Now);
  const Left left = launch(randomKernel(1), compiler.get());
  ::setenv("PATH", path.c_str(), 1);
  BOOST_TEST(!left.compiled);
  BOOST_TEST(left.out == launch(randomKernel(1), nullptr).out, boost::test_tools::per_element());
  BOOST_TEST(!makeKernelCompiler(When::Never));
}
