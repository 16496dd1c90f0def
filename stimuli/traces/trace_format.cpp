#include <fermata/stimuli/traces/trace_format.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace fermata::traces {

namespace {

constexpr std::array<std::string_view, kInstructionClasses> kClasses{
    "integer", "float", "special", "double",   "branch",  "barrier",
    "memory",  "exit",  "tensor",  "division", "multiply"};
// Names of the spaces after None, which has no name.
constexpr std::array<std::string_view, 7> kSpaces{"shared",    "global",  "local",  "constant",
                                                  "parameter", "texture", "generic"};
constexpr std::array<std::string_view, 3> kOperations{"load", "store", "atomic"};
// Names of the copy steps after None, which has no name.
constexpr std::array<std::string_view, 7> kCopySteps{"begin",    "arrive",   "commit",    "bulk",
                                                     "bulk-out", "complete", "await-read"};

template <std::size_t N>
std::size_t indexOf(const std::array<std::string_view, N>& names, std::string_view text,
                    const char* what) {
  const auto found = std::find(names.begin(), names.end(), text);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::string message = fmt::format("unknown {} '{}'; expected ", what, text);
  for (std::size_t i = 0; i < N; ++i) {
    message += (i == 0 ? "" : i + 1 == N ? " or " : ", ") + std::string(names[i]);
  }
  throw FormatError{0, message};
}

unsigned lowest(LaneMask mask) {
  return static_cast<unsigned>(__builtin_ctz(mask));
}
unsigned highestLane(LaneMask mask) {
  return 31U - static_cast<unsigned>(__builtin_clz(mask));
}
unsigned lanes(LaneMask mask) {
  return static_cast<unsigned>(__builtin_popcount(mask));
}
bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

/// Reads one term after another from the text of an access's addresses.
class RunParser {
 public:
  RunParser(std::string_view text, LaneMask active)
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()), left_(active) {}

  ParsedRuns parse(AddressRuns& runs) {
    ParsedRuns result;
    while (left_ != 0) {
      if (at_ == end_) fail("addresses for " + std::to_string(lanes(left_)) + " more lanes");
      AddressRun& run = runs[result.count++];
      run = term();
      if (!takeLanes(run, left_, result.highest)) fail("addresses from 0 to 2^64 - 1");
      if (at_ != end_ && *at_++ != ';') fail(at_ - 1, "';' between terms");
    }
    if (begin_ != end_ && (at_ != end_ || end_[-1] == ';')) {
      fail(at_ == end_ ? end_ - 1 : at_, "one address for each active lane");
    }
    return result;
  }

 private:
  AddressRun term() {
    AddressRun run;
    run.base = address();
    run.count = 1;
    if (at_ == end_ || (*at_ != '+' && *at_ != '-')) return run;
    const bool negative = *at_++ == '-';
    const auto stride = number<std::int32_t>("a stride below 2^31");
    if (stride < 0) fail("a stride with one sign");
    run.stride = negative ? -stride : stride;
    run.count = lanes(left_);
    if (at_ == end_ || *at_ != '*') return run;
    const char* const where = ++at_;
    const auto count = number<std::uint32_t>("a number of lanes");
    if (count == 0 || count > run.count) fail(where, fmt::format("1 to {} lanes", run.count));
    run.count = count;
    return run;
  }

  /// Reads up to 19 digits, which cannot overflow; number() reads the rest.
  std::uint64_t address() {
    constexpr std::ptrdiff_t kDigits = 19;
    const char* const limit = end_ - at_ > kDigits ? at_ + kDigits : end_;
    std::uint64_t value = 0;
    const char* stop = at_;
    for (; stop != limit && isDigit(*stop); ++stop) {
      value = value * 10 + static_cast<unsigned>(*stop - '0');
    }
    if (stop == at_ || (stop != end_ && isDigit(*stop))) {
      return number<std::uint64_t>("a byte address");
    }
    at_ = stop;
    return value;
  }

  template <typename Number>
  Number number(const char* expected) {
    Number value{};
    const auto [stop, error] = std::from_chars(at_, end_, value);
    if (error != std::errc{}) fail(expected);
    at_ = stop;
    return value;
  }

