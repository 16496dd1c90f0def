#include <fermata/stimuli/traces/tensor_columns.h>

#include <algorithm>

namespace fermata::traces {

void TensorColumns::begin(bool compete) {
  compete_ = compete;
  used_ = {};
}

unsigned TensorColumns::find(const ColumnOwner& own, const ColumnOwner* other,
                             unsigned columns) const {
  const unsigned others = other == nullptr ? 0U : used(*other);
  return freeTensorColumns(used(own) | others, columns);
}

bool TensorColumns::hasRoom(const ColumnOwner& own, const ColumnOwner* other,
                            unsigned columns) const {
  return !own.promised.empty() || find(own, other, columns) != kTensorColumns;
}

void TensorColumns::set(ColumnOwner& owner, std::uint16_t units, bool owned) {
  const auto change = [&](std::uint16_t& bits) {
    bits = static_cast<std::uint16_t>(owned ? bits | units : bits & ~units);
  };
  change(owner.owned);
  if (compete_) change(used_[owner.rank]);
}

ColumnChange TensorColumns::take(ColumnOwner& own, ColumnOwner* other, ColumnChange change) {
  const unsigned recorded = change.first;
  if (!own.promised.empty()) {
    change.first = own.promised.front();
    own.promised.erase(own.promised.begin());
  } else {
    change.first = find(own, other, change.columns);
    if (change.first == kTensorColumns) return {};
    const std::uint16_t units = tensorUnits(change.first, change.columns);
    set(own, units, true);
    if (other != nullptr) {
      set(*other, units, true);
      other->promised.push_back(change.first);
    }
  }
  own.taken.push_back({recorded, change.first});
  return change;
}

ColumnChange TensorColumns::free(ColumnOwner& own, ColumnChange change) {
  const auto found = std::find_if(own.taken.begin(), own.taken.end(),
                                  [&](const auto& one) { return one.recorded == change.first; });
  if (found == own.taken.end()) return change;  // given back before it was taken
  change.first = found->first;
  own.taken.erase(found);
  set(own, tensorUnits(change.first, change.columns), false);
  return change;
}

void TensorColumns::end(ColumnOwner& own) {
  set(own, own.owned, false);
  own = {};
}

}  // namespace fermata::traces
