// A launch by the words of a command line.
#include <fermata/stimuli/launch/command_launch.h>

#include <fermata/stimuli/launch/catalog.h>
#include <fermata/stimuli/launch/npy.h>
#include "tests/launch/support.h"

namespace fermata::launch {
namespace {

const std::string kAdd = R"(
extern "C" __global__ void add(const float* in, float* out, int n, float a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + a;
}
)";

struct Kernel : Scratch {
  Kernel() {
    put("add.cu", kAdd);
    std::vector<float> values(64);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    put("in.npy", npyHeader(ElementType::F32, {8, 8}) +
                      std::string(reinterpret_cast<const char*>(values.data()), 256));
    launch.entry = "add";
    launch.grid = "2";
    launch.block = "32";
    launch.arguments = {"in=" + path("in.npy"), "out=out:float32[8,8]", "n=int32:60", "a=f32:0.5"};
  }
  std::unique_ptr<LaunchWorkload> opened() const {
    WorkloadOptions options;
    options.launch = launch;
    return openLaunch(path("add.cu"), {}, options);
  }
  CommandLaunch launch;
};

BOOST_FIXTURE_TEST_SUITE(command_launch, Kernel)

BOOST_AUTO_TEST_CASE(runs_and_dumps) {
  const auto workload = opened();
  BOOST_TEST(workload->plan().launches.size() == 1U);
  files::OutputSet outputs;
  workload->openDumps(outputs, path("."));
  workload->runFunctionally();
  workload->dump();
  outputs.commit();
  const NpyArray made = readNpy(path("out.npy"), {});
  BOOST_TEST((made.shape == Shape{8, 8}));
  const auto values = elementsOf<float>(made.bytes);
  BOOST_TEST(values[0] == 0.5F);
  BOOST_TEST(values[59] == 59.5F);
}

BOOST_AUTO_TEST_CASE(takes_every_kind_of_argument) {
  launch.arguments = {"in=inout:" + path("in.npy"), "out=zero:f32[2,32]", "n=u32:60",
                      "a=float32:inf"};
  launch.grid = "2,1,1";
  launch.shared = "128";
  launch.arch = "sm_80";
  launch.defines = {"UNUSED=1"};
  const auto workload = opened();
  BOOST_TEST(workload->plan().launches[0].dynamicSharedBytes == 128U);
  BOOST_TEST(workload->plan().dumps.size() == 1U);  // only what comes back
  BOOST_TEST(workload->plan().compile.arch->text == "sm_80");
}

BOOST_AUTO_TEST_CASE(takes_the_largest_number) {
  put("store.cu",
      "extern \"C\" __global__ void add(unsigned long long* o, unsigned long long v) { *o = v; }");
  launch.block = launch.grid = "1";
  launch.arguments = {"o=out:uint64[1]", "v=uint64:18446744073709551611"};
  WorkloadOptions options;
  options.launch = launch;
  const auto workload = openLaunch(path("store.cu"), {}, options);
  workload->runFunctionally();
  BOOST_TEST(elementsOf<std::uint64_t>(workload->contents("o"))[0] == 18446744073709551611U);
}

BOOST_AUTO_TEST_CASE(changes_buffers_of_a_launch_file) {
  put("add.toml",
      "kernel = 'add.cu'\n[buffers]\nin = { type = 'f32', count = 64 }\n"
      "out = { type = 'f32', count = 64 }\n[[dump]]\nbuffer = 'in'\nfile = 'in.bin'\n" +
          launchOf("add", "{ buffer = 'in' }, { buffer = 'out' }, { s32 = 32 }, { f32 = 1 }"));
  WorkloadOptions options;
  options.launch.buffers = {"in=" + path("in.npy")};
  options.launch.dumps = {"out=o.npy"};
  const auto workload = openLaunch(path("add.toml"), {}, options);
  workload->runFunctionally();
  BOOST_TEST(elementsOf<float>(workload->contents("out"))[31] == 32.0F);
  BOOST_TEST(workload->plan().dumps.size() == 2U);
  options.launch.buffers = {"no=" + path("in.npy")};
  refuses([&] { openLaunch(path("add.toml"), {}, options); },
          "--buffer no=", "no buffer 'no'; expected one of in, out");
  options.launch = launch;
  refuses([&] { openLaunch(path("add.toml"), {}, options); }, "is a launch file",
          "expected them with a kernel file");
}

BOOST_AUTO_TEST_CASE(refuses_arguments) {
  const std::vector<Refusal> table{
      {"n", {"--arg n: no '='; expected"}},
      {"1=int32:1", {"'1' cannot be a name"}},
      {"n=", {"no value"}},
      {"n=7", {"--arg n=7: no such value; expected FILE.npy, in:FILE.npy"}},
      {"n=int:7", {"no type 'int'"}},
      {"n=i8:7", {"no type 'i8'"}},
      {"n=int32:x", {"'x' is no number; expected a whole one"}},
      {"n=int32:2.5", {"'2.5' is no number"}},
      {"n=int32:4294967296", {"4294967296 does not fit s32"}},
      {"n=float32:x", {"'x' is no number; expected one such as 2.5"}},
      {"n=out:float32", {"'float32' has no shape"}},
      {"n=out:float32[]", {"'' is no size"}},
      {"n=out:float32[0]", {"'0' is no size"}},
      {"n=out:float32[2,x]", {"'x' is no size"}},
      {"n=out:float32[99999999999,99999999999]", {"too large"}},
      {"in=out:float32[2]", {"'in' is the name of another array"}},
      {"n=absent.npy", {"'absent.npy' cannot be read"}},
      {"n=in:absent.npy", {"'absent.npy' cannot be read"}}};
  refusesAll(table, [&](const std::string& argument) {
    launch.arguments = {"in=" + path("in.npy"), "out=out:float32[8,8]", argument, "a=f32:0.5"};
    (void)opened();
  });
}

BOOST_AUTO_TEST_CASE(refuses_sizes_and_absent_options) {
  launch.grid = "2,";
  refuses([&] { opened(); }, "--grid 2,: '' is no size");
  launch.grid = "1,1,1,1";
  refuses([&] { opened(); }, "4 sizes; expected one to three");
  launch.grid = "";
  refuses([&] { opened(); }, "--grid is missing");
  launch.grid = "1";
  launch.block = "2048";
  refuses([&] { opened(); }, "--block 2048: block is 2048; expected 1 to 1024");
  launch.block = "32";
  launch.entry = "";
  refuses([&] { opened(); }, "no --entry says which kernel runs");
  launch.entry = "nonsense";
  refuses([&] { opened(); }, "--entry nonsense", "add");
  launch = {};
  refuses([&] { opened(); }, "a kernel alone does not say its grid and arguments");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace fermata::launch
