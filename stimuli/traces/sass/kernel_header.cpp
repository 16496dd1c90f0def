#include <fermata/stimuli/traces/sass/kernel_header.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace fermata::sass {

namespace {

constexpr std::uint64_t kMostThreads = 1024;
constexpr std::uint64_t kMostShared = 227 * 1024;  ///< a CTA of sm_90
constexpr std::uint64_t kMostRegisters = 255;
constexpr std::uint32_t kReservedShared = 1024;  ///< the system's, from sm_80 on

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

class HeaderReader {
 public:
  HeaderReader(TraceLines& lines, const TraceSettings& settings)
      : lines_(lines), settings_(settings) {}

  KernelHeader read() {
    bool any = false;
    while (lines_.next()) {
      const std::string_view line = trimmed(lines_.text());
      if (line.empty()) continue;
      if (line[0] != '-') break;
      readLine(line.substr(1));
      any = true;
    }
    if (!any)
      lines_.fail(lines_.text().data(),
                  "no trace of a kernel; expected lines such as '-kernel name = NAME'");
    if (header_.grid[0] == 0) lines_.fail(nullptr, "no '-grid dim' above; expected the grid");
    if (header_.block[0] == 0) lines_.fail(nullptr, "no '-block dim' above; expected the block");
    lines_.again();
    return header_;
  }

 private:
  void readLine(std::string_view line) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos)
      lines_.fail(line.data(), "a line of the header without '='; expected '-key = value'");
    const std::string_view key = trimmed(line.substr(0, equals));
    value_ = trimmed(line.substr(equals + 1));
    if (key == "kernel name") header_.name = std::string(value_);
    if (key == "grid dim") readGrid();
    if (key == "block dim") readBlock();
    if (key == "shmem") readShared();
    if (key == "nregs") readRegisters();
    if (key == "binary version") header_.architecture = static_cast<std::uint32_t>(number(key));
    if (key == "cuda stream id") header_.stream = number(key);
    if (key == "shmem base_addr") header_.sharedBase = hex(key);
    if (key == "local mem base_addr") header_.localBase = hex(key);
    if (key == "accesses alone") header_.accessesAlone = true;
    if (key == "enable lineinfo") header_.sourceLines = number(key) != 0;
  }

  std::uint64_t number(std::string_view key) const {
    std::uint64_t value = 0;
    const char* const end = value_.data() + value_.size();
    const auto [stop, error] = std::from_chars(value_.data(), end, value);
    if (error == std::errc{} && stop == end) return value;
    lines_.fail(value_.data(), "{} = '{}'; expected a whole number", key, value_);
  }

  std::uint64_t hex(std::string_view key) const {
    const bool marked = value_.substr(0, 2) == "0x";
    const std::string_view digits = value_.substr(marked ? 2 : 0);
    std::uint64_t value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value, 16);
    if (error == std::errc{} && stop == end) return value;
    lines_.fail(value_.data(), "{} = '{}'; expected a hexadecimal number", key, value_);
  }

  std::array<std::uint32_t, 3> triple(std::string_view key,
                                      const std::array<std::uint32_t, 3>& most) {
    std::array<std::uint32_t, 3> values{};
    const char* at = value_.data();
    const char* const end = at + value_.size();
    for (std::size_t k = 0; k < 3; ++k) {
      if (at == end || *at != (k == 0 ? '(' : ',')) break;
      const auto [stop, error] = std::from_chars(at + 1, end, values[k]);
      if (error != std::errc{} || values[k] > most[k]) values[k] = 0;
      at = stop;
    }
    const bool whole = at != end && *at == ')' && at + 1 == end;
    if (!whole || std::find(values.begin(), values.end(), 0U) != values.end())
      lines_.fail(value_.data(), "{} = {}; expected (x,y,z), from (1,1,1) to ({},{},{})", key,
                  value_, most[0], most[1], most[2]);
    return values;
  }

  void readGrid() { header_.grid = triple("grid dim", {0x7fffffff, 65535, 65535}); }

  void readBlock() {
    header_.block = triple("block dim", {1024, 1024, 64});
    const std::uint64_t threads =
        std::uint64_t{header_.block[0]} * header_.block[1] * header_.block[2];
    if (threads > kMostThreads)
      lines_.fail(value_.data(), "block dim = {} has {} threads; expected at most {}", value_,
                  threads, kMostThreads);
  }

  void readShared() {
    header_.shared = number("shmem");
    if (!settings_.shared && header_.shared > kMostShared)
      lines_.fail(value_.data(),
                  "shmem = {} bytes for each CTA; expected at most {}, or --trace-shared BYTES",
                  header_.shared, kMostShared);
  }

  void readRegisters() {
    header_.registers = number("nregs");
    if (!settings_.registers && header_.registers > kMostRegisters)
      lines_.fail(value_.data(),
                  "nregs = {} for each thread; expected at most {}, or --trace-registers NUMBER",
                  header_.registers, kMostRegisters);
  }

  TraceLines& lines_;
  const TraceSettings& settings_;
  KernelHeader header_;
  std::string_view value_;
};

}  // namespace

KernelHeader readHeader(TraceLines& lines, const TraceSettings& settings) {
  return HeaderReader(lines, settings).read();
}

bool isPlausible(const KernelHeader& header, const TraceSettings& settings) {
  return (settings.shared || header.shared <= kMostShared) &&
         (settings.registers || header.registers <= kMostRegisters);
}

std::uint64_t sharedLimit(const KernelHeader& header, const TraceSettings& settings) {
  if (settings.shared) return *settings.shared;
  const bool reserves = header.architecture == 0 || header.architecture >= 80;
  return header.shared + (reserves ? kReservedShared : 0);
}

}  // namespace fermata::sass
