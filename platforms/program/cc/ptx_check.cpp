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

/// Returns the source place named by the last `.loc` before a line of PTX. If its function has none
/// before that line: line 0.
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
    if (number > ptxLine) continue;  // `.file` directives may also stand at the end
    if (first == ".loc") words >> last.file >> last.line;
    if (line == "}") last = {};
  }
  if (last.line == 0) return source;
  const auto named = files.find(last.file);
  return (named == files.end() ? source : named->second) + ":" + std::to_string(last.line);
}

/// Blanks clang's list of what the host uses, which the device's linker drops: it may name kernels,
/// whose addresses no other variable may hold.
std::string withoutKeptAlive(std::string ptx) {
  const std::size_t list = ptx.find("__clang_gpu_used_external");
  if (list == std::string::npos) return ptx;
  const std::size_t begin = ptx.rfind('\n', list) + 1, end = ptx.find(';', list);
  return ptx.replace(begin, end - begin + 1, "");
}

}  // namespace

std::string refusalOf(const std::string& ptx, const std::string& source, bool relocatable) {
  try {
    ptx::parse(relocatable ? withoutKeptAlive(ptx) : ptx, "PTX of " + source,
               relocatable ? ptx::Decode::WhenAsked : ptx::Decode::AtOnce);
    return "";
  } catch (const InputError& error) {
    return placeOf(ptx, error.where().line, source) + ": " + error.what();
  }
}

}  // namespace fermata::platforms
