#include <fermata/stimuli/launch/newer_architectures.h>

#include <algorithm>

namespace fermata::launch {
namespace {

struct Newer {
  std::string_view name;
  std::string_view macro;     ///< __CUDA_ARCH__
  std::string_view version;   ///< of PTX, the first that has the target
  std::string_view platform;  ///< with its instructions
};

constexpr Newer kNewer[] = {
    {"sm_90a", "900", "8.0", "sm_90"},    {"sm_100", "1000", "8.6", "sm_100"},
    {"sm_100a", "1000", "8.6", "sm_100"}, {"sm_100f", "1000", "8.8", "sm_100"},
    {"sm_103", "1030", "8.8", "sm_100"},  {"sm_103a", "1030", "8.8", "sm_100"},
    {"sm_103f", "1030", "8.8", "sm_100"}, {"sm_120", "1200", "8.7", "sm_120"},
    {"sm_120a", "1200", "8.7", "sm_120"}, {"sm_120f", "1200", "8.8", "sm_120"},
    {"sm_121", "1210", "8.8", "sm_120"},  {"sm_121a", "1210", "8.8", "sm_120"},
    {"sm_121f", "1210", "8.8", "sm_120"},
};

const Newer* find(const std::string& arch) {
  const auto* const found = std::find_if(std::begin(kNewer), std::end(kNewer),
                                         [&](const Newer& one) { return one.name == arch; });
  return found == std::end(kNewer) ? nullptr : found;
}

/// Puts `value` in the place of what stands between `directive` and the end of its line.
void replaceBehind(std::string& ptx, const std::string& directive, std::string_view value) {
  const std::size_t at = ptx.find(directive);
  if (at == std::string::npos) return;
  const std::size_t begin = at + directive.size();
  ptx.replace(begin, std::min(ptx.find('\n', begin), ptx.size()) - begin, value);
}

}  // namespace

std::vector<std::string> newerArchitectures() {
  std::vector<std::string> names;
  for (const Newer& one : kNewer) names.emplace_back(one.name);
  return names;
}

std::string compiledArchitecture(const std::string& arch) {
  return find(arch) == nullptr ? arch : "sm_90";
}

std::vector<std::string> architectureMacros(const std::string& arch) {
  const Newer* const one = find(arch);
  if (one == nullptr) return {};
  std::vector<std::string> words = {"-U__CUDA_ARCH__",
                                    "-D__CUDA_ARCH__=" + std::string(one->macro)};
  const std::string number(one->name.substr(3, one->name.find_last_of("0123456789") - 2));
  if (one->name.back() == 'a') {
    words.push_back("-D__CUDA_ARCH_FEAT_SM" + number + "_ALL=1");
    words.push_back("-D__CUDA_ARCH_SPECIFIC__=" + std::string(one->macro));
  }
  if (one->name.back() == 'a' || one->name.back() == 'f')
    words.push_back("-D__CUDA_ARCH_FAMILY_SPECIFIC__=" + std::string(one->macro));
  return words;
}

std::string withTarget(const std::string& ptx, const std::string& arch) {
  const Newer* const one = find(arch);
  if (one == nullptr) return ptx;
  std::string changed = ptx;
  replaceBehind(changed, "\n.version ", one->version);
  replaceBehind(changed, "\n.target ", one->name);
  return changed;
}

std::string platformOfArchitecture(const std::string& arch) {
  const Newer* const one = find(arch);
  return one == nullptr ? arch : std::string(one->platform);
}

}  // namespace fermata::launch
