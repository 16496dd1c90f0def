// The run-time library of kernels: vprintf, __assertfail, malloc and free, declared but not defined
// in their modules. Launches are in device_launches.cpp.
//
// vprintf is formatted here like C's printf. Each conversion is read from the format and written
// anew, so that no string of a kernel is ever a format of this program. Each allocation is one of
// the device memory, so that its bounds are checked; together they stay within the heap.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>

#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/kernel_decoding.h>
#include <fermata/stimuli/ptx/memory_access.h>
#include <fermata/stimuli/ptx/runtime_names.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {
namespace {

constexpr int kMostWidth = 4095;  ///< largest width and precision of a conversion that C promises

struct Conversion {
  std::string flags;
  int width = 0;
  int precision = -1;  ///< less than 0: not given
  std::string length;
  char kind = '\0';

  bool isOneOf(const char* kinds) const {
    return std::string_view(kinds).find(kind) != std::string_view::npos;
  }
  /// Returns the conversion as a format with `hostLength`: only flags that C defines for its kind,
  /// the width and the precision.
  std::string format(const char* hostLength) const {
    std::string text = "%";
    const bool isSigned = isOneOf("diaAeEfFgG");
    for (const char flag : flags) {
      if (flag == '-' || (flag == '#' && isOneOf("oxXaAeEfFgG")) ||
          (flag == '0' && isOneOf("diouxXaAeEfFgG")) || ((flag == '+' || flag == ' ') && isSigned))
        text += flag;
    }
    if (width != 0) text += std::to_string(width);
    if (precision >= 0 && kind != 'p') text += "." + std::to_string(precision);
    return text + hostLength + kind;
  }
};

/// One thread's call: the format, then the arguments in the buffer, each at its alignment.
class Call {
 public:
  Call(const Warp& warp, const Instruction& i, unsigned lane)
      : warp_(warp), instruction_(i), lane_(lane), next_(address(2)) {}

  std::string run() {
    if (address(0) == 0) return {};
    const std::optional<std::string> format = readString(warp_, lane_, address(0));
    if (!format) fail("the format at address {:#x} cannot be read", address(0));
    format_ = *format;
    for (at_ = 0; at_ < format_.size();) {
      const char c = format_[at_++];
      if (c != '%') {
        text_ += c;
      } else if (at_ < format_.size() && format_[at_] == '%') {
        text_ += format_[at_++];
      } else {
        convert(takeConversion());
      }
    }
    return std::move(text_);
  }

  /// Returns how many arguments the call took, or -1 without a format. Call it after run().
  int result() const { return address(0) == 0 ? -1 : arguments_; }

 private:
  std::uint64_t address(unsigned k) const {
    const auto& words = instruction_.vector;
    return laneValue(warp_, words[k], false, lane_) | laneValue(warp_, words[k + 1], false, lane_)
                                                          << 32;
  }
  unsigned pointerBytes() const { return warp_.machine->code->addressBits64 ? 8 : 4; }

  template <class... Text>
  [[noreturn]] void fail(const Text&... text) const {
    failAt(warp_, instruction_, lane_, "printf: {}", message(text...));
  }
  [[noreturn]] void unsupported(std::size_t from) const {
    std::string shown = format_.substr(from, at_ - from);
    for (char& c : shown) c = c < ' ' || c > '~' ? '?' : c;
    fail(
        "unsupported conversion '{}'; expected d i u o x X c s p f F e E g G a A or %, with hh h l "
        "ll j z t before integers",
        shown);
  }

  char peek() const { return at_ < format_.size() ? format_[at_] : '\0'; }

