// Short forms of a launch file: a parameter's multiple, and a check within its buffer.
#include "tests/launch/support.h"

namespace fermata::launch {
namespace {

const std::string kKernel = "kernel = 'k.cu'\n";

/// Writes a kernel that adds 1 to each element, and what it makes of 0, 1, .. 31.
struct Counter : Scratch {
  Counter() {
    write("k.cu", "extern \"C\" __global__ void next(int* p) { ++p[threadIdx.x]; }\n");
    std::vector<std::int32_t> results(32);
    std::iota(results.begin(), results.end(), 1);
    write("good.bin", {reinterpret_cast<const char*>(results.data()), 4 * results.size()});
    results[20] = 99;
    write("bad.bin", {reinterpret_cast<const char*>(results.data()), 4 * results.size()});
  }
  /// Runs a launch on a buffer with these keys more, and returns how many buffers are checked.
  std::size_t checked(const std::string& keys) const {
    const auto workload = open(*this, textOf(keys));
    workload->runFunctionally();
    return workload->checkResults();
  }
  static std::string textOf(const std::string& keys) {
    return kKernel + "[buffers]\np = { type = 's32', count = 32, fill = { iota = {} }" + keys +
           " }\n" + launchOf("next", "{ buffer = 'p' }");
  }
};

BOOST_FIXTURE_TEST_SUITE(short_forms, Counter)

BOOST_AUTO_TEST_CASE(a_parameter_is_a_multiple) {
  const std::string launch = textOf("").substr(kKernel.size());
  const auto text = [&](const std::string& parameter) {
    return kKernel + "[parameters]\nn = { " + parameter + " }\n" + launch;
  };
  const std::string good = text("default = 32, from = 16, to = 64, multiple = 16");
  BOOST_TEST(parseLaunchFile(good, "f.toml").parameters[0].allowedText() ==
             "16 to 64, a multiple of 16");
  open(*this, good, {{"n", "48"}});
  refuses([&] { open(*this, good, {{"n", "40"}}); }, "n must be a multiple of 16");
  refuses([&] { open(*this, good, {{"n", "80"}}); }, "16 to 64, a multiple of 16");
  refusesAll({{"default = 32, multiple = 0", "f.toml:3:32: 'multiple' is no size; expected 1"},
              {"default = 40, multiple = 16", "f.toml:3:17: the default of 'n' is not allowed"}},
             [&](const std::string& parameter) { parseLaunchFile(text(parameter), "f.toml"); });
}

BOOST_AUTO_TEST_CASE(a_buffer_has_its_check) {
  BOOST_TEST(checked("") == 0U);
  BOOST_TEST(checked(", check = { file = 'good.bin' }") == 1U);
  BOOST_CHECK_EXCEPTION(
      checked(", check = { file = 'bad.bin' }"), CheckError, [](const CheckError& error) {
        return error.buffer() == "p" && error.index() == 20 && error.expected() == "99";
      });
  refuses([&] { checked(", check = { fle = 'good.bin' }"); }, "unknown key 'fle'");
}

BOOST_AUTO_TEST_CASE(a_check_goes_with_its_buffer) {
  const std::string absent =
      kKernel +
      "[parameters]\nmore = 0\n[buffers]\np = { type = 's32', count = 32, fill = 'zero' }\n"
      "q = { type = 's32', count = 32, when = 'more', check = { file = 'bad.bin' } }\n" +
      launchOf("next", "{ buffer = 'p' }");
  const auto without = open(*this, absent);
  without->runFunctionally();
  BOOST_TEST(without->checkResults() == 0U);
  const auto with = open(*this, absent, {{"more", "1"}});
  with->runFunctionally();
  BOOST_CHECK_THROW(with->checkResults(), CheckError);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace fermata::launch
