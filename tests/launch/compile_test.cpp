// A user's kernel files: compiled, refused with the compiler's message, or read as PTX.
#include <fermata/stimuli/launch/compile_cuda.h>

#include <fermata/stimuli/launch/catalog.h>
#include <fermata/stimuli/launch/data_directory.h>
#include <fermata/stimuli/launch/register_arrays.h>
#include "tests/launch/support.h"

namespace fermata::launch {
namespace {

const SourceLocation kWhere{"f.toml", 1, 10};

const std::string kDouble = R"(
extern "C" __global__ void twice(int* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] *= 2;
}
)";

/// Sets an environment variable while the object lives.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    const char* old = std::getenv(name);
    had_ = old != nullptr;
    if (had_) old_ = old;
    ::setenv(name, value.c_str(), 1);
  }
  ~Environment() {
    if (had_) {
      ::setenv(name_, old_.c_str(), 1);
    } else {
      ::unsetenv(name_);
    }
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::string old_;
  bool had_ = false;
};

/// A kernel with a tile of products in an array, and no word on unrolling.
std::string tileOf(unsigned side) {
  return "constexpr int T = " + std::to_string(side) + R"(;
extern "C" __global__ void tile(const float* a, const float* b, float* c, int n) {
  float sums[T * T] = {0};
  float x[T], y[T];
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < T; ++i) x[i] = a[k * T + i];
    for (int i = 0; i < T; ++i) y[i] = b[k * T + i];
    for (int i = 0; i < T; ++i)
      for (int j = 0; j < T; ++j) sums[i * T + j] += x[i] * y[j];
  }
  for (int i = 0; i < T * T; ++i) c[threadIdx.x + i * 32] = sums[i];
}
)";
}

BOOST_FIXTURE_TEST_SUITE(compile, Scratch)

// nvcc 13.0 has both in these places.
BOOST_AUTO_TEST_CASE(keeps_arrays_in_registers_where_nvcc_does) {
  for (const auto& [side, inRegisters] : {std::pair{8U, true}, {17U, true}, {24U, false}}) {
    const auto module = compileCuda(write("tile.cu", tileOf(side)), kWhere);
    BOOST_TEST_CONTEXT("tile of " << side)
    BOOST_TEST((module->kernel("tile").localBytes() == 0) == inRegisters);
  }
}

// The float's own bits would be lost if an int were thought to lie elsewhere; nvcc supposes
// nothing.
BOOST_AUTO_TEST_CASE(types_do_not_keep_accesses_apart) {
  const auto module = compileCuda(write("pun.cu", R"(
extern "C" __global__ void pun(float* a, int* b, float* c) {
  *a = 1.0f;
  *b = 2;
  *c = *a;
}
)"),
                                  kWhere);
  const ptx::Kernel& kernel = module->kernel("pun");
  bool loads = false;
  for (std::uint32_t pc = 0; pc < kernel.instructionCount(); ++pc)
    loads = loads || kernel.text(pc).opcode.rfind("ld.global", 0) == 0;
  BOOST_TEST(loads);
}

BOOST_AUTO_TEST_CASE(counts_local_bytes_of_a_text) {
  const std::string two =
      ".local .align 8 .b8 \t__local_depot0[40];\nmov.u64 %SPL, __local_depot0;\n"
      ".local .align 8 .b8 \t__local_depot12[2];\n";
  BOOST_TEST(localBytes(two) == 42U);
  BOOST_TEST(localBytes("mov.u64 %SPL, __local_depot0;") == 0U);
  BOOST_TEST(withFewerLocalBytes(two, "ret;") == "ret;");
  BOOST_TEST(withFewerLocalBytes(two, two + " ") == two);
}

