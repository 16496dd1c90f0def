// Headers and helpers of every fuzz target: the input as lines, a file that holds it, require().
#pragma once

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fermata/stimuli/input_error.h>

/// SystemC's library needs an sc_main; no target elaborates. A target is one file: it is defined
/// once.
extern "C" int sc_main(int, char**) {
  return 0;
}

namespace fermata::fuzz {

/// Removes the first line from `text` and returns it without its end.
inline std::string takeLine(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string line(text.substr(0, end));
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

/// Takes a number of at most `most` and the blank behind it from the front of `line`. Returns false
/// if there is none.
inline bool takeNumber(std::string& line, std::uint32_t most, std::uint32_t& number) {
  std::size_t digits = 0;
  std::uint64_t value = 0;
  while (digits < line.size() && digits < 10 && line[digits] >= '0' && line[digits] <= '9') {
    value = 10 * value + static_cast<unsigned>(line[digits++] - '0');
  }
  if (digits == 0 || value > most) return false;
  number = static_cast<std::uint32_t>(value);
  line.erase(0, digits + (digits < line.size() && line[digits] == ' ' ? 1 : 0));
  return true;
}

/// Aborts unless `holds`, a property of the program and not of the input; libFuzzer then keeps the
/// input.
inline void require(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what.c_str());
  std::abort();
}

/// A temporary file of this process, written anew for every input.
class InputFile {
 public:
  explicit InputFile(const std::string& suffix)
      : path_((std::filesystem::temp_directory_path() /
               ("fermata-fuzz-" + std::to_string(getpid()) + suffix))
                  .string()) {}
  ~InputFile() { std::remove(path_.c_str()); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& write(std::string_view text) {
    std::ofstream(path_, std::ios::binary) << text;
    return path_;
  }

 private:
  std::string path_;
};

}  // namespace fermata::fuzz
