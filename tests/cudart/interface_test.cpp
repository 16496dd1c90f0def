// The library exports the functions that its headers declare, and nothing else.
#include <dlfcn.h>

#include <cctype>

#include "tests/support/program.h"

namespace fermata::test {
namespace {

const std::filesystem::path kHeaders =
    std::filesystem::path(FERMATA_SOURCE_DIR) / "stimuli" / "cuda" / "include";

bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Returns the code of a header without its comments.
std::string codeOf(const std::filesystem::path& path) {
  std::string code;
  for (const std::string& line : linesOf(readFile(path)))
    code += line.substr(0, line.find("//")) + '\n';
  return code;
}

/// Collects the words that start like names of the interface and precede a parenthesis.
void collect(const std::string& code, std::set<std::string>& names) {
  for (std::size_t at = 0; at < code.size();) {
    if (!isWord(code[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < code.size() && isWord(code[end])) ++end;
    const std::string word = code.substr(at, end - at);
    const std::size_t first = word.find_first_not_of('_');
    const std::string stem = first == std::string::npos ? "" : word.substr(first);
    const bool runtime = stem.rfind("cuda", 0) == 0 && stem.size() > 4 &&
                         std::isupper(static_cast<unsigned char>(stem[4])) != 0;
    const bool driver = word.rfind("cu", 0) == 0 && word.size() > 2 &&
                        std::isupper(static_cast<unsigned char>(word[2])) != 0;
    if ((runtime || driver) && code[end] == '(') names.insert(word);
    at = end;
  }
}

std::set<std::string> declared() {
  std::set<std::string> names;
  for (const char* file : {"cuda_runtime_api.h", "cuda.h", "parts/array_api.h", "parts/graph_api.h",
                           "parts/driver_virtual_memory.h", "parts/registration_api.h"})
    collect(codeOf(kHeaders / file), names);
  return names;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(interface)

BOOST_AUTO_TEST_CASE(every_function_that_is_declared_is_there) {
  void* const library = ::dlopen(FERMATA_CUDART, RTLD_NOW | RTLD_LOCAL);
  BOOST_TEST_REQUIRE(library != nullptr, ::dlerror());
  const std::set<std::string> names = declared();
  BOOST_TEST(names.size() > 200U);
  for (const std::string& name : names)
    BOOST_TEST(::dlsym(library, name.c_str()) != nullptr, name << " is declared and not there");
}

// Exported internals would be mixed with a program's own symbols of the same name.
BOOST_AUTO_TEST_CASE(nothing_else_is_seen) {
  FILE* const list = ::popen("nm -D --defined-only --extern-only '" FERMATA_CUDART "'", "r");
  BOOST_TEST_REQUIRE(list != nullptr);
  std::size_t count = 0;
  char name[4096];
  while (std::fscanf(list, "%*s %*s %4095s", name) == 1) {
    ++count;
    const std::string text = name;
    BOOST_TEST((text.rfind("cu", 0) == 0 || text.rfind("__cuda", 0) == 0 || text == "sc_main"),
               text);
  }
  BOOST_TEST(::pclose(list) == 0);
  BOOST_TEST(count > 200U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::test