  [[noreturn]] void fail(const std::string& expected) const { fail(at_, expected); }
  [[noreturn]] void fail(const char* where, const std::string& expected) const {
    throw FormatError{static_cast<std::size_t>(where - begin_),
                      fmt::format("bad lane addresses '{}'; expected {}",
                                  std::string_view(begin_, end_ - begin_), expected)};
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  LaneMask left_;  ///< lanes without an address yet
};

/// Returns the longest run that starts at the lowest lane of `left`, which is not empty.
AddressRun longestRun(const LaneAddresses& address, LaneMask left) {
  const unsigned first = lowest(left);
  AddressRun run{address[first], 0, 1};
  left &= left - 1;
  if (left == 0) return run;
  const auto gap = static_cast<std::int64_t>(lowest(left) - first);
  const auto step = static_cast<std::int64_t>(address[lowest(left)] - run.base);
  // A wrapped difference or a remainder makes no stride.
  if (step % gap != 0 || (step < 0) != (address[lowest(left)] < run.base)) return run;
  if (step / gap > std::numeric_limits<std::int32_t>::max() ||
      step / gap < -std::numeric_limits<std::int32_t>::max()) {
    return run;
  }
  run.stride = static_cast<std::int32_t>(step / gap);
  for (; left != 0; left &= left - 1) {
    const std::int64_t span = static_cast<std::int64_t>(run.stride) * (lowest(left) - first);
    std::uint64_t expected = 0;
    if (__builtin_add_overflow(run.base, span, &expected)) break;
    if (address[lowest(left)] != expected) break;
    ++run.count;
  }
  return run;
}

}  // namespace

std::string_view name(InstructionClass value) {
  return kClasses[static_cast<std::size_t>(value)];
}

std::string_view name(MemorySpace value) {
  return value == MemorySpace::None ? std::string_view()
                                    : kSpaces[static_cast<std::size_t>(value) - 1];
}

std::string_view name(MemoryOperation value) {
  return kOperations[static_cast<std::size_t>(value)];
}

std::string_view name(CopyStep value) {
  return value == CopyStep::None ? std::string_view()
                                 : kCopySteps[static_cast<std::size_t>(value) - 1];
}

std::string_view name(AtomicForm value) {
  return choiceName(value);
}

InstructionClass classNamed(std::string_view text) {
  return static_cast<InstructionClass>(indexOf(kClasses, text, "instruction class"));
}

MemorySpace spaceNamed(std::string_view text) {
  return static_cast<MemorySpace>(indexOf(kSpaces, text, "memory space") + 1);
}

MemoryOperation operationNamed(std::string_view text) {
  return static_cast<MemoryOperation>(indexOf(kOperations, text, "memory operation"));
}

AtomicForm formNamed(std::string_view text) {
  AtomicForm form{};
  if (choose(form, text)) return form;
  throw FormatError{0, fmt::format("unknown form of an atomic '{}'; expected one of {}", text,
                                   choiceNames<AtomicForm>())};
}

CopyStep copyStepNamed(std::string_view text) {
  return static_cast<CopyStep>(indexOf(kCopySteps, text, "step of a copy") + 1);
}

std::uint64_t parseNumber(std::string_view text, std::uint64_t limit, std::string_view quantity) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc{} && stop == end && value <= limit) return value;
  const bool isNumber = error != std::errc::invalid_argument && stop == end;
  throw FormatError{0, fmt::format("{} '{}' is {}; expected a whole number up to {}", quantity,
                                   text, isNumber ? "too large" : "not a number", limit)};
}

LaneMask parseMask(std::string_view text) {
  LaneMask mask = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, mask, 16);
  if (error == std::errc{} && stop == end) return mask;
  throw FormatError{
      0, fmt::format("lane mask '{}' is not one; expected 1 to 8 hexadecimal digits", text)};
}

bool isAccessSize(unsigned bytes) {
  return bytes != 0 && bytes <= WarpInstruction::kMaxBytesPerLane && (bytes & (bytes - 1)) == 0;
}

