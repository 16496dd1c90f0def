// Settings that compile a .cu: width of addresses, architecture, include folders and macros.
#include <fermata/stimuli/launch/compile_settings.h>

#include <fermata/stimuli/launch/compile_cuda.h>
#include "tests/launch/support.h"

namespace fermata::launch {
namespace {

constexpr std::int64_t kBig = 10000000000;

// Sizes, pointers in structs and atomics of 64 bits. The results of each thread are worked out
// below.
const std::string kWide = R"(
struct Node { const long* in; unsigned long long* most; size_t n; short tag; long* out; };

__constant__ long table[2] = {1, 10000000000L};
__device__ long* kept;

extern "C" __global__ void wide(Node node, unsigned long long* sum) {
  __shared__ unsigned long long total;
  __shared__ long tile[32];
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  tile[31 - threadIdx.x] = i < node.n ? node.in[i] + 10000000000L : 0;
  __syncthreads();
  const long mine = tile[31 - threadIdx.x];
  atomicAdd(&total, (unsigned long long)mine);
  atomicMax(node.most, (unsigned long long)mine);
  __syncthreads();
  if (i < node.n) node.out[i] = mine + table[threadIdx.x & 1] + node.tag + (long)(node.n >> 33);
  if (threadIdx.x == 0) atomicAdd(sum, total);
  kept = node.out;
}
extern "C" __global__ void sizes(long* out, size_t n) {
  out[0] = sizeof(long);
  out[1] = sizeof(size_t);
  out[2] = sizeof(void*);
  out[3] = n == (size_t)30 << 33;
  out[4] = min(n, (size_t)5) + max(-7L, -9L);
  out[5] = out == (long*)((unsigned long long)out);
}
extern "C" __global__ void follow(long* out) { out[threadIdx.x] = kept[threadIdx.x] + 1; }
)";

std::string bufferOf(const std::string& name, const std::string& type, int count) {
  return "[buffers." + name + "]\ntype = '" + type + "'\ncount = " + std::to_string(count) +
         "\nfill = 'zero'\n";
}

BOOST_AUTO_TEST_SUITE(compile_settings)

BOOST_FIXTURE_TEST_CASE(a_kernel_has_64_bits, Scratch) {
  write("k.cu", kWide);
  const auto workload =
      open(*this,
           "kernel = 'k.cu'\n[buffers.in]\ntype = 's64'\ncount = 32\n"
           "fill = { iota = { step = 3000000000 } }\n" +
               bufferOf("most", "u64", 1) + bufferOf("sum", "u64", 1) + bufferOf("out", "s64", 32) +
               bufferOf("after", "s64", 32) + bufferOf("sizes", "s64", 6) +
               launchOf("wide",
                        "{ struct = [{ buffer = 'in' }, { buffer = 'most' }, { u64 = "
                        "'30 << 33' }, { s16 = -9 }, { buffer = 'out' }] }, "
                        "{ buffer = 'sum' }") +
               launchOf("follow", "{ buffer = 'after' }") +
               launchOf("sizes", "{ buffer = 'sizes' }, { u64 = '30 << 33' }"));
  workload->runFunctionally();
  const auto out = elementsOf<std::int64_t>(workload->contents("out"));
  const auto after = elementsOf<std::int64_t>(workload->contents("after"));
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < 32; ++i) {
    const std::int64_t mine = i * 3000000000 + kBig;
    sum += mine;
    BOOST_TEST(out[static_cast<std::size_t>(i)] == mine + (i % 2 == 0 ? 1 : kBig) - 9 + 30);
    BOOST_TEST(after[static_cast<std::size_t>(i)] == out[static_cast<std::size_t>(i)] + 1);
  }
  BOOST_TEST(elementsOf<std::int64_t>(workload->contents("sum"))[0] == sum);
  BOOST_TEST(elementsOf<std::int64_t>(workload->contents("most"))[0] == 31 * 3000000000 + kBig);
  const std::vector<std::int64_t> sizes = {8, 8, 8, 1, 5 - 7, 1};
  BOOST_TEST(elementsOf<std::int64_t>(workload->contents("sizes")) == sizes, tt::per_element());
}

