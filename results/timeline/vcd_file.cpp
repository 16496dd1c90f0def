#include <fermata/results/timeline/vcd_file.h>

#include <fmt/format.h>

#include <utility>

namespace fermata::results::timeline {

namespace {

constexpr std::size_t kMostHeld = std::size_t{1} << 16;  ///< bytes

/// Returns the code of a signal, printable characters with the lowest digit in front: short for low
/// numbers.
std::string codeOf(SignalFile::Signal signal) {
  constexpr unsigned first = '!';
  constexpr unsigned digits = '~' - '!' + 1;
  std::string code;
  for (;; signal = signal / digits - 1) {
    code += static_cast<char>(first + signal % digits);
    if (signal < digits) return code;
  }
}

/// Returns a word in which characters that would end it are escaped as in C.
std::string wordOf(const std::string& text) {
  std::string word;
  for (const char c : text) {
    if (c > ' ' && c <= '~' && c != '\\') {
      word += c;
    } else {
      word += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    }
  }
  return word.empty() ? "-" : word;
}

std::string bitsOf(std::uint64_t value) {
  std::string bits;
  do {
    bits.insert(bits.begin(), (value & 1) != 0 ? '1' : '0');
    value >>= 1;
  } while (value != 0);
  return bits;
}

class VcdFile final : public SignalFile {
 public:
  explicit VcdFile(Put put) : put_(std::move(put)) {
    line("$version Fermata $end");
    line("$timescale 1 ns $end");
  }

  void openScope(const std::string& name) override { line("$scope module " + name + " $end"); }
  void closeScope() override { line("$upscope $end"); }
  Signal addWire(const std::string& name, unsigned bits) override {
    const std::string range = bits == 1 ? "" : fmt::format(" [{}:0]", bits - 1);
    return add("wire", bits, name + range);
  }
  Signal addText(const std::string& name) override { return add("string", 1, name); }
  Signal addReal(const std::string& name) override { return add("real", 64, name); }

  void begin(const std::string& unit) override {
    line("$comment " + unit + " $end");
    line("$enddefinitions $end");
  }
  // The first values written are those of all signals.
  void time(Cycle cycle) override {
    if (phase_ == Phase::Dumping) {
      line("$end");
      phase_ = Phase::Changes;
      if (cycle == first_) return;
    }
    line(fmt::format("#{}", cycle));
    if (phase_ != Phase::Definitions) return;
    line("$dumpvars");
    phase_ = Phase::Dumping;
    first_ = cycle;
  }
  void wire(Signal signal, unsigned bits, std::optional<std::uint64_t> value) override {
    const std::string digits = value ? bitsOf(*value) : "x";
    line(bits == 1 ? digits + codes_[signal] : 'b' + digits + ' ' + codes_[signal]);
  }
  void text(Signal signal, const std::string& value) override {
    line('s' + wordOf(value) + ' ' + codes_[signal]);
  }
  void real(Signal signal, double value) override {
    line(fmt::format("r{:.16g} {}", value, codes_[signal]));
  }
  void end() override {
    if (phase_ == Phase::Dumping) line("$end");
    put_(held_);
    held_.clear();
  }

 private:
  enum class Phase { Definitions, Dumping, Changes };

  Signal add(const char* type, unsigned bits, const std::string& name) {
    const auto signal = static_cast<Signal>(codes_.size());
    codes_.push_back(codeOf(signal));
    line(fmt::format("$var {} {} {} {} $end", type, bits, codes_.back(), name));
    return signal;
  }
  void line(const std::string& text) {
    held_ += text;
    held_ += '\n';
    if (held_.size() <= kMostHeld) return;
    put_(held_);
    held_.clear();
  }

  Put put_;
  std::string held_;
  std::vector<std::string> codes_;
  Phase phase_ = Phase::Definitions;
  Cycle first_ = 0;
};

}  // namespace

std::unique_ptr<SignalFile> makeVcdFile(Put put) {
  return std::make_unique<VcdFile>(std::move(put));
}

}  // namespace fermata::results::timeline