std::uint8_t parseBytes(std::string_view text, bool orNone) {
  std::uint8_t bytes = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, bytes);
  const bool number = error == std::errc{} && stop == end;
  if (number && (isAccessSize(bytes) || (orNone && bytes == 0))) return bytes;
  throw FormatError{0, fmt::format("bad access size '{}'; expected {}1, 2, 4, 8 or 16", text,
                                   orNone ? "0, " : "")};
}

ParsedRuns parseRuns(std::string_view text, LaneMask active, AddressRuns& runs) {
  return RunParser(text, active).parse(runs);
}

void appendRuns(std::string& text, const LaneAddresses& address, LaneMask active) {
  for (bool first = true; active != 0; first = false) {
    if (!first) text += ';';
    AddressRun run = longestRun(address, active);
    const bool rest = run.count == lanes(active);
    if (run.count == 2 && !rest) run.count = 1;  // shorter as two terms
    appendNumber(text, run.base);
    if (run.count > 1) {
      text += run.stride < 0 ? '-' : '+';
      appendNumber(text, static_cast<std::uint64_t>(run.stride < 0 ? -run.stride : run.stride));
      if (!rest) {
        text += '*';
        appendNumber(text, run.count);
      }
    }
    for (unsigned i = 0; i < run.count; ++i) active &= active - 1;
  }
}

unsigned findRuns(const LaneAddresses& address, LaneMask active, AddressRuns& runs) {
  unsigned count = 0;
  while (active != 0) {
    const AddressRun& run = runs[count++] = longestRun(address, active);
    for (unsigned i = 0; i < run.count; ++i) active &= active - 1;
  }
  return count;
}

bool takeLanes(const AddressRun& run, LaneMask& left, std::uint64_t& highest) {
  if (left == 0 || run.count == 0) return false;
  const unsigned first = lowest(left);
  unsigned last = first;
  LaneMask rest = left & (left - 1);
  if (run.count > 1) {
    const unsigned held = lanes(left);
    if (run.count > held) return false;
    if (run.count == held) {
      last = highestLane(left);
      rest = 0;
    } else {
      for (unsigned i = 1; i < run.count; ++i) {
        last = lowest(rest);
        rest &= rest - 1;
      }
    }
  }
  const std::int64_t span = static_cast<std::int64_t>(run.stride) * (last - first);
  std::uint64_t end = 0;
  if (__builtin_add_overflow(run.base, span, &end)) return false;
  left = rest;
  highest = std::max({highest, run.base, end});
  return true;
}

bool areAligned(const AddressRun* runs, unsigned count, LaneMask active, unsigned bytes) {
  const std::uint64_t mask = std::uint64_t{bytes} - 1;
  const bool all = std::all_of(runs, runs + count, [mask](const AddressRun& run) {
    return ((run.base | static_cast<std::uint64_t>(run.stride)) & mask) == 0;
  });
  if (all) return true;
  LaneAddresses address;  // sparse lanes may be aligned although the stride is not
  expandRuns(runs, count, active, address);
  for (; active != 0; active &= active - 1) {
    if ((address[lowest(active)] & mask) != 0) return false;
  }
  return true;
}

void expandRuns(const AddressRun* runs, unsigned count, LaneMask active, LaneAddresses& address) {
  if (count == 0) return;
  if (count == 1) {
    const auto stride = static_cast<std::uint64_t>(std::int64_t{runs->stride});
    const std::uint64_t base = runs->base - lowest(active) * stride;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) address[lane] = base + lane * stride;
    return;
  }
  for (const AddressRun* run = runs; run != runs + count; ++run) {
    const auto stride = static_cast<std::uint64_t>(std::int64_t{run->stride});
    const unsigned first = lowest(active);
    for (unsigned i = 0; i < run->count; ++i) {
      const unsigned lane = lowest(active);
      address[lane] = run->base + (lane - first) * stride;
      active &= active - 1;
    }
  }
}

void appendNumber(std::string& text, std::uint64_t number) {
  std::array<char, 20> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  static_cast<void>(error);  // 20 digits hold every 64-bit number
  text.append(digits.data(), end);
}

}  // namespace fermata::traces
