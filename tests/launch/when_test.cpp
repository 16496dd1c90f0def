// `when` on buffers, textures, checks and dumps, and expressions in file names.
#include "tests/launch/support.h"

namespace fermata::launch {
namespace {

const std::string kText = R"(kernel = 'k.cu'
[parameters]
n = 32
extra = { default = 1, allowed = [0, 1] }
[buffers.p]
type = 's32'
count = 'n'
fill = { file = 'in_{n}.bin' }
[buffers.q]
type = 's32'
count = 'n'
when = 'extra == 1'
[[launch]]
entry = 'add'
grid = 1
block = 32
arguments = [{ buffer = 'p' }, { s32 = 'count(q)' }]
[[launch]]
when = 'extra'
entry = 'copy'
grid = 1
block = 32
arguments = [{ buffer = 'p' }, { buffer = 'q' }]
[[check]]
buffer = 'p'
file = 'out_{extra}.bin'
[[check]]
buffer = 'q'
file = 'out_{extra}.bin'
when = 'extra'
[[dump]]
buffer = 'p'
file = 'p_{n}_{extra}.bin'
[[dump]]
buffer = 'q'
file = 'q.bin'
when = 'count(q) > 0'
)";

std::string values(std::int32_t from) {
  std::string bytes;
  for (std::int32_t i = 0; i < 32; ++i) {
    const std::int32_t value = i + from;
    bytes.append(reinterpret_cast<const char*>(&value), 4);
  }
  return bytes;
}

struct Kernels : Scratch {
  Kernels() {
    write("k.cu",
          "extern \"C\" __global__ void add(int* p, int v) { p[threadIdx.x] += v; }\n"
          "extern \"C\" __global__ void copy(const int* p, int* q) { q[threadIdx.x] = "
          "p[threadIdx.x]; }\n");
    write("in_32.bin", values(5));
    write("out_1.bin", values(37));
    write("out_0.bin", values(5));
    fs::create_directory(path("out"));
  }
  void dump(LaunchWorkload& workload) const {
    files::OutputSet files;
    workload.openDumps(files, path("out"));
    workload.dump();
    files.commit();
  }
  bool dumped(const std::string& name) const { return fs::exists(path("out/" + name)); }
};

BOOST_FIXTURE_TEST_SUITE(when, Kernels)

BOOST_AUTO_TEST_CASE(all_is_there_where_it_holds) {
  const auto workload = open(*this, kText);
  workload->runFunctionally();
  BOOST_TEST(workload->checkResults() == 2U);
  dump(*workload);
  BOOST_TEST(dumped("p_32_1.bin"));
  BOOST_TEST(dumped("q.bin"));
}

BOOST_AUTO_TEST_CASE(nothing_is_there_where_it_does_not) {
  const auto workload = open(*this, kText, {{"extra", "0"}});
  BOOST_TEST(workload->plan().buffers.size() == 1U);
  BOOST_TEST(workload->plan().scope.at("count(q)") == 0);
  workload->runFunctionally();
  BOOST_TEST(workload->checkResults() == 1U);
  dump(*workload);
  BOOST_TEST(dumped("p_32_0.bin"));
  BOOST_TEST(!dumped("q.bin"));
  refuses([&] { workload->contents("q"); }, "no buffer 'q'");
}

BOOST_AUTO_TEST_CASE(what_uses_an_absent_buffer_is_refused) {
  const std::string expected =
      "buffer 'q' is not there with these parameters, by its `when`; expected a `when` here too";
  for (const char* line :
       {"when = 'extra'\nentry", "when = 'extra'\n[[dump]]", "\nwhen = 'count(q) > 0'"}) {
    std::string text = kText;
    const std::string found = line;
    const std::size_t at = text.find(found);
    BOOST_REQUIRE(at != std::string::npos);
    const std::size_t start = text.find("when", at);
    text.erase(start, text.find('\n', start) - start);
    open(*this, text);
    refuses([&] { open(*this, text, {{"extra", "0"}}); }, expected, "test.toml:");
  }
  const std::string texture = kText + "[textures.t]\nbuffer = 'q'\nwidth = 4\n";
  refuses([&] { open(*this, texture, {{"extra", "0"}}); }, expected);
  refuses([&] { open(*this, texture, {{"extra", "1"}}); }, "no texture 't'");
  open(*this, texture + "when = 'extra'\n", {{"extra", "0"}});
}

BOOST_AUTO_TEST_CASE(names_are_checked_before_anything_runs) {
  std::string text = kText;
  text.replace(text.find("'q.bin'"), 7, "'q_{m}.bin'");
  refuses([&] { open(*this, text); }, "test.toml:36:12: unknown name 'm'");
  text = kText;
  text.replace(text.find("in_{n}"), 6, "in_{n - 1}");
  refuses([&] { open(*this, text); }, "in_31.bin");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace fermata::launch
