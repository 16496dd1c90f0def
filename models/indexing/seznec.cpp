// seznec N: any bank count without a division (Seznec, WDDD 2015). For N = 2^k * R with R odd, bank
// = word MOD N and row = (word >> k) MOD 2^c. By the Chinese remainder theorem the mapping is one
// to one for the words below N * 2^c. A memory of another size gets the rows of the next size of
// that form: 2^c is the least power of two that reaches ceil(words / N).
#include <fermata/models/indexing/ami.h>
#include <fermata/models/indexing/c_expression.h>
#include <fermata/models/indexing/families.h>
#include <fermata/models/indexing/lane_kernels.h>

namespace fermata::indexing {
namespace {

class SeznecIndexer final : public Indexer {
 public:
  explicit SeznecIndexer(const Shape& shape)
      : Indexer(shape), arithmetic_(shape.banks), reciprocal_(shape.banks, shape.words) {
    const std::uint32_t needed = reciprocal_.quotient(shape.words - 1) + 1;
    while (rowMask_ + 1 < needed) rowMask_ = rowMask_ << 1 | 1U;
    const std::uint32_t largest = (shape.words - 1) >> arithmetic_.lowBits();
    rows_ = (largest < rowMask_ ? largest : rowMask_) + 1;
  }
  Location location(std::uint32_t word) const override {
    return {word - reciprocal_.quotient(word) * shape_.banks,
            word >> arithmetic_.lowBits() & rowMask_};
  }
  void locate(const Lanes& word, LaneMask, Lanes& bank, Lanes& row) const override {
    kernels::remainder(reciprocal_, arithmetic_.lowBits(), rowMask_, shape_.words - 1, word, bank,
                       row);
  }
  std::string text() const override { return "seznec " + std::to_string(shape_.banks); }
  std::string bankInC(const std::string& word) const override {
    return remainderInC(word, shape_.banks);
  }
  Cost cost() const override {
    if (arithmetic_.isPowerOfTwo()) return {"a power of two: wires only"};
    return amiCost(arithmetic_,
                   "Seznec, WDDD 2015, section 4: the row costs nothing; MOD and its levels, width "
                   "and latency as of ami");
  }

 private:
  AmiArithmetic arithmetic_;
  Reciprocal reciprocal_;
  std::uint32_t rowMask_ = 0;
};

std::unique_ptr<Indexer> buildSeznec(Arguments& arguments, const Shape& shape) {
  Shape own = shape;
  own.banks = arguments.number("bank count", 1, 4096);
  arguments.expectNoMore();
  return std::make_unique<SeznecIndexer>(own);
}

}  // namespace

extern const Family kSeznec{"seznec", "seznec N", "seznec 33",
                            "any bank count without a division: MOD and low bits", buildSeznec};

}  // namespace fermata::indexing
