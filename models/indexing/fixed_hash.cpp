// fixed-xor and add: the bank is the low m address bits combined with the next m, by XOR or sum.
// With digit=D, each of the low m / D digits of D bits is combined with the digit above it, and a
// sum does not carry into the next digit (van den Braak, Gomez-Luna, Corporaal, Gonzalez-Linares,
// Guil: Simulation and architecture improvements of atomic operations on GPU scratchpad memory,
// ICCD 2013, table I). The row is the address above the low m bits.
#include <fermata/models/indexing/c_expression.h>
#include <fermata/models/indexing/families.h>
#include <fermata/models/indexing/lane_kernels.h>
#include <fermata/models/indexing/linear.h>

namespace fermata::indexing {
namespace {

constexpr const char* kTable = "van den Braak et al., ICCD 2013, section IV";

/// Returns the bits of a digit; m if the text does not say.
unsigned takeDigit(Arguments& arguments, unsigned m) {
  const Token digit = arguments.option("digit");
  if (digit.text.empty()) return m;
  const std::uint32_t bits = parseNumber(digit, "digit", 1, m == 0 ? 1 : m);
  if (m % bits != 0) {
    throw IndexingError(std::to_string(m) + " bank bits are no whole number of digits of " +
                            std::to_string(bits) + "; expected a divisor",
                        digit.column);
  }
  return bits;
}

std::string digitText(unsigned digit, unsigned m) {
  return digit >= m ? "" : " digit=" + std::to_string(digit);
}

class AddIndexer final : public Indexer {
 public:
  AddIndexer(const Shape& shape, unsigned bits, unsigned digit)
      : Indexer(shape), bits_(bits), digit_(std::max(1U, digit)) {
    rows_ = ((shape.words - 1) >> bits) + 1;
    for (unsigned top = digit_; top <= bits; top += digit_) tops_ |= std::uint32_t{1} << (top - 1);
  }
  Location location(std::uint32_t word) const override {
    const std::uint32_t above = word >> digit_;
    const std::uint32_t sum = ((word & ~tops_) + (above & ~tops_)) ^ ((word ^ above) & tops_);
    return {sum & (shape_.banks - 1), word >> bits_};
  }
  void locate(const Lanes& word, LaneMask, Lanes& bank, Lanes& row) const override {
    kernels::add({bits_, digit_, tops_}, shape_.words - 1, word, bank, row);
  }
  std::string text() const override { return "add" + digitText(digit_, bits_); }
  Cost cost() const override {
    return {kTable + std::string(": an adder of m bits, 2m-1 gate delays as a ripple carry; "
                                 "assumed to fit beside base + offset")};
  }
  std::string bankInC(const std::string& word) const override {
    const std::string above = shiftInC(word, static_cast<int>(digit_));
    const std::string sum = "(" + maskInC(word, ~tops_) + " + " + maskInC(above, ~tops_) + ")";
    return remainderInC("(" + sum + " ^ " + maskInC("(" + word + " ^ " + above + ")", tops_) + ")",
                        shape_.banks);
  }

 private:
  unsigned bits_;
  unsigned digit_;
  std::uint32_t tops_ = 0;  ///< the highest bit of each digit
};

std::unique_ptr<Indexer> buildFixedXor(Arguments& arguments, const Shape& shape) {
  const unsigned m = bankBits(shape, "fixed-xor");
  const unsigned digit = takeDigit(arguments, m);
  arguments.expectNoMore();
  const unsigned n = addressBits(shape, m);
  gf2::Matrix bank{n, {}};
  for (unsigned i = 0; i < m; ++i) {
    std::uint32_t row = std::uint32_t{1} << i;
    if (i + digit < n) row |= std::uint32_t{1} << (i + digit);
    bank.rows.push_back(row);
  }
  const Cost cost{
      kTable + std::string(": one XOR gate a bank bit; van den Braak et al., Configurable XOR Hash "
                           "Functions, IEEE TC 2016, section 4.5: negligible latency")};
  return std::make_unique<LinearIndexer>(shape, std::move(bank), "fixed-xor" + digitText(digit, m),
                                         cost);
}

std::unique_ptr<Indexer> buildAdd(Arguments& arguments, const Shape& shape) {
  const unsigned m = bankBits(shape, "add");
  const unsigned digit = takeDigit(arguments, m);
  arguments.expectNoMore();
  return std::make_unique<AddIndexer>(shape, m, digit);
}

}  // namespace

extern const Family kFixedXor{"fixed-xor", "fixed-xor [digit=D]", "fixed-xor",
                              "low m bits XOR next m bits; or by digits of D bits", buildFixedXor};
extern const Family kAdd{"add", "add [digit=D]", "add digit=5",
                         "low m bits plus next m bits; or by digits of D bits", buildAdd};

}  // namespace fermata::indexing
