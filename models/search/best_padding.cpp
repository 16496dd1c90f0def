#include <fermata/models/search/best_padding.h>

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>
#include <vector>

namespace fermata::search {
namespace {

constexpr std::uint32_t kLongestRow = 4096;  // longest row that the mapping `pad` takes

/// Returns the rows that a programmer tries first.
std::set<std::uint32_t> usualRows(std::uint32_t banks, std::uint32_t longest, std::uint32_t unit) {
  constexpr std::uint32_t kMostTimes = 32;
  std::set<std::uint32_t> rows;
  for (std::uint32_t row = std::max(2U, unit); row <= longest; row *= 2) rows.insert(row);
  for (std::uint32_t times = 1; times <= kMostTimes && banks * times <= longest; ++times) {
    if (banks * times > 1 && banks * times % unit == 0) rows.insert(banks * times);
  }
  return rows;
}

class PaddingSearch {
 public:
  PaddingSearch(const ConflictCount& count, const indexing::Shape& shape,
                const PaddingOptions& options)
      : count_(count),
        shape_(shape),
        unit_(options.unit),
        mostAdded_(options.mostAdded),
        bank_(count.used().size()),
        rowsBefore_(bank_.size()) {
    best_.text = text(shape.banks, 0);
    startBanks();
    best_.conflicts = count_.banked(bank_, shape_.banks);
  }

  /// Tries all paddings behind rows of one length.
  void tryRow(std::uint32_t row) {
    const auto banks = static_cast<std::uint16_t>(shape_.banks);
    startBanks();
    for (std::size_t i = 0; i < rowsBefore_.size(); ++i) {
      rowsBefore_[i] = static_cast<std::uint16_t>(std::uint64_t{count_.used().word(i) / row} *
                                                  unit_ % shape_.banks);
    }
    for (std::uint32_t words = unit_; words < shape_.banks; words += unit_) {
      for (std::size_t i = 0; i < bank_.size(); ++i) {
        const auto next = static_cast<std::uint16_t>(bank_[i] + rowsBefore_[i]);
        bank_[i] = static_cast<std::uint16_t>(next < banks ? next : next - banks);
      }
      judge(row, words);
    }
  }

  BestPadding take() { return std::move(best_); }

 private:
  static std::string text(std::uint32_t row, std::uint32_t words) {
    return "pad row=" + std::to_string(row) + " words=" + std::to_string(words);
  }

  void startBanks() {
    for (std::size_t i = 0; i < bank_.size(); ++i) {
      bank_[i] = static_cast<std::uint16_t>(count_.used().word(i) % shape_.banks);
    }
  }

  void judge(std::uint32_t row, std::uint32_t words) {
    if (std::uint64_t{count_.used().largest() / row} * words > mostAdded_) return;
    const std::uint64_t added = std::uint64_t{(shape_.words - 1) / row} * words;
    // The padding makes the memory too large.
    if (shape_.words + added > std::numeric_limits<std::uint32_t>::max()) return;
    const bool cheaper = std::tie(added, row) < std::tie(best_.added, row_);
    if (best_.conflicts == 0 && !cheaper) return;
    const std::uint64_t limit = best_.conflicts - (cheaper ? 0 : 1);
    const std::uint64_t conflicts = count_.banked(bank_, shape_.banks, limit);
    if (conflicts > limit) return;
    best_.text = text(row, words);
    best_.added = added;
    best_.conflicts = conflicts;
    row_ = row;
  }

