// Conflicts against gates: an archive of mappings, none of them beaten in both by another. It grows
// by looking at the neighbours of each mapping (Pareto local search).
#include <algorithm>

#include <fermata/models/search/general/basis.h>
#include <fermata/models/search/general/general_xor.h>
#include <fermata/models/search/general/simplify.h>
#include <fermata/models/search/general/split.h>

namespace fermata::search {
namespace {

namespace gf2 = indexing::gf2;
using general::Effort;
using general::ReducedProblem;
using general::SplitCount;

struct Entry {
  gf2::Matrix bank;
  std::uint64_t conflicts = 0;
  unsigned gates = 0;
  bool scanned = false;
};

class Archive {
 public:
  explicit Archive(unsigned mostGates) : mostGates_(mostGates) {}

  /// Returns the conflicts that a mapping with this number of gates must stay below; 0 if there is
  /// no room for it.
  std::uint64_t ceiling(unsigned gates) const {
    if (gates > mostGates_) return 0;
    std::uint64_t least = SplitCount::kNoLimit;
    for (const Entry& entry : entries_) {
      if (entry.gates <= gates) least = std::min(least, entry.conflicts);
    }
    return least;
  }
  void offer(const gf2::Matrix& bank, std::uint64_t conflicts) {
    const unsigned gates = general::gateCount(bank);
    if (conflicts >= ceiling(gates)) return;
    const auto beaten = [&](const Entry& entry) {
      return entry.gates >= gates && entry.conflicts >= conflicts;
    };
    entries_.erase(std::remove_if(entries_.begin(), entries_.end(), beaten), entries_.end());
    entries_.push_back({bank, conflicts, gates, false});
  }
  /// Returns the unscanned entry with the fewest gates and marks it scanned; null if there is none.
  const Entry* next() {
    Entry* found = nullptr;
    for (Entry& entry : entries_) {
      if (!entry.scanned && (found == nullptr || entry.gates < found->gates)) found = &entry;
    }
    if (found != nullptr) found->scanned = true;
    return found;
  }
  /// Returns the entries by rising gates.
  std::vector<Entry> sorted() const {
    std::vector<Entry> result = entries_;
    std::sort(result.begin(), result.end(),
              [](const Entry& a, const Entry& b) { return a.gates < b.gates; });
    return result;
  }

 private:
  unsigned mostGates_;
  std::vector<Entry> entries_;
};

class ParetoSearch {
 public:
  ParetoSearch(const ReducedProblem& problem, const gf2::Matrix& best, std::uint64_t effort)
      : problem_(problem),
        effort_(effort),
        split_(problem, effort_),
        archive_(general::gateCount(best)),
        rows_(general::lightRows(problem.addressBits)) {
    rows_.insert(rows_.end(), best.rows.begin(), best.rows.end());
  }

  /// Offers a mapping as it is, and with the fewest gates.
  void offer(const gf2::Matrix& bank) {
    archive_.offer(bank, split_.of(bank.rows));
    if (!general::independentOnDifferences(problem_, bank)) return;
    const gf2::Matrix cheapest = general::cheapestBasis(problem_, bank.rows);
    archive_.offer(cheapest, split_.of(cheapest.rows));
  }
  std::vector<Entry> run() {
    selectBits();
    while (!effort_.spent()) {
      const Entry* entry = archive_.next();
      if (entry == nullptr) break;
      scan(gf2::Matrix(entry->bank));
    }
    return archive_.sorted();
  }

 private:
  /// Offers the best selection of bits, found by branch and bound; the lowest bits if the effort is
  /// too small.
  void selectBits() {
    gf2::Matrix chosen = gf2::identity(problem_.bankBits);
    chosen.columns = problem_.addressBits;
    archive_.offer(chosen, split_.of(chosen.rows));
    split_.clear();
    chosen.rows.clear();
    selectFrom(0, chosen);
  }
  void selectFrom(unsigned first, gf2::Matrix& chosen) {
    const unsigned wanted = problem_.bankBits - static_cast<unsigned>(chosen.rows.size());
    for (unsigned bit = first; bit + wanted <= problem_.addressBits; ++bit) {
      if (effort_.spent()) return;
      const std::uint32_t row = std::uint32_t{1} << bit;
      const std::uint64_t ceiling = archive_.ceiling(0);
      const std::uint64_t cost = ceiling == 0 ? 0 : split_.with(row, ceiling - 1);
      if (cost >= ceiling) continue;
      chosen.rows.push_back(row);
      if (wanted == 1) {
        archive_.offer(chosen, cost);
      } else {
        split_.push(row);
        selectFrom(bit + 1, chosen);
        split_.pop();
      }
      chosen.rows.pop_back();
    }
  }

  /// Offers all mappings that differ in one row.
  void scan(const gf2::Matrix& bank) {
    for (std::size_t out = 0; out < bank.rows.size(); ++out) {
      gf2::Matrix others = bank;
      others.rows.erase(others.rows.begin() + static_cast<std::ptrdiff_t>(out));
      prepare(others);
      const unsigned gates = general::gateCount(others);
      for (const std::uint32_t row : rows_) {
        if (effort_.spent()) return;
        const std::uint64_t ceiling =
            archive_.ceiling(gates + static_cast<unsigned>(__builtin_popcount(row)) - 1);
        if (ceiling == 0 || split_.with(row, ceiling - 1) >= ceiling) continue;
        gf2::Matrix changed = others;
        changed.rows.push_back(row);
        if (!general::independentOnDifferences(problem_, changed)) continue;
        offer(changed);
        prepare(others);
      }
    }
  }
  void prepare(const gf2::Matrix& others) {
    split_.clear();
    for (const std::uint32_t row : others.rows) split_.push(row);
  }

  const ReducedProblem& problem_;
  Effort effort_;
  SplitCount split_;
  Archive archive_;
  std::vector<std::uint32_t> rows_;  ///< rows that are put in place of another
};

ParetoPoint pointOf(const ConflictCount& count, const gf2::Matrix& bank) {
  return {bank, count.linear(bank), general::gateCount(bank), general::gateDepth(bank)};
}

}  // namespace

std::vector<ParetoPoint> paretoFront(const AccessSets& sets, const ConflictCount& count,
                                     unsigned bankBits, const std::vector<gf2::Matrix>& starts,
                                     const SearchOptions& options) {
  const GeneralResult best = generalXor(sets, count, bankBits, starts, options);
  const ReducedProblem problem = general::reduce(sets, count.addressBits(), bankBits, {});
  std::vector<ParetoPoint> front;
  if (bankBits > 0 && problem.differences.size() > bankBits) {
    ParetoSearch search(problem, best.bank, options.effort);
    for (const gf2::Matrix& start : starts) search.offer(start);
    search.offer(best.bank);
    for (const Entry& entry : search.run()) {
      const ParetoPoint point = pointOf(count, entry.bank);
      if (front.empty() || point.conflicts < front.back().conflicts) front.push_back(point);
    }
  }
  const ParetoPoint last = pointOf(count, best.bank);
  if (!front.empty() && last.conflicts >= front.back().conflicts) return front;
  while (!front.empty() && front.back().gates >= last.gates) front.pop_back();
  front.push_back(last);
  return front;
}

}  // namespace fermata::search
