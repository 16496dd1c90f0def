#include <fermata/platforms/program/diff/table_diff.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace fermata::platforms {

namespace {

using Key = std::vector<std::string>;
using RowFigures = std::vector<std::optional<double>>;

bool isOneValue(const std::vector<std::string>& cells) {
  return !cells.empty() &&
         std::all_of(cells.begin(), cells.end(), [&](const auto& one) { return one == cells[0]; });
}

bool isNumeric(const std::vector<std::string>& cells) {
  return std::all_of(cells.begin(), cells.end(),
                     [](const auto& one) { return one.empty() || numberIn(one); });
}

/// Rows of a table by their keys, in the order in which each key came first.
struct KeyedRows {
  std::vector<Key> order;
  std::map<Key, std::vector<RowFigures>> rows;
};

KeyedRows keyedRows(const ReportTable& table, const TableDiff& diff, bool sums) {
  std::vector<const std::vector<std::string>*> keys;
  std::vector<const std::vector<std::string>*> numbers;
  for (const std::string& name : diff.keys) keys.push_back(&table.texts(name));
  for (const std::string& name : diff.figures) numbers.push_back(&table.texts(name));
  KeyedRows keyed;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    Key key;
    for (const auto* cells : keys) key.push_back((*cells)[row]);
    RowFigures figures;
    for (const auto* cells : numbers) figures.push_back(numberIn((*cells)[row]));
    const auto [at, isNew] = keyed.rows.try_emplace(key);
    if (isNew) keyed.order.push_back(key);
    if (isNew || !sums) {
      at->second.push_back(std::move(figures));
      continue;
    }
    RowFigures& sum = at->second.front();
    for (std::size_t i = 0; i < sum.size(); ++i) {
      if (figures[i]) sum[i] = sum[i].value_or(0) + *figures[i];
    }
  }
  return keyed;
}

/// Sorts the columns of both tables into what was changed, what identifies, and what is compared.
void sortColumns(TableDiff& diff, const ReportTable& a, const ReportTable& b,
                 const std::vector<std::string>& identity, const std::vector<std::string>& sums) {
  const std::set<std::string> identifying(identity.begin(), identity.end());
  for (const ReportColumn& column : a.columns()) {
    const std::string& name = column.name;
    if (!b.has(name)) continue;
    const std::vector<std::string>& other = b.texts(name);
    if (identifying.count(name) != 0) {
      if (isOneValue(column.cells) && isOneValue(other) && column.cells[0] != other[0]) {
        diff.changed.push_back({name, column.cells[0], other[0]});
      } else {
        diff.keys.push_back(name);
      }
    } else if (isNumeric(column.cells) && isNumeric(other) &&
               (sums.empty() || std::find(sums.begin(), sums.end(), name) != sums.end())) {
      diff.figures.push_back(name);
      diff.units.push_back(column.unit);
    }
  }
}

}  // namespace

std::optional<double> FigurePair::percent() const {
  if (!a || *a == 0) return std::nullopt;
  return 100 * difference() / *a;
}

std::optional<std::size_t> TableDiff::figure(const std::string& name) const {
  const auto at = std::find(figures.begin(), figures.end(), name);
  if (at == figures.end()) return std::nullopt;
  return static_cast<std::size_t>(at - figures.begin());
}

FigurePair TableDiff::of(const RowPair& pair, const std::string& name) const {
  const auto at = figure(name);
  return at ? pair.figures[*at] : FigurePair();
}

void TableDiff::sortBy(const std::string& name) {
  std::stable_sort(pairs.begin(), pairs.end(), [&](const RowPair& one, const RowPair& other) {
    return std::abs(of(one, name).difference()) > std::abs(of(other, name).difference());
  });
}

TableDiff diffOf(const ReportTable& a, const ReportTable& b,
                 const std::vector<std::string>& identity, const std::vector<std::string>& sums) {
  TableDiff diff;
  sortColumns(diff, a, b, identity, sums);
  const KeyedRows left = keyedRows(a, diff, !sums.empty());
  KeyedRows right = keyedRows(b, diff, !sums.empty());
  for (const Key& key : left.order) {
    const std::vector<RowFigures>& ours = left.rows.at(key);
    const auto found = right.rows.find(key);
    const std::size_t theirs = found == right.rows.end() ? 0 : found->second.size();
    for (std::size_t i = 0; i < ours.size(); ++i) {
      if (i >= theirs) {
        diff.onlyA.push_back(key);
        continue;
      }
      RowPair pair{key, {}};
      for (std::size_t f = 0; f < ours[i].size(); ++f)
        pair.figures.push_back({ours[i][f], found->second[i][f]});
      diff.pairs.push_back(std::move(pair));
    }
    if (theirs > ours.size()) diff.onlyB.insert(diff.onlyB.end(), theirs - ours.size(), key);
    if (found != right.rows.end()) found->second.clear();
  }
  for (const Key& key : right.order)
    diff.onlyB.insert(diff.onlyB.end(), right.rows.at(key).size(), key);
  return diff;
}

}  // namespace fermata::platforms
