#include <fermata/platforms/program/cc/launch_sizes.h>
#include <fermata/stimuli/refuse.h>

#include <cctype>
#include <string_view>
#include <vector>

namespace fermata::platforms {

namespace {

constexpr std::string_view kAnnotations = "@llvm.global.annotations = ";
constexpr std::size_t kFieldsOfOne = 4;  ///< names: kernel, text, file, arguments

/// Returns the line that defines a global; empty: there is none.
std::string_view definitionOf(std::string_view llvm, const std::string& global) {
  const std::string begin = '\n' + global + " = ";
  const std::size_t at = llvm.find(begin);
  if (at == std::string_view::npos) return {};
  return llvm.substr(at + 1, llvm.find('\n', at + 1) - at - 1);
}

/// Returns the names of globals in a line: "@name", without quotes.
std::vector<std::string> globalsIn(std::string_view line) {
  std::vector<std::string> names;
  for (std::size_t at = 0; (at = line.find("ptr @", at)) != std::string_view::npos;) {
    at += 4;
    const bool quoted = line.substr(at, 2) == "@\"";
    const std::size_t end = quoted ? line.find('"', at + 2) + 1 : line.find_first_of(", })", at);
    names.emplace_back(line.substr(at, end - at));
    at = end;
  }
  return names;
}

/// Returns the numbers of a constant struct: "{ i32, i32 } { i32 2, i32 1 }".
std::vector<std::string> numbersIn(std::string_view definition) {
  std::vector<std::string> numbers;
  const std::size_t types = definition.find('{');
  std::size_t at = types == std::string_view::npos ? types : definition.find('{', types + 1);
  const std::size_t end = definition.find('}', at == std::string_view::npos ? at : at + 1);
  while (at < end && (at = definition.find(' ', definition.find('i', at))) < end) {
    std::string number;
    for (++at; at < end && std::isdigit(static_cast<unsigned char>(definition[at])) != 0; ++at)
      number += definition[at];
    if (!number.empty()) numbers.push_back(number);
  }
  return numbers;
}

/// Returns the place of annotation number `k` of a line of them; `file` defines its file's name.
SourceLocation placeOf(std::string_view annotations, std::size_t k, std::string_view file) {
  SourceLocation place;
  const std::size_t name = file.find("c\"");
  if (name != std::string_view::npos)
    place.file = file.substr(name + 2, file.find("\\00", name) - name - 2);
  constexpr std::string_view kLine = ", i32 ";  // the one number of each
  std::size_t at = annotations.find(kLine);
  while (k-- > 0) at = annotations.find(kLine, at + 1);
  for (at += kLine.size(); std::isdigit(static_cast<unsigned char>(annotations[at])) != 0; ++at)
    place.line = 10 * place.line + static_cast<unsigned>(annotations[at] - '0');
  return place;
}

/// Returns the directives for sizes of clusters or blocks.
std::string directivesOf(const std::vector<std::string>& sizes, bool ofCluster,
                         const SourceLocation& place) {
  if (sizes.size() > 3)
    refuse(place,
           "__block_size__ with a second tuple, for grids counted in clusters, is not there; "
           "expected one tuple, and __cluster_dims__");
  std::string text = ofCluster ? "\n.explicitcluster\n.reqnctapercluster " : "\n.reqntid ";
  for (const std::string& one : sizes) text += (&one == &sizes.front() ? "" : ", ") + one;
  return text;
}

}  // namespace

LaunchSizes launchSizesIn(const std::string& llvm) {
  LaunchSizes sizes;
  const std::size_t begin = llvm.find(kAnnotations);
  if (begin == std::string::npos) return sizes;
  const std::string_view line =
      std::string_view(llvm).substr(begin, llvm.find('\n', begin) - begin);
  const std::vector<std::string> names = globalsIn(line);
  for (std::size_t k = 0; k + kFieldsOfOne <= names.size(); k += kFieldsOfOne) {
    const std::string_view text = definitionOf(llvm, names[k + 1]);
    const bool ofCluster = text.find("\"fermata_cluster_dims\\00\"") != std::string_view::npos;
    const bool ofBlock = text.find("\"fermata_block_size\\00\"") != std::string_view::npos;
    if (!ofCluster && !ofBlock) continue;
    const SourceLocation place = placeOf(line, k / kFieldsOfOne, definitionOf(llvm, names[k + 2]));
    sizes[names[k].substr(1)] +=
        directivesOf(numbersIn(definitionOf(llvm, names[k + 3])), ofCluster, place);
  }
  return sizes;
}

std::string withLaunchSizes(const std::string& ptx, const LaunchSizes& sizes) {
  std::string made = ptx;
  for (const auto& [kernel, directives] : sizes) {
    const std::string entry = ".entry " + kernel + '(';
    for (std::size_t at = 0; (at = made.find(entry, at)) != std::string::npos;) {
      at = made.find(')', at);
      if (at == std::string::npos) break;
      made.insert(++at, directives);
    }
  }
  return made;
}

}  // namespace fermata::platforms