  Conversion takeConversion() {
    const std::size_t from = at_ - 1;
    Conversion conversion;
    while (peek() != '\0' && std::string_view("-+ #0").find(peek()) != std::string_view::npos)
      conversion.flags += format_[at_++];
    conversion.width = takeNumber();
    if (conversion.width < 0) {
      conversion.flags += '-';
      conversion.width = -conversion.width;
    }
    if (peek() == '.') {
      ++at_;
      conversion.precision = takeNumber();
    }
    while (peek() != '\0' && std::string_view("hljzt").find(peek()) != std::string_view::npos &&
           conversion.length.size() < 2)
      conversion.length += format_[at_++];
    conversion.kind = peek();
    if (at_ < format_.size()) ++at_;
    const std::string& length = conversion.length;
    const bool integer = conversion.isOneOf("diouxX");
    const bool real = conversion.isOneOf("fFeEgGaA");
    const bool plain = conversion.isOneOf("csp");
    const bool knownLength = length.size() < 2 || length == "hh" || length == "ll";
    if (!knownLength ||
        !(integer || (real && (length.empty() || length == "l")) || (plain && length.empty())))
      unsupported(from);
    return conversion;
  }

  /// Takes a width or a precision: digits, or `*` for an argument.
  int takeNumber() {
    std::int64_t number = 0;
    if (peek() == '*') {
      ++at_;
      number = static_cast<std::int32_t>(takeArgument(4));
    } else {
      while (peek() >= '0' && peek() <= '9' && number <= kMostWidth)
        number = 10 * number + (format_[at_++] - '0');
    }
    if (number > kMostWidth || number < -kMostWidth) {
      fail("a width or precision of {}; expected at most {}", number, kMostWidth);
    }
    return static_cast<int>(number);
  }

  std::uint64_t takeArgument(unsigned bytes) {
    next_ = (next_ + bytes - 1) / bytes * bytes;
    std::uint64_t value = 0;
    if (!readGeneric(warp_, lane_, next_, bytes, reinterpret_cast<std::uint8_t*>(&value))) {
      fail(
          "argument {} lies at address {:#x}, which cannot be read; has the format more "
          "conversions than the call arguments?",
          arguments_ + 1, next_);
    }
    next_ += bytes;
    ++arguments_;
    return value;
  }

  unsigned integerBytes(const std::string& length) const {
    if (length == "ll" || length == "j") return 8;
    return length == "l" || length == "z" || length == "t" ? pointerBytes() : 4;
  }

  void convert(const Conversion& conversion) {
    if (conversion.isOneOf("diouxX")) return integer(conversion);
    if (conversion.kind == 's') return string(conversion);
    if (conversion.kind == 'c') {
      pad(conversion, std::string(1, static_cast<char>(takeArgument(4))));
    } else if (conversion.kind == 'p') {
      append(conversion.format(""), reinterpret_cast<void*>(takeArgument(pointerBytes())));
    } else {
      const std::uint64_t bits = takeArgument(8);
      double value = 0;
      std::memcpy(&value, &bits, sizeof value);
      append(conversion.format(""), value);
    }
  }

  void integer(const Conversion& conversion) {
    const unsigned bytes = integerBytes(conversion.length);
    const unsigned kept = conversion.length == "hh" ? 1 : conversion.length == "h" ? 2 : bytes;
    const std::uint64_t value = takeArgument(bytes);
    const unsigned unused = 64 - 8 * kept;
    if (conversion.isOneOf("di")) {
      append(conversion.format("ll"), static_cast<long long>(value << unused) >> unused);
    } else {
      append(conversion.format("ll"), static_cast<unsigned long long>(value << unused >> unused));
    }
  }

  void string(const Conversion& conversion) {
    const std::uint64_t from = takeArgument(pointerBytes());
    const std::size_t most =
        conversion.precision < 0 ? ~std::size_t{0} : static_cast<std::size_t>(conversion.precision);
    const std::optional<std::string> value =
        from == 0 ? std::string("(null)").substr(0, most) : readString(warp_, lane_, from, most);
    if (!value) fail("the string at address {:#x} cannot be read to its end", from);
    pad(conversion, *value);
  }

  void pad(const Conversion& conversion, const std::string& value) {
    const auto width = static_cast<std::size_t>(conversion.width);
    const std::string padding(width > value.size() ? width - value.size() : 0, ' ');
    const bool left = conversion.flags.find('-') != std::string::npos;
    text_ += left ? value + padding : padding + value;
  }

  template <class Value>
  void append(const std::string& format, Value value) {
    const int size = std::snprintf(nullptr, 0, format.c_str(), value);
    const std::size_t before = text_.size();
    text_.resize(before + static_cast<std::size_t>(size) + 1);
    std::snprintf(&text_[before], static_cast<std::size_t>(size) + 1, format.c_str(), value);
    text_.pop_back();
  }

