#include <fermata/platforms/compose/shorthands.h>

#include <fmt/format.h>

#include <charconv>

#include <fermata/platforms/compose/cache_checks.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

struct Text {
  const std::string& text;
  const SourceLocation& where;

  [[noreturn]] void refuse(const std::string& why) const {
    fermata::refuse(where,
                    "ami = \"{}\": {}; expected banks of the scratchpad and of the L1, 1 to {} "
                    "each, as \"62/48\" or with AMI sets \"S+62/48\"; or \"ideal\"",
                    text, why, kMostCacheBanks);
  }
  std::uint32_t banksIn(std::string_view number) const {
    std::uint32_t banks = 0;
    const char* end = number.data() + number.size();
    const auto read = std::from_chars(number.data(), end, banks);
    if (read.ec != std::errc() || read.ptr != end)
      refuse(fmt::format("'{}' is no count of banks", number));
    if (banks == 0 || banks > kMostCacheBanks) refuse(fmt::format("{} banks", banks));
    return banks;
  }
};

std::string mapping(std::uint32_t banks) {
  return fmt::format("{} {}", (banks & (banks - 1)) == 0 ? "mod" : "ami", banks);
}

Assignments expandAmi(const std::string& text, const SourceLocation& where,
                      const PlatformParameters& p) {
  const Text ami{text, where};
  if (!hasL1(p.globalMemory))
    ami.refuse(
        fmt::format("the platform has no L1 (global.memory is {})", choiceName(p.globalMemory)));
  const std::uint32_t lines = p.l1.shape.frames();
  if (text == "ideal")
    return {{"scratchpad.conflict_policy", "ideal"},
            {"l1.conflict_policy", "ideal"},
            {"l1.tag_arrays", "32"},
            {"l1.sets", ""},
            {"l1.ways", std::to_string(lines)}};
  std::string_view rest = text;
  const bool sets = rest.substr(0, 2) == "S+";
  if (sets) rest.remove_prefix(2);
  const std::size_t slash = rest.find('/');
  if (slash == std::string_view::npos) ami.refuse("no '/'");
  Assignments all{{"scratchpad.indexer", mapping(ami.banksIn(rest.substr(0, slash)))},
                  {"l1.indexer", mapping(ami.banksIn(rest.substr(slash + 1)))}};
  if (sets) all.emplace_back("l1.sets", fmt::format("ami {}", p.l1.shape.sets() - 1));
  return all;
}

constexpr std::uint32_t kHashBanks = 32;
constexpr std::uint32_t kHashLocks = 1024;

Assignments expandHash(const std::string& text, const SourceLocation& where,
                       const PlatformParameters& p) {
  if (!p.crossbar.atomics->needs.locks || p.scratchpad.banks != kHashBanks ||
      p.lock.locks != kHashLocks) {
    refuse(where,
           "atomics.hash = \"{}\": the hashes are those of {} banks with {} locks each; expected a "
           "platform that has them, for instance gtx580-atomics",
           text, kHashBanks, kHashLocks / kHashBanks);
  }
  if (text == "baseline") return {{"scratchpad.indexer", "mod 32"}, {"lock.indexer", "mod 1024"}};
  if (text == "xor")
    return {{"scratchpad.indexer", "fixed-xor"}, {"lock.indexer", "fixed-xor digit=5"}};
  if (text == "add") return {{"scratchpad.indexer", "add"}, {"lock.indexer", "add digit=5"}};
  refuse(where, "atomics.hash = \"{}\"; expected one of baseline|xor|add", text);
}

Assignments expandSms(const std::string& text, const SourceLocation&, const PlatformParameters&) {
  return {{"chip.sms", text}};
}

struct Shorthand {
  std::string_view name;
  Assignments (*expand)(const std::string&, const SourceLocation&, const PlatformParameters&);
};
constexpr Shorthand kShorthands[] = {
    {kAmi, expandAmi}, {"atomics.hash", expandHash}, {"sms", expandSms}};

const Shorthand* find(std::string_view name) {
  for (const Shorthand& shorthand : kShorthands) {
    if (shorthand.name == name) return &shorthand;
  }
  return nullptr;
}

}  // namespace

bool isShorthand(const std::string& name) {
  return find(name) != nullptr;
}

Assignments expand(const std::string& name, const std::string& text, const SourceLocation& where,
                   const PlatformParameters& parameters) {
  return find(name)->expand(text, where, parameters);
}

}  // namespace fermata::platforms
