// The headers compile on both sides, in any order, without a warning.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <iterator>
#include <set>
#include <sstream>

#include <fermata/platforms/program/cc/compile_program.h>
#include <fermata/platforms/program/command.h>
#include <fermata/stimuli/launch/data_directory.h>

#include "tests/support/temporary_folder.h"

namespace {

using namespace fermata;
using namespace fermata::test;
namespace fs = std::filesystem;

fs::path headers() {
  return fs::path(launch::dataDirectory()) / "cuda" / "include";
}

/// Returns the headers in the installed folder that CUDA programs name, without their inner parts.
std::set<std::string> publicHeaders() {
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(headers())) {
    const std::string name = fs::relative(entry.path(), headers()).generic_string();
    const bool inner = name.rfind("parts/", 0) == 0 || name.rfind("math/", 0) == 0 ||
                       name.rfind("hip/", 0) == 0;                 // another language
    const std::string ending = entry.path().extension().string();  // <cuda/barrier> has none
    if (entry.is_regular_file() && (ending == ".h" || ending.empty()) && !inner) names.insert(name);
  }
  return names;
}

int run(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return platforms::runCommand(words, platforms::CommandErrors::Shown, "clang-16").code;
}

/// Compiles with our headers on the program's own include path: the compiler then warns of them.
std::vector<std::string> cudaWords(const std::string& level, const std::string& standard) {
  std::istringstream common(
      "clang++-16 -x cuda -nocudainc -nocudalib -Xclang -target-sdk-version=11.0 "
      "--cuda-path=/nonexistent -Wall -Wextra -Werror -Wno-c++17-extensions -include "
      "cuda_runtime.h");
  std::vector<std::string> words{std::istream_iterator<std::string>(common), {}};
  words.insert(words.end(), {level, "-std=" + standard, "-I" + headers().string()});
  return words;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(program_headers)

BOOST_AUTO_TEST_CASE(are_all_copied) {
  std::set<std::string> there;
  const fs::path source = FERMATA_SOURCE_DIR "/stimuli/cuda/include";
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source)) {
    if (!entry.is_regular_file()) continue;
    const fs::path name = fs::relative(entry.path(), source);
    BOOST_TEST(bytesOf(entry.path()) == bytesOf(headers() / name), name);
  }
}

BOOST_AUTO_TEST_CASE(compile_in_any_order_on_both_sides) {
  const TemporaryFolder folder;
  std::string forwards, backwards;
  for (const std::string& header : publicHeaders()) {
    const std::string line = "#include <" + header + ">\n";
    forwards += line;
    backwards = line + backwards;
  }
  folder.put("forwards.cu", forwards + forwards);
  folder.put("backwards.cu", backwards);
  BOOST_TEST(publicHeaders().size() > 40);
  for (const char* name : {"forwards.cu", "backwards.cu"}) {
    const std::string file = (folder / name).string();
    BOOST_TEST(run(cudaWords("-O0", "gnu++17"), {"--cuda-host-only", "-fsyntax-only", file}) == 0,
               name);
    BOOST_TEST(run(cudaWords("-O0", "gnu++14"),
                   {"--cuda-device-only", "--cuda-gpu-arch=sm_70", "-Xclang", "-target-feature",
                    "-Xclang", "+ptx70", "-fsyntax-only", file}) == 0,
               name);
  }
}

/// everything.cu names nearly the whole language; `cc` compiles it at each level without a warning.
BOOST_AUTO_TEST_CASE(compile_with_all_that_programs_name) {
  const TemporaryFolder folder;
  for (const std::string level : {"-O0", "-O1", "-O3"}) {
    const std::string output = (folder / "everything.o").string();
    const std::string source = FERMATA_SOURCE_DIR "/tests/cuda_programs/everything.cu";
    BOOST_TEST(platforms::compileProgram(platforms::readProgramRequest(
                   {source, "-c", "-o", output, level, "-Wall", "-Wextra", "-Werror"})) == 0,
               level);
  }
}

// CUDA's headers bring C's headers and std::chrono, and nvcc warns of narrowing where clang refuses
// it.
BOOST_AUTO_TEST_CASE(let_programs_do_what_they_do_with_nvcc) {
  const TemporaryFolder folder;
  const std::string narrows =
      "struct Extent { unsigned long rows; int columns; };\n"
      "int main(int count, char**) {\n  unsigned width = 7;\n"
      "  const Extent extent{count, width};\n  return extent.columns - 7;\n}\n";
  const std::string times =
      "static long ticks() { return std::chrono::steady_clock::now().time_since_epoch().count(); }"
      "\nlong global = ticks();\n";
  folder.put("groups.cu", "#include <cooperative_groups.h>\n" + times + narrows);
  folder.put("barrier.cu", "#include <cuda/barrier>\n" + times + narrows);
  folder.put("plain.cpp", narrows);
  folder.put("bare.cu",
             "__global__ void k(int* to) { *to = (int)clock(); }\n"
             "int main() {\n  const clock_t now = clock();\n  char text[8];\n"
             "  memset(text, 0, sizeof text);\n  assert(strlen(text) == 0);\n"
             "  printf(\"%ld %ld\\n\", (long)time(nullptr), (long)now);\n"
             "  free(malloc(std::sqrt(4.0)));\n}\n");
  for (const char* name : {"groups.cu", "barrier.cu", "plain.cpp", "bare.cu"}) {
    const std::string source = (folder / name).string();
    BOOST_TEST(platforms::compileProgram(
                   platforms::readProgramRequest({source, "-c", "-o", source + ".o"})) == 0,
               name);
  }
}

BOOST_AUTO_TEST_CASE(are_read_by_other_compilers) {
  const TemporaryFolder folder;
  folder.put("one.c",
             "#include <cuda.h>\n#include <cuda_runtime_api.h>\n"
             "#include <vector_functions.h>\nint main(void) { return make_int2(0, 1).x; }\n");
  folder.put("one.cpp",
             "#include <cuda.h>\n#include <cuda_runtime.h>\n"
             "int main() { float* p; return cudaMalloc(&p, 4) != cudaSuccess; }\n");
  const std::string include = "-I" + headers().string();
  for (const char* compiler : {"c++", "clang++-16"}) {
    BOOST_TEST(run({compiler, "-fsyntax-only", "-Wall", "-Wextra", "-Werror", include},
                   {(folder / "one.cpp").string()}) == 0);
  }
  for (const char* compiler : {"cc", "clang-16"}) {
    BOOST_TEST(run({compiler, "-fsyntax-only", "-Wall", "-Wextra", "-Werror", include},
                   {(folder / "one.c").string()}) == 0);
  }
}

BOOST_AUTO_TEST_SUITE_END()
