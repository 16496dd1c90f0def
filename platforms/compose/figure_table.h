// Turns the figures that modules declare into columns and rows of a result table.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include <fermata/models/probe/figure.h>
#include <fermata/results/identity.h>
#include <fermata/results/rows.h>

namespace fermata::platforms {

inline results::ColumnType columnType(FigureKind kind) {
  switch (kind) {
    case FigureKind::Integer:
      return results::ColumnType::Integer;
    case FigureKind::Real:
      return results::ColumnType::Real;
    case FigureKind::Text:
      break;
  }
  return results::ColumnType::Text;
}

/// A table with one row per Subject (a run, an instruction of a run, a bank of a run). Figures of
/// any number of sources stand side by side, in the order in which they were added.
template <class Subject>
class FigureTable {
 public:
  /// Adds figures of a source. `find(const Subject&)` returns the address of the source that
  /// counted for a subject, or null if a platform has none: the columns exist then too, with empty
  /// cells. Throws std::logic_error for a name that the table or the identity of a run already has;
  /// the table is then unchanged.
  template <class Source, class Find>
  void add(const Figures<Source>& figures, Find find) {
    auto columns = std::make_shared<std::vector<results::Column>>(*columns_);
    auto reads = reads_;
    for (const Figure<Source>& figure : figures) {
      requireNew(figure.name, results::identityColumns());
      requireNew(figure.name, *columns);
      columns->push_back({figure.name, columnType(figure.kind), figure.unit, figure.description});
      reads.push_back([read = figure.read, find](const Subject& subject) {
        const Source* source = find(subject);
        return source ? read(*source) : FigureValue();
      });
    }
    columns_ = std::move(columns);
    reads_ = std::move(reads);
  }
  /// Adds figures of the subject itself.
  void add(const Figures<Subject>& figures) {
    add(figures, [](const Subject& subject) { return &subject; });
  }

  /// Columns so far. Rows made before a later `add` keep theirs.
  const results::Columns& columns() const { return columns_; }

  results::Row row(const Subject& subject) const {
    std::vector<results::Cell> cells;
    cells.reserve(reads_.size());
    for (const auto& read : reads_) cells.push_back(read(subject));
    return {columns_, std::move(cells)};
  }

 private:
  static void requireNew(const std::string& name, const std::vector<results::Column>& columns) {
    for (const results::Column& column : columns) {
      if (column.name == name) throw std::logic_error("two columns '" + name + "'");
    }
  }

  results::Columns columns_ = std::make_shared<std::vector<results::Column>>();
  std::vector<std::function<FigureValue(const Subject&)>> reads_;
};

}  // namespace fermata::platforms