  const ConflictCount& count_;
  const indexing::Shape& shape_;
  std::uint32_t unit_;
  std::uint64_t mostAdded_;
  std::vector<std::uint16_t> bank_;        ///< bank of each used word
  std::vector<std::uint16_t> rowsBefore_;  ///< times the unit, modulo the banks
  BestPadding best_;
  std::uint32_t row_ = 0;
};

std::string searchedText(std::uint32_t banks, std::uint32_t allRows, std::uint32_t longest,
                         bool complete, std::uint32_t unit) {
  std::string text = unit == 1 ? "" : "multiples of " + std::to_string(unit) + ": ";
  text += "1 to " + std::to_string(banks - 1) + " words behind rows of 2 to " +
          std::to_string(allRows) + " words";
  if (complete) return text + " (of longer ones none has an effect)";
  if (allRows == longest) return text;
  return text + ", of 2, 4, 8, ... and of 1 to 32 times " + std::to_string(banks) + " up to " +
         std::to_string(longest);
}

/// Returns the rows of a layout's strides that can be padded and have an effect.
std::set<std::uint32_t> rowsOf(const std::vector<std::uint64_t>& strides, std::uint32_t last,
                               std::uint32_t unit) {
  std::set<std::uint32_t> rows;
  for (const std::uint64_t row : strides) {
    if (row >= std::max(2U, unit) && row % unit == 0 && row <= last)
      rows.insert(static_cast<std::uint32_t>(row));
  }
  return rows;
}

std::string stridesText(std::uint32_t banks, const std::set<std::uint32_t>& rows,
                        std::uint32_t unit) {
  const std::string whole = unit == 1 ? "" : "multiples of " + std::to_string(unit) + ": ";
  if (rows.empty())
    return "no padding: no stride of the layout is a row of whole " +
           (unit == 1 ? std::string("words") : "vectors of " + std::to_string(unit) + " words") +
           " below the largest word";
  std::string text;
  for (const std::uint32_t row : rows) text += (text.empty() ? "" : ", ") + std::to_string(row);
  return whole + "1 to " + std::to_string(banks - 1) +
         " words behind the strides of the layout: rows of " + text + " words";
}

BestPadding bestOfStrides(const ConflictCount& count, const indexing::Shape& shape,
                          const PaddingOptions& options, std::uint32_t last) {
  const std::set<std::uint32_t> rows = rowsOf(*options.rows, last, options.unit);
  PaddingSearch search(count, shape, options);
  for (const std::uint32_t row : rows) search.tryRow(row);
  BestPadding best = search.take();
  best.candidates = 1 + rows.size() * std::uint64_t{(shape.banks - 1) / options.unit};
  best.complete = std::none_of(options.rows->begin(), options.rows->end(), [&](std::uint64_t row) {
    return row > kLongestRow && row <= count.used().largest();
  });
  best.searched = stridesText(shape.banks, rows, options.unit);
  return best;
}

BestPadding bestOfRows(const ConflictCount& count, const indexing::Shape& shape,
                       const PaddingOptions& options, std::uint32_t last) {
  const std::uint32_t unit = options.unit;
  // Cost of a count besides the looks: the banks of the words, and some fixed work.
  constexpr std::uint64_t kOwnWork = 64;
  const std::uint64_t looksOfRow =
      shape.banks *
      (count.looks() + 2 * std::uint64_t{count.used().size()} + shape.banks + kOwnWork);
  const auto allRows = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(last, std::max<std::uint64_t>(options.mostLooks / looksOfRow, 2)));
  PaddingSearch search(count, shape, options);
  // The usual rows come first: their best result bounds the look at each other row.
  std::set<std::uint32_t> rows = usualRows(shape.banks, last, unit);
  for (const std::uint32_t row : rows) search.tryRow(row);
  for (std::uint32_t row = std::max(2U, unit); row <= allRows; row += unit) {
    if (rows.insert(row).second) search.tryRow(row);
  }
  BestPadding best = search.take();
  best.candidates = 1 + rows.size() * std::uint64_t{(shape.banks - 1) / unit};
  best.allRows = allRows;
  best.complete = shape.banks <= unit || allRows >= count.used().largest();
  best.searched = shape.banks <= unit || last < 2
                      ? "no padding: it could have no effect"
                      : searchedText(shape.banks, allRows, last, best.complete, unit);
  return best;
}

}  // namespace

BestPadding bestPadding(const ConflictCount& count, const indexing::Shape& shape,
                        const PaddingOptions& options) {
  const std::uint32_t longest = std::min(kLongestRow, shape.words - 1);
  const std::uint32_t last = std::min(longest, count.used().largest());
  BestPadding best = options.rows ? bestOfStrides(count, shape, options, last)
                                  : bestOfRows(count, shape, options, last);
  if (options.mostAdded != PaddingOptions{}.mostAdded && shape.banks > options.unit) {
    best.searched += ", " + std::to_string(options.mostAdded) + " words more at most";
  }
  return best;
}

}  // namespace fermata::search