BOOST_FIXTURE_TEST_CASE(or_32_where_it_says_so, Scratch) {
  write("k.cu",
        "extern \"C\" __global__ void k(int* out, size_t n) { out[0] = sizeof(long); out[1] = "
        "sizeof(void*); out[2] = n; }\n");
  const std::string text =
      bufferOf("out", "s32", 3) + launchOf("k", "{ buffer = 'out' }, { u32 = 7 }");
  const auto workload = open(*this, "kernel = 'k.cu'\naddress_bits = 32\n" + text);
  workload->runFunctionally();
  const std::vector<std::int32_t> expected = {4, 4, 7};
  BOOST_TEST(elementsOf<std::int32_t>(workload->contents("out")) == expected, tt::per_element());
  refuses([&] { open(*this, "kernel = 'k.cu'\n" + text); },
          "u32 of 4 bytes for parameter 1 (.u64, 8 bytes)");
}

BOOST_FIXTURE_TEST_CASE(machine_code_has_64_bits_in_any_case, Scratch) {
  const auto bitsOf = [&](MachineLevel code) {
    WorkloadOptions options;
    options.code = code;
    const auto workload = open(*this,
                               "kernel = 'k.cu'\naddress_bits = 32\n" + bufferOf("out", "s32", 1) +
                                   launchOf("k", "{ buffer = 'out' }"),
                               {}, options);
    workload->runFunctionally();
    return 8 * elementsOf<std::int32_t>(workload->contents("out"))[0];
  };
  write("k.cu", "extern \"C\" __global__ void k(int* out) { *out = sizeof(void*); }\n");
  BOOST_TEST(bitsOf(MachineLevel::Ptx) == 32);
  BOOST_TEST(bitsOf(MachineLevel::Sass) == 64);
  // Its compiled forms stand for it; one of 32 bits alone is taken as it is.
  fs::remove(path("k.cu"));
  for (const auto& [file, bits] : {std::pair{"k.ptx", "32"}, {"k.64.ptx", "64"}}) {
    write(file, std::string(".version 4.2\n.target sm_20\n.address_size ") + bits +
                    "\n.visible .entry k(.param .u" + bits + " out)\n{\n.reg .b" + bits +
                    " %a; .reg .b32 %s;\nld.param.u" + bits + " %a, [out];\nmov.u32 %s, " +
                    std::to_string(std::stoi(bits) / 8) + ";\nst.global.u32 [%a], %s;\nret;\n}\n");
    BOOST_TEST(bitsOf(MachineLevel::Ptx) == 32);
    BOOST_TEST(bitsOf(MachineLevel::Sass) == std::stoi(bits));
  }
}

BOOST_FIXTURE_TEST_CASE(headers_and_macros_reach_the_compiler, Scratch) {
  fs::create_directories(path("headers/deep"));
  write("headers/first.h", "#include <deep/second.h>\n");
  write("headers/deep/second.h",
        "static __device__ __noinline__ int second(int a) { return a + ADDED; }\n");
  write(
      "k_3.cu",
      "#include \"first.h\"\nextern \"C\" __global__ void k(int* out) {\n  const int start[] = "
      "START;\n  *out = second(start[1 + blockIdx.x]);\n#ifdef FLAG\n  *out += 1000;\n#endif\n}\n");
  const auto workload =
      open(*this,
           "kernel = 'k_{n}.cu'\ninclude = ['headers']\ndefine = ['ADDED={n * 10}', "
           "'START={{1, {n + 1}}}', 'FLAG']\n[parameters]\nn = 3\n" +
               bufferOf("out", "s32", 1) + launchOf("k", "{ buffer = 'out' }"));
  workload->runFunctionally();
  BOOST_TEST(elementsOf<std::int32_t>(workload->contents("out"))[0] == 30 + 4 + 1000);
  bool found = false;  // lines of a header are named without the include folder
  for (std::uint32_t pc = 0; pc < workload->instructionCount(0); ++pc) {
    found = found || workload->instructionText(0, pc).file == "deep/second.h";
  }
  BOOST_TEST(found);
}

