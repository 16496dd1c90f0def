#include <fermata/platforms/program/cc/architectures.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include <fermata/platforms/program/cc/program_options.h>
#include <fermata/stimuli/launch/newer_architectures.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

struct Architecture {
  std::string number;
  std::string_view ptx;
};

/// Returns the architectures from the first with warp shuffles on, the newest last, with the PTX
/// versions that clang-16 writes. PTX 7.0 is CUDA 11.0's.
const std::vector<Architecture>& architectures() {
  static const std::vector<Architecture> all = [] {
    std::vector<Architecture> some = {
        {"30", "70"}, {"32", "70"}, {"35", "70"}, {"37", "70"}, {"50", "70"}, {"52", "70"},
        {"53", "70"}, {"60", "70"}, {"61", "70"}, {"62", "70"}, {"70", "70"}, {"72", "70"},
        {"75", "70"}, {"80", "70"}, {"86", "71"}, {"87", "74"}, {"89", "78"}, {"90", "78"}};
    for (const std::string& name : launch::newerArchitectures())
      some.push_back({name.substr(3), "78"});
    return some;
  }();
  return all;
}

constexpr const char* kDefault = "sm_70";

std::string_view numberOf(std::string_view text) {
  for (const std::string_view start : {"sm_", "compute_"}) {
    if (text.substr(0, start.size()) == start) return text.substr(start.size());
  }
  return {};
}

const Architecture* find(std::string_view number) {
  const std::vector<Architecture>& all = architectures();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Architecture& one) { return one.number == number; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

std::string architectureOf(const std::string& text) {
  if (text == "native" || text == "all" || text == "all-major") return kDefault;
  const std::string_view number = numberOf(text);
  if (find(number) != nullptr) return "sm_" + std::string(number);
  std::string list;
  for (const Architecture& one : architectures()) list += ", sm_" + one.number;
  refuse("clang-16 does not compile for '{}'; expected one of {}, or native", text, list.substr(2));
}

void checkCodes(const std::string& text) {
  for (const std::string& word : wordsWithin(text)) architectureOf(word);
}

std::string newestOfCode(const std::string& arch, const std::string& text) {
  const std::string key = "arch=";
  if (text.compare(0, key.size(), key) != 0)
    refuse("-gencode is '{}'; expected arch=compute_70,code=sm_70", text);
  const std::size_t comma = text.find(',');
  const std::string named = architectureOf(
      text.substr(key.size(), comma == std::string::npos ? std::string::npos : comma - key.size()));
  // The table rises; text does not: "100" < "90".
  return find(numberOf(named)) > find(numberOf(arch)) ? named : arch;
}

std::string ptxFeatureOf(const std::string& arch) {
  const Architecture* const one = find(numberOf(arch));
  return "+ptx" + std::string(one == nullptr ? "70" : one->ptx);
}

}  // namespace fermata::platforms
