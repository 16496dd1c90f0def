#include <fermata/stimuli/launch/plan.h>

#include "tests/launch/support.h"

namespace fermata::launch {
namespace {

const std::string kHead = R"(kernel = 'k.cu'
[parameters]
n = { default = 64, from = 16, to = 256 }
tile = { default = 16, allowed = [16, 32] }
[[require]]
that = "n % tile == 0"
message = "n is a multiple of tile"
[buffers.b]
type = 'u32'
count = 'n * n'
)";

Plan plan(const std::string& text, const std::map<std::string, std::string>& parameters = {}) {
  return planLaunches(parseLaunchFile(kHead + text, "f.toml"), parameters);
}

std::string launchOf(const std::string& lines) {
  return "[[launch]]\nentry = 'k'\n" + lines;
}

BOOST_AUTO_TEST_SUITE(plan_of_launches)

BOOST_AUTO_TEST_CASE(parameters_change_sizes) {
  const std::string text = launchOf(
      "grid = ['n / tile', 2]\nblock = ['tile', 4]\nshared = 'tile * 8'\nregisters = 9\n"
      "carveout = 'tile + 18'\ncluster = ['tile / 16', 2]\n"
      "arguments = [{ u32 = 'n' }, { buffer = 'b', offset = 'n' }, { f32 = 'tile' }]\n");
  const Plan chosen = plan(text, {{"n", "128"}, {"tile", "0x20"}});
  BOOST_TEST(chosen.buffers[0].count == 128U * 128U);
  BOOST_TEST(chosen.scope.at("count(b)") == 128 * 128);
  const PlannedLaunch& launch = chosen.launches.at(0);
  BOOST_TEST((launch.grid == std::array<std::uint32_t, 3>{4, 2, 1}));
  BOOST_TEST((launch.block == std::array<std::uint32_t, 3>{32, 4, 1}));
  BOOST_TEST(launch.dynamicSharedBytes == 256U);
  BOOST_TEST(launch.registersPerThread.value() == 9U);
  BOOST_TEST(launch.carveout == 50);
  BOOST_TEST((launch.cluster.value() == std::array<std::uint32_t, 3>{2, 2, 1}));
  BOOST_TEST(elementsOf<std::uint32_t>(launch.arguments[0].bytes)[0] == 128U);
  BOOST_TEST(launch.arguments[1].offset == 512U);
  BOOST_TEST(elementsOf<float>(launch.arguments[2].bytes)[0] == 32.0F);
  BOOST_TEST(!plan(launchOf("grid = 1\nblock = 1\n")).launches[0].registersPerThread.has_value());
  BOOST_TEST(plan(launchOf("grid = 1\nblock = 1\n")).launches[0].carveout == kNoCarveout);
  BOOST_TEST(!plan(launchOf("grid = 1\nblock = 1\n")).launches[0].cluster.has_value());
}

BOOST_AUTO_TEST_CASE(loops_unroll_in_order) {
  const Plan nested = plan(R"([[launch]]
for = { variable = "x", from = 2, to = -1, step = -1 }
[[launch.launch]]
entry = "outer_{x}"
grid = "x + 1"
block = 1
[[launch.launch]]
when = "x != 1"
for = { variable = "y", from = "x", to = "x + 4", step = 3 }
[[launch.launch.launch]]
entry = "inner_{x}_{y}"
grid = 1
block = 1
[[launch]]
entry = "last"
grid = 1
block = 1
[[launch]]
for = { variable = "x", from = 3, to = 3 }
[[launch.launch]]
entry = "never"
grid = 0
block = 1
)");
  std::vector<std::string> entries;
  for (const PlannedLaunch& launch : nested.launches) entries.push_back(launch.entry);
  const std::vector<std::string> expected = {"outer_2", "inner_2_2", "inner_2_5", "outer_1",
                                             "outer_0", "inner_0_0", "inner_0_3", "last"};
  BOOST_TEST(entries == expected, tt::per_element());
  BOOST_TEST(nested.launches[0].grid[0] == 3U);
}

BOOST_AUTO_TEST_CASE(refuses_bad_choices) {
  const std::string text = launchOf("grid = 1\nblock = 1\n");
  const std::vector<std::pair<std::map<std::string, std::string>, std::string>> cases = {
      {{{"m", "1"}}, "f.toml: no parameter 'm'; expected one of n, tile"},
      {{{"n", "x"}}, "parameter 'n' is 'x'; expected an integer"},
      {{{"n", ""}}, "expected an integer"},
      {{{"n", "64 "}}, "expected an integer"},
      {{{"n", "1e3"}}, "expected an integer"},
      {{{"n", "99999999999999999999"}},
       "the value of parameter 'n' does not fit 64 bits; expected -92"},
      {{{"n", "8"}}, "f.toml:3:5: parameter 'n' is 8; expected 16 to 256"},
      {{{"tile", "17"}}, "f.toml:4:8: parameter 'tile' is 17; expected 16 or 32"},
      {{{"n", "48"}, {"tile", "32"}},
       "f.toml:6:9: the parameters do not go together; expected that n is a multiple of tile"},
  };
  for (const auto& one : cases) refuses([&] { plan(text, one.first); }, one.second);
  const auto bare = parseLaunchFile("kernel = 'k.cu'\n" + text, "f.toml");
  refuses([&] { planLaunches(bare, {{"n", "1"}}); }, "expected none: it has no parameters");
}

BOOST_AUTO_TEST_CASE(textures_lie_in_their_buffers) {
  const std::string launch = launchOf("grid = 1\nblock = 1\n");
  const Plan good = plan(
      "[textures.t]\nbuffer = 'b'\nwidth = 'n / 2'\nheight = 8\nchannels = 4\n"
      "normalised = true\n" +
      launch);
  BOOST_REQUIRE(good.textures.size() == 1U);
  BOOST_TEST(good.textures[0].width == 32U);
  BOOST_TEST(good.textures[0].height == 8U);
  BOOST_TEST(good.textures[0].normalised);
  const std::vector<Refusal> cases = {
      {"width = 4097", "texture 't' does not lie in buffer 'b'; expected at most 4096 elements"},
      {"width = 5\nchannels = 3", "in 1, 2 or 4 channels"},
      {"width = 0", "width is 0"},
      {"width = 1\nheight = 0", "height is 0"},
      {"width = 1\nnormalised = 1", "'normalised' is an integer; expected true or false"},
      {"height = 1", "texture 't' lacks 'width'"},
  };
  refusesAll(cases, [&](const std::string& lines) {
    plan("[textures.t]\nbuffer = 'b'\n" + lines + "\n" + launch);
  });
}

BOOST_AUTO_TEST_CASE(refuses_impossible_launches) {
  const std::string body = "[[launch.launch]]\nentry = 'k'\ngrid = 1\nblock = 1\n";
  const std::vector<Refusal> cases = {
      {launchOf("grid = 0\nblock = 1\n"), "f.toml:13:8: grid is 0; expected 1 to 2147483647"},
      {launchOf("grid = 'n - 65'\nblock = 1\n"), "grid is -1"},
      {launchOf("grid = [1, 65536]\nblock = 1\n"), "expected 1 to 65535"},
      {launchOf("grid = 1\nblock = 1025\n"), "f.toml:14:9: block is 1025; expected 1 to 1024"},
      {launchOf("grid = 1\nblock = [64, 17]\n"), "a block of 1088 threads; expected 1 to 1024"},
      {launchOf("grid = 1\nblock = [1, 1, 65]\n"), "expected 1 to 64"},
      {launchOf("grid = 1\nblock = 1\nshared = -4\n"), "shared is -4"},
      {launchOf("grid = 1\nblock = 1\ncarveout = 101\n"), "carveout is 101; expected 0 to 100"},
      {launchOf("grid = 32\nblock = 1\ncluster = 17\n"), "cluster is 17; expected 1 to 16"},
      {launchOf("grid = 32\nblock = 1\ncluster = 0\n"), "cluster is 0; expected 1 to 16"},
      {launchOf("grid = 1\nblock = 1\nregisters = 300\n"), "registers is 300; expected 1 to 255"},
      {launchOf("grid = 1\nblock = 1\narguments = [{ u8 = 256 }]\n"), "256 does not fit u8"},
      {launchOf("grid = 1\nblock = 1\narguments = [{ f32 = 1e39 }]\n"),
       "f.toml:15:22: a number does not fit f32; expected -3.4028235e38 to 3.4028235e38, or inf"},
      {launchOf("grid = 1\nblock = 1\narguments = [{ u32 = 0.5 }]\n"), "expected an integer"},
      {launchOf("grid = 1\nblock = 1\narguments = [{ buffer = 'b', offset = 'n * n' }]\n"),
       "offset is 4096; expected 0 to 4095"},
      {launchOf("grid = '1 / (n - 64)'\nblock = 1\n"), "f.toml:13:11: division by zero"},
      {launchOf("when = 0\ngrid = 1\nblock = 1\n"), "nothing is launched with these parameters"},
      {"[[launch]]\nfor = { variable = 'k', from = 0, to = 9, step = 0 }\n" + body, "step is 0"},
      {"[[launch]]\nfor = { variable = 'k', from = 0, to = 100001 }\n" + body, "too many launches"},
      {"[buffers.c]\ntype = 'f64'\ncount = 0\n" + launchOf("grid = 1\nblock = 1\n"),
       "count is 0; expected at least 1"},
      {"[buffers.c]\ntype = 'f64'\ncount = '1 << 28'\n" + launchOf("grid = 1\nblock = 1\n"),
       "too large; expected 2 GiB or less in all"},
      {"[buffers.c]\ntype = 'f64'\ncount = '1 << 62'\n" + launchOf("grid = 1\nblock = 1\n"),
       "too large"},
  };
  refusesAll(cases, [&](const std::string& text) { plan(text); });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace fermata::launch