BOOST_FIXTURE_TEST_CASE(every_architecture_named_compiles, Scratch) {
  write("k.cu", "extern \"C\" __global__ void k(int* out) { *out = __CUDA_ARCH__; }\n");
  for (const int arch :
       {20, 21, 30, 32, 35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90}) {
    const auto workload =
        open(*this, "kernel = 'k.cu'\narch = 'sm_{a}'\n[parameters]\na = " + std::to_string(arch) +
                        "\n" + bufferOf("out", "s32", 1) + launchOf("k", "{ buffer = 'out' }"));
    workload->runFunctionally();
    BOOST_TEST(elementsOf<std::int32_t>(workload->contents("out"))[0] == arch * 10);
  }
}

BOOST_FIXTURE_TEST_CASE(refusals_say_what_would_do, Scratch) {
  write("k.cu", "extern \"C\" __global__ void k() {}\n");
  write("k.ptx",
        ".version 4.2\n.target sm_20\n.address_size 32\n.visible .entry k()\n{\n  ret;\n}\n");
  const std::vector<Refusal> cases = {
      {"arch = 'sm_13'",
       "test.toml:2:8: clang-16 does not compile for arch 'sm_13'; expected one "
       "of sm_20, sm_21"},
      {"arch = 'sm_88'", "sm_89, sm_90, sm_90a, sm_100, "},
      {"arch = 35", "test.toml:2:8: 'arch' is an integer; expected a string"},
      {"address_bits = 16", "test.toml:2:16: address_bits is 16; expected 32 or 64"},
      {"include = ['nowhere']", "test.toml:2:12: '"},
      {"include = ['nowhere']", "nowhere' is no folder"},
      {"include = 'nowhere'", "test.toml:2:11: 'include' is a string; expected a list of strings"},
      {"define = ['A=1', 'A']", "test.toml:2:18: 'A' is defined twice"},
      {"define = ['1A']", "'1A' defines no macro; expected NAME or NAME=value"},
      {"define = ['=1']", "'=1' defines no macro"},
      {"define = [\"A=1\\n#error\"]", "defines no macro"},
      {"define = ['A={b}']", "test.toml:2:15: unknown name 'b'"},
  };
  refusesAll(cases, [&](const std::string& line) {
    open(*this, "kernel = 'k.cu'\n" + line + "\n" + launchOf("k", ""));
  });
}

BOOST_FIXTURE_TEST_CASE(ptx_is_compiled_already, Scratch) {
  write("k.ptx",
        ".version 4.2\n.target sm_20\n.address_size 32\n.visible .entry k()\n{\n  ret;\n}\n");
  // k.cu does not exist: its compiled k.ptx stands for it.
  for (const std::string file : {"k.ptx", "k.cu"}) {
    const auto openWith = [&](const std::string& line) {
      open(*this, "kernel = '" + file + "'\n" + line + "\n" + launchOf("k", ""));
    };
    openWith("address_bits = 32");
    refuses([&] { openWith("address_bits = 64"); },
            "test.toml:2:16: '" + path("k.ptx") + "' has addresses of 32 bits");
    openWith("arch = 'sm_20'");
    refuses([&] { openWith("arch = 'sm_80'"); },
            "test.toml:2:8: '" + path("k.ptx") + "' is code for sm_20");
    refuses([&] { openWith("include = ['.']"); }, "'include' has no effect");
    refuses([&] { openWith("define = ['A']"); }, "'define' has no effect");
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace fermata::launch