BOOST_AUTO_TEST_CASE(compiles_a_kernel_with_its_source_lines) {
  const auto module = compileCuda(write("twice.cu", kDouble), kWhere);
  BOOST_TEST(module->entries().size() == 1U);
  const ptx::Kernel& kernel = module->kernel("twice");
  bool found = false;
  for (std::uint32_t pc = 0; pc < kernel.instructionCount(); ++pc) {
    if (kernel.text(pc).opcode.rfind("st.global", 0) != 0) continue;
    found = true;
    BOOST_TEST(kernel.text(pc).line == 4U);
    BOOST_TEST(kernel.text(pc).file == "twice.cu");  // no path: results do not depend on it
  }
  BOOST_TEST(found);
}

BOOST_AUTO_TEST_CASE(passes_on_what_the_compiler_says) {
  const std::string path = write("bad.cu", "__global__ void k(int* p) {\n  *p = undeclared;\n}\n");
  refuses([&] { compileCuda(path, kWhere); }, "f.toml:1:10: '" + path + "' does not compile",
          "bad.cu:2:8: error: use of undeclared identifier 'undeclared'");
}

BOOST_AUTO_TEST_CASE(a_program_of_both_sides_is_pointed_to_cc) {
  const std::string path = write("both.cu", "#include <cstdio>\n__global__ void k() {}\n");
  refuses([&] { compileCuda(path, kWhere); }, "is built by 'fermata cc' and run by 'fermata exec'",
          "'cstdio' file not found");
}

BOOST_AUTO_TEST_CASE(leaves_no_temporary_files) {
  const std::string source = write("twice.cu", kDouble);
  fs::create_directory(path("tmp"));
  const Environment temporary("TMPDIR", path("tmp"));
  compileCuda(source, kWhere);
  BOOST_TEST(fs::is_empty(path("tmp")));
  const Environment off("FERMATA_CACHE", "off");
  const Environment nowhere("TMPDIR", "/nonexistent");
  BOOST_CHECK_THROW(compileCuda(source, kWhere), std::exception);
}

BOOST_AUTO_TEST_CASE(says_when_there_is_no_compiler) {
  const std::string source = write("twice.cu", kDouble);
  const Environment path("PATH", "/nonexistent");
  refuses([&] { compileCuda(source, kWhere); }, "clang++-16 cannot be started",
          "apt-get install clang-16");
}

BOOST_AUTO_TEST_CASE(takes_ptx_as_it_is_or_in_place_of_a_source) {
  write("k.ptx",
        ".version 4.2\n.target sm_20\n.address_size 32\n.visible .entry k()\n{\n  ret;\n}\n");
  BOOST_TEST(loadKernels(path("k.ptx"), kWhere)->entries().front() == "k");
  BOOST_TEST(loadKernels(path("k.cu"), kWhere)->entries().front() == "k");
  refuses([&] { loadKernels(path("m.cu"), kWhere); },
          "m.cu' cannot be read; expected a .cu or .ptx file");
  refuses([&] { loadKernels(path("k.txt"), kWhere); }, "is not a kernel file");
}

BOOST_AUTO_TEST_CASE(a_kernel_alone_is_not_a_workload) {
  for (const char* path : {"dir/saxpy.cu", "dir/saxpy.ptx"}) {
    refuses([&] { openLaunch(path, {}); }, "or a launch file, such as saxpy.toml");
  }
  refuses([] { openLaunch("strid", {}); }, "no workload 'strid'; expected one of ");
  refuses([] { openLaunch("none.toml", {}); }, "none.toml: cannot be read");
  BOOST_TEST(isLaunchPath("a/b.toml"));
  BOOST_TEST(!isLaunchPath("stride"));
}

BOOST_AUTO_TEST_CASE(the_data_folder_can_be_chosen) {
  const std::string folder = dataDirectory();
  fs::copy(folder, path("data"), fs::copy_options::recursive);
  const Environment chosen("FERMATA_DATA", path("data"));
  BOOST_TEST(dataDirectory() == path("data"));
  const Environment wrong("FERMATA_DATA", path("nothing"));
  refuses([] { dataDirectory(); }, "FERMATA_DATA is");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace fermata::launch
