// Columns of tensor memory in a replay. CTAs take them at the replay's times, so an allocation may
// get other columns than in the recording, or wait where that did not.
#pragma once

#include <cstdint>
#include <vector>

#include <fermata/models/vocabulary/cluster.h>
#include <fermata/models/vocabulary/tensor_columns.h>

namespace fermata::traces {

/// The columns of a CTA.
struct ColumnOwner {
  struct Taken {
    unsigned recorded;  ///< first column in the recording
    unsigned first;     ///< and here
  };
  static constexpr unsigned kNowhere = ~0U;
  /// Number of the multiprocessor and the rank: CTAs of one place compete. kNowhere: it has all
  /// columns for itself.
  unsigned place = kNowhere;
  unsigned rank = 0;               ///< of the CTA in its cluster
  std::uint16_t owned = 0;         ///< bit u: columns [32 u, 32 u + 32)
  std::vector<Taken> taken;        ///< oldest first
  std::vector<unsigned> promised;  ///< first columns that the other CTA of the pair took for both
};

/// The columns of each multiprocessor, for each rank of a cluster, whose CTAs have one each on a
/// GPU.
class TensorColumns {
 public:
  /// Begins a grid.
  void begin() { used_.clear(); }
  /// Returns the place of a CTA.
  static unsigned placeOf(unsigned multiprocessor, unsigned rank) {
    return multiprocessor * kMostClusterCtas + rank;
  }
  /// Returns whether an allocation would get its columns now. `other`: the other CTA of a pair;
  /// null: none.
  bool hasRoom(const ColumnOwner& own, const ColumnOwner* other, unsigned columns) const;
  /// Takes the columns. Returns the change with the columns of the replay; no columns: no room.
  ColumnChange take(ColumnOwner& own, ColumnOwner* other, ColumnChange change);
  /// Gives columns back that the recording had at `change.first`. Returns the change here.
  ColumnChange free(ColumnOwner& own, ColumnChange change);
  /// Gives back all columns of a CTA that ends.
  void end(ColumnOwner& own);

 private:
  unsigned find(const ColumnOwner& own, const ColumnOwner* other, unsigned columns) const;
  std::uint16_t used(const ColumnOwner& owner) const {
    if (owner.place == ColumnOwner::kNowhere) return owner.owned;
    return owner.place < used_.size() ? used_[owner.place] : std::uint16_t{0};
  }
  void set(ColumnOwner& owner, std::uint16_t units, bool owned);

  std::vector<std::uint16_t> used_;  ///< by place, as ColumnOwner::owned
};

}  // namespace fermata::traces
