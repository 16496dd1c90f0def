// Runs the program `fermata` from the command line, for tests that define FERMATA_PROGRAM.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/test.h"

namespace fermata::test {

/// Result of a command. Its checks can be chained; one that fails prints the command and its text.
struct Outcome {
  std::string command;
  int code = -1;
  std::string text;  ///< standard output and standard error

  /// Checks that the text has all parts.
  template <class... Parts>
  const Outcome& says(const Parts&... parts) const {
    for (const std::string& part : {std::string(parts)...})
      BOOST_TEST(has(text, part), command << "\ndoes not say '" << part << "' but\n" << text);
    return *this;
  }
  /// Checks that the text has none of the parts.
  template <class... Parts>
  const Outcome& lacks(const Parts&... parts) const {
    for (const std::string& part : {std::string(parts)...})
      BOOST_TEST(!has(text, part), command << "\nsays '" << part << "':\n" << text);
    return *this;
  }
  /// Ends the test case unless the exit code is the expected one; then checks that the text has all
  /// parts.
  template <class... Parts>
  const Outcome& ends(int expected, const Parts&... parts) const {
    BOOST_TEST_REQUIRE(code == expected, command << "\nends with " << code << ":\n" << text);
    if constexpr (sizeof...(parts) != 0) says(parts...);
    return *this;
  }
  template <class... Parts>
  const Outcome& ok(const Parts&... parts) const {
    return ends(0, parts...);
  }
  template <class... Parts>
  const Outcome& refused(const Parts&... parts) const {
    return ends(2, parts...);
  }
};

/// Runs a command of the shell; its standard error goes to standard output.
inline Outcome runShell(const std::string& command) {
  Outcome outcome{command, -1, ""};
  FILE* pipe = popen(("( " + command + " ) 2>&1").c_str(), "r");
  BOOST_REQUIRE(pipe != nullptr);
  char buffer[4096];
  for (std::size_t n = 0; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    outcome.text.append(buffer, n);
  const int status = pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

/// Runs the program in the folder; a shell reads the arguments.
inline Outcome runProgram(const std::string& arguments,
                          const fs::path& folder = fs::temp_directory_path()) {
  return runShell("cd '" + folder.string() + "' && '" FERMATA_PROGRAM "' " + arguments);
}

inline std::string readFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

inline std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Temporary folder of one test case.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("fermata_test_" + std::to_string(getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name, std::ios::binary) << text;
  }
};

}  // namespace fermata::test
