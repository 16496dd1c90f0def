#include <fermata/stimuli/ptx/cache_words.h>

namespace fermata::ptx {

namespace {

/// Returns whether one of `words` stands between the points of the opcode.
template <std::size_t count>
bool hasOneOf(std::string_view opcode, const std::string_view (&words)[count]) {
  for (std::size_t at = opcode.find('.'); at != std::string_view::npos;) {
    const std::size_t end = opcode.find('.', at + 1);
    for (const std::string_view word : words) {
      if (opcode.substr(at + 1, end - at - 1) == word) return true;
    }
    at = end;
  }
  return false;
}

constexpr std::string_view kToSeveral[] = {"multicast::cluster"};
constexpr std::string_view kBehindL1[] = {"cg", "cv", "volatile", "mmio"};
constexpr std::string_view kOrdered[] = {"relaxed", "acquire"};
constexpr std::string_view kWide[] = {"cluster", "gpu", "sys"};

}  // namespace

bool passesL1(std::string_view opcode) {
  if (opcode.substr(0, 9) == "cp.async.") return hasOneOf(opcode, kBehindL1);
  if (opcode.substr(0, 3) != "ld.") return false;
  return hasOneOf(opcode, kBehindL1) || (hasOneOf(opcode, kOrdered) && hasOneOf(opcode, kWide));
}

bool multicasts(std::string_view opcode) {
  return opcode.substr(0, 14) == "cp.async.bulk." && hasOneOf(opcode, kToSeveral);
}

}  // namespace fermata::ptx
