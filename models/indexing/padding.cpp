// pad row=R words=P as a mapping: the layout of an array whose rows of R words are each followed by
// P unused words. word' = word + (word / R) * P grows with the word; bank = word' mod banks, row =
// word' / banks. R is 1 to 4096, P 0 to 4096. The memory holds shape.words words of data and needs
// (words - 1) / R * P more.
//
// A CTA's window is padded as its kernel would pad it, wherever it starts: word w of a window at
// word b lies at b + w + (b / R + w / R) * P. Windows stay apart: the next one starts at b + S or
// behind, and (b + S) / R is no less than b / R + S / R.
#include <fermata/models/indexing/c_expression.h>
#include <fermata/models/indexing/families.h>
#include <fermata/models/indexing/lane_kernels.h>

#include <algorithm>

namespace fermata::indexing {
namespace {

constexpr std::uint32_t kMostWords = 4096;

class PaddingIndexer final : public Indexer {
 public:
  /// `last`: the largest word'.
  PaddingIndexer(const Shape& shape, std::uint32_t row, std::uint32_t words, std::uint32_t last)
      : Indexer(shape),
        padding_(words),
        last_(last),
        rowOf_(row, shape.words),
        bankOf_(shape.banks, last + 1) {
    rows_ = bankOf_.quotient(last) + 1;
  }
  Location location(std::uint32_t word) const override {
    const std::uint32_t place = word + rowOf_.quotient(word) * padding_;
    const std::uint32_t row = bankOf_.quotient(place);
    return {place - row * shape_.banks, row};
  }
  void locate(const Lanes& word, LaneMask, Lanes& bank, Lanes& row) const override {
    const std::uint32_t last = shape_.words - 1;
    Lanes place;
    kernels::divide(rowOf_, last, word, bank, row);
    for (unsigned i = 0; i < kWarpLanes; ++i)
      place[i] = (word[i] < last ? word[i] : last) + row[i] * padding_;
    kernels::divide(bankOf_, last_, place, bank, row);
  }
  bool countsFromWindow(std::uint32_t) const override { return true; }
  void locateIn(std::uint32_t window, const Lanes& word, LaneMask, Lanes& bank,
                Lanes& row) const override {
    const std::uint32_t last = shape_.words - 1;
    const std::uint32_t before = rowOf_.quotient(window);
    Lanes offset;
    Lanes place;
    for (unsigned i = 0; i < kWarpLanes; ++i)
      offset[i] = word[i] < window ? 0 : std::min(word[i], last) - window;
    kernels::divide(rowOf_, last, offset, bank, row);
    for (unsigned i = 0; i < kWarpLanes; ++i)
      place[i] = window + offset[i] + (before + row[i]) * padding_;
    kernels::divide(bankOf_, last_, place, bank, row);
  }
  std::string text() const override {
    return "pad row=" + std::to_string(rowOf_.divisor()) + " words=" + std::to_string(padding_);
  }
  Cost cost() const override {
    return {"layout in software: the memory needs " + std::to_string(last_ - (shape_.words - 1)) +
            " more words" +
            ((shape_.banks & (shape_.banks - 1)) == 0 ? "" : "; mod banks as of ami")};
  }
  std::string bankInC(const std::string& word) const override {
    if (padding_ == 0) return remainderInC(word, shape_.banks);
    const std::string place = "(" + word + " + " + word + " / " + std::to_string(rowOf_.divisor()) +
                              " * " + std::to_string(padding_) + ")";
    return remainderInC(place, shape_.banks);
  }

 private:
  std::uint32_t padding_;
  std::uint32_t last_;
  Reciprocal rowOf_;
  Reciprocal bankOf_;
};

std::unique_ptr<Indexer> buildPadding(Arguments& arguments, const Shape& shape) {
  const std::uint32_t row = arguments.numberOption("row", 1, kMostWords);
  const std::uint32_t words = arguments.numberOption("words", 0, kMostWords);
  arguments.expectNoMore();
  const std::uint64_t last =
      std::uint64_t{shape.words} - 1 + std::uint64_t{(shape.words - 1) / row} * words;
  if (last >= ~std::uint32_t{0}) {
    throw IndexingError("pad row=" + std::to_string(row) + " words=" + std::to_string(words) +
                        ": " + std::to_string(shape.words) + " words become " +
                        std::to_string(last + 1) + "; expected at most " +
                        std::to_string(~std::uint32_t{0}));
  }
  return std::make_unique<PaddingIndexer>(shape, row, words, static_cast<std::uint32_t>(last));
}

}  // namespace

extern const Family kPadding{"pad", "pad row=R words=P", "pad row=32 words=1",
                             "P unused words behind each R words, then modulo", buildPadding};

}  // namespace fermata::indexing
