// A user's kernel files: compiled, refused with the compiler's message, or read as PTX.
#include <fermata/stimuli/launch/compile_cuda.h>

#include <fermata/stimuli/launch/catalog.h>
#include <fermata/stimuli/launch/data_directory.h>
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

BOOST_FIXTURE_TEST_SUITE(compile, Scratch)

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