  const Warp& warp_;
  const Instruction& instruction_;
  unsigned lane_;
  std::uint64_t next_;  ///< address behind the arguments taken so far
  int arguments_ = 0;
  std::string format_, text_;
  std::size_t at_ = 0;
};

/// Counts the calls. vector: words of the addresses of format and arguments, lower first; d: how
/// many arguments it took, or -1 without a format, if writesResult.
void executePrintf(Warp& warp, const Instruction& i, LaneMask mask) {
  Machine& machine = *warp.machine;
  for (const unsigned lane : lanesIn(mask)) {
    Call call(warp, i, lane);
    const std::string text = call.run();
    if (machine.options.print && !text.empty()) machine.options.print(text);
    if (i.writesResult)
      rowOf<std::uint32_t>(warp, i.d)[lane] = static_cast<std::uint32_t>(call.result());
    ++machine.printfCalls;
  }
}

constexpr std::uint64_t kAlignment = 16;

std::uint64_t roundedUp(std::uint64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

std::uint64_t value(const Warp& warp, const Instruction& i, std::size_t first, unsigned lane) {
  return laneValue(warp, i.vector[first], false, lane) |
         laneValue(warp, i.vector[first + 1], false, lane) << 32;
}

/// Allocates `bytes` bytes. Returns null if there is no room or `bytes` is 0.
std::uint64_t allocated(Machine& machine, std::uint64_t bytes) {
  const std::uint64_t limit = machine.options.heapBytes;
  DeviceHeap& heap = machine.heap;
  if (bytes == 0 || bytes > limit || roundedUp(bytes) > limit - std::min(limit, heap.used))
    return 0;
  if (!machine.memory->hasRoom(bytes)) return 0;
  const std::uint64_t address = machine.memory->allocate(bytes, "malloc");
  heap.bytes.emplace(address, bytes);
  heap.used += roundedUp(bytes);
  return address;
}

/// vector: words of the size, lower first, then words of the address that malloc returns.
void executeMalloc(Warp& warp, const Instruction& i, LaneMask mask) {
  for (const unsigned lane : lanesIn(mask)) {
    const std::uint64_t address = allocated(*warp.machine, value(warp, i, 0, lane));
    rowOf<std::uint32_t>(warp, i.vector[2])[lane] = static_cast<std::uint32_t>(address);
    rowOf<std::uint32_t>(warp, i.vector[3])[lane] = static_cast<std::uint32_t>(address >> 32);
  }
}

/// vector: words of the address, lower first.
void executeFree(Warp& warp, const Instruction& i, LaneMask mask) {
  Machine& machine = *warp.machine;
  for (const unsigned lane : lanesIn(mask)) {
    const std::uint64_t address = value(warp, i, 0, lane);
    if (address == 0) continue;
    const auto found = machine.heap.bytes.find(address);
    if (found == machine.heap.bytes.end()) {
      failAt(warp, i, lane,
             "free of address {:#x}, which malloc has not given or which was freed before; {}",
             address, machine.memory->describe(address));
    }
    machine.heap.used -= roundedUp(found->second);
    machine.heap.bytes.erase(found);
    machine.memory->release(address);
  }
}

/// Returns a string of device memory for the message of __assertfail, or "?" if it cannot be read.
std::string shownString(const Warp& warp, unsigned lane, std::uint64_t address) {
  std::string text = readString(warp, lane, address, 200).value_or("?");
  for (char& c : text) c = c < ' ' || c > '~' ? '?' : c;
  return text;
}

/// vector[0..2): generic addresses of message and file, wideBase: their width; vector[2]: line.
void executeAssertFail(Warp& warp, const Instruction& i, LaneMask mask) {
  const unsigned lane = firstLane(mask);
  std::string text = "device assertion failed";
  if (i.elements >= 3) {
    const std::uint64_t line = laneValue(warp, i.vector[2], false, lane);
    text += ": " + shownString(warp, lane, laneValue(warp, i.vector[0], i.wideBase, lane)) + " (" +
            shownString(warp, lane, laneValue(warp, i.vector[1], i.wideBase, lane)) + ":" +
            std::to_string(line) + ")";
  }
  failAt(warp, i, lane, FaultKind::Assertion, text);
}

}  // namespace

// Decodes a call of a library function that compiled kernels use.
void KernelDecoder::runtimeCall(Frame& frame, const Statement& statement, const Call& call) {
  const std::string& name = call.function->name;
  Decoding decoding(builder_, frame, statement);
  builder_.code().callsLibrary = true;
  if (name == "vprintf") {
    decoding.i.handler = &executePrintf;
    printOperands(frame, call, decoding);
    if (!call.results.empty() && isParameter(*call.results[0])) {
      const FramePlace& place = builder_.parameterPlace(frame, *call.results[0]->variable, call.at);
      decoding.i.d = place.words[0];
      decoding.i.writesResult = true;
      decoding.writes(place.ids[0]);
    }
  } else if (name == "__assertfail") {
    decoding.i.handler = &executeAssertFail;
    decoding.i.wideBase = false;
    assertOperands(frame, call, decoding);
  } else if (name == "malloc" || name == "free") {
    heapOperands(frame, call, decoding, name == "malloc");
  } else if (isDeviceLaunchFunction(name)) {
    launchCall(frame, call, decoding);
  } else {
    builder_.fail(call.at,
                  "'{}' is declared but not defined; only vprintf, __assertfail, malloc, free and "
                  "what launches kernels are known",
                  name);
  }
  decoding.emit(InstructionClass::Integer);
}

/// Takes a .param of one or two words into vector[first] and behind it. The upper word of a result
/// that has none is dropped, that of an argument is 0.
void KernelDecoder::wordOperand(Frame& frame, const Call& call, Decoding& decoding,
                                const Operand& operand, std::size_t first, bool writes) {
  const FramePlace& place = builder_.parameterPlace(frame, *operand.variable, call.at);
  decoding.i.vector[first] = place.words[0];
  decoding.i.vector[first + 1] = place.words.size() > 1 ? place.words[1]
                                 : writes               ? builder_.scratchRow(false)
                                                        : builder_.constant(0, false);
  for (const RegisterId id : place.ids) writes ? decoding.writes(id) : decoding.reads(id);
}

/// Takes the addresses of format and arguments.
void KernelDecoder::printOperands(Frame& frame, const Call& call, Decoding& decoding) {
  if (call.arguments.size() != 2 || !isParameter(*call.arguments[0]) ||
      !isParameter(*call.arguments[1]))
    builder_.fail(call.at, "vprintf; expected two .param variables: the format, the arguments");
  for (std::size_t k = 0; k < 2; ++k)
    wordOperand(frame, call, decoding, *call.arguments[k], 2 * k, false);
}

// Takes message, file and line. The low words of the addresses suffice, since addresses fit in 32
// bits.
void KernelDecoder::assertOperands(Frame& frame, const Call& call, Decoding& decoding) {
  if (call.arguments.size() < 3) return;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!isParameter(*call.arguments[k])) return;
    decoding.i.vector[k] =
        builder_.parameterPlace(frame, *call.arguments[k]->variable, call.at).words[0];
  }
  decoding.i.elements = 3;
}

/// Takes the size or the address, and the address that malloc returns, each in one or two words.
void KernelDecoder::heapOperands(Frame& frame, const Call& call, Decoding& decoding,
                                 bool isMalloc) {
  const std::size_t results = isMalloc ? 1 : 0;
  if (call.arguments.size() != 1 || !isParameter(*call.arguments[0]) ||
      call.results.size() != results || (isMalloc && !isParameter(*call.results[0]))) {
    builder_.fail(call.at, isMalloc ? "malloc; expected a .param size and a .param result"
                                    : "free; expected one .param address");
  }
  decoding.i.handler = isMalloc ? &executeMalloc : &executeFree;
  wordOperand(frame, call, decoding, *call.arguments[0], 0, false);
  if (isMalloc) wordOperand(frame, call, decoding, *call.results[0], 2, true);
}

}  // namespace fermata::ptx
