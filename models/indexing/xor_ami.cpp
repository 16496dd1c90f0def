// xor-ami: the word XORed with its own upper bits, w ^ w >> A ^ w >> B, then its remainder and
// quotient by any number of banks (Diamond et al., MICRO 2014, for any modulus; van den Braak et
// al., IEEE TC 2016, for the XOR of bits with others). Ours, for slices of an L2 and channels of a
// DRAM, which are often no power of two: a remainder alone has strides that meet few banks.
//
// Shifts move bits down only, so the XOR has an inverse, and no two words get one place. The
// default shifts are the best of five pairs that were tried, with 24, 32, 48, 64, 80, 96, 128 and
// 160 banks and 8 words a bank. Strides that are powers of two or multiples of the banks give the
// fullest bank at most 2.8 times its share, with 128 banks 12.5 times. The mean over the strides of
// 1 to 2048 is 1.7 to 2.0 times, as for words at random; the worst of them is 4 to 12 times.
#include <fermata/models/indexing/ami.h>
#include <fermata/models/indexing/families.h>

namespace fermata::indexing {
namespace {

struct Shifts {
  std::uint32_t first = 7, second = 13;
  bool operator==(const Shifts& o) const { return first == o.first && second == o.second; }
};

class XorAmiIndexer final : public Indexer {
 public:
  XorAmiIndexer(const Shape& shape, Shifts shifts)
      : Indexer(shape),
        shifts_(shifts),
        ami_({shape.banks, largest(shape.words - 1, shifts) + 1, shape.wordBytes}, AmiForm::Fast,
             AmiCorner::Exact) {
    rows_ = ami_.rows();
  }
  Location location(std::uint32_t word) const override { return ami_.location(mixed(word)); }
  void locate(const Lanes& word, LaneMask active, Lanes& bank, Lanes& row) const override {
    Lanes own;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) own[lane] = mixed(word[lane]);
    ami_.locate(own, active, bank, row);
  }
  std::string text() const override {
    if (shifts_ == Shifts()) return "xor-ami";
    return "xor-ami shifts=" + std::to_string(shifts_.first) + "," + std::to_string(shifts_.second);
  }
  Cost cost() const override {
    Cost cost = ami_.cost();
    cost.source +=
        "; the XOR of fixed bits before it: van den Braak et al., Configurable XOR Hash "
        "Functions, IEEE TC 2016, section 4.5: negligible latency";
    return cost;
  }
  std::string bankInC(const std::string& word) const override {
    const std::string first = shiftInC(word, static_cast<int>(shifts_.first));
    const std::string second = shiftInC(word, static_cast<int>(shifts_.second));
    return remainderInC("(" + word + " ^ " + first + " ^ " + second + ")", shape_.banks);
  }

 private:
  /// Returns the largest XOR of a word up to `last`. From the top bit down, one value of a word's
  /// bit gives the XOR a one there; it is taken unless the word would pass `last`.
  static std::uint32_t largest(std::uint32_t last, Shifts shifts) {
    std::uint32_t word = 0, sum = 0;
    bool below = false;  // bits so far are less than those of `last`
    for (std::uint32_t bit = std::uint32_t{1} << 31; bit != 0; bit >>= 1) {
      const bool upper = ((word >> shifts.first ^ word >> shifts.second) & bit) != 0;
      const bool one = !upper && (below || (last & bit) != 0);
      if (one) word |= bit;
      if (!one && (last & bit) != 0) below = true;
      if (one != upper) sum |= bit;
    }
    return sum;
  }
  std::uint32_t mixed(std::uint32_t word) const {
    return word ^ word >> shifts_.first ^ word >> shifts_.second;
  }

  Shifts shifts_;
  AmiIndexer ami_;
};

std::unique_ptr<Indexer> buildXorAmi(Arguments& arguments, const Shape& shape) {
  constexpr std::uint32_t kMost = std::uint32_t{1} << 31;
  const Token text = arguments.option("shifts");
  arguments.expectNoMore();
  Shifts shifts;
  if (!text.text.empty()) {
    const std::vector<Token> numbers = split(text, ',');
    if (numbers.size() != 2)
      throw IndexingError("shifts= has " + std::to_string(numbers.size()) +
                              " numbers; expected two, as in shifts=7,13",
                          text.column);
    shifts = {parseNumber(numbers[0], "shift", 1, 31), parseNumber(numbers[1], "shift", 1, 31)};
  }
  if (shape.words > kMost)
    throw IndexingError("a memory of " + std::to_string(shape.words) +
                        " words; expected at most 2^31 for xor-ami");
  return std::make_unique<XorAmiIndexer>(shape, shifts);
}

}  // namespace

extern const Family kXorAmi{"xor-ami", "xor-ami [shifts=A,B]", "xor-ami",
                            "word ^ word >> A ^ word >> B, then DIV and MOD of any bank count",
                            buildXorAmi};

}  // namespace fermata::indexing
