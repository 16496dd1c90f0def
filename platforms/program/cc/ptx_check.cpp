#include <fermata/platforms/program/cc/ptx_check.h>

#include <map>
#include <sstream>

#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/ptx/module.h>

namespace fermata::platforms {

namespace {

struct Place {
  unsigned file = 0;
  std::size_t line = 0;
};

/// The place in the source that the last `.loc` up to a line of PTX names. Without one in the same
/// function: line 0.
std::string placeOf(const std::string& ptx, std::size_t ptxLine, const std::string& source) {
  std::map<unsigned, std::string> files;
  Place last;
  std::istringstream in(ptx);
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    std::istringstream words(line);
    std::string first;
    words >> first;
    unsigned file = 0;
    if (first == ".file") {
      std::string name;
      words >> file >> name;
      if (name.size() > 2) files[file] = name.substr(1, name.size() - 2);
    }
    if (number > ptxLine) continue;  // names of files stand at the end, too
    if (first == ".loc") words >> last.file >> last.line;
    if (line == "}") last = {};
  }
  if (last.line == 0) return source;
  const auto named = files.find(last.file);
  return (named == files.end() ? source : named->second) + ":" + std::to_string(last.line);
}

}  // namespace

std::string refusalOf(const std::string& ptx, const std::string& source) {
  try {
    ptx::parse(ptx, "PTX of " + source);
    return "";
  } catch (const InputError& error) {
    return placeOf(ptx, error.where().line, source) + ": " + error.what();
  }
}

}  // namespace fermata::platforms
