// Columns of tensor memory in a replay. CTAs take them at the replay's times, so an allocation may
// get other columns than in the recording, or wait where that did not.
#pragma once

#include <array>
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
  unsigned rank = 0;               ///< of the CTA in its cluster
  std::uint16_t owned = 0;         ///< bit u: columns [32 u, 32 u + 32)
  std::vector<Taken> taken;        ///< oldest first
  std::vector<unsigned> promised;  ///< first columns that the other CTA of the pair took for both
};

/// The columns of one multiprocessor for each rank of a cluster, whose CTAs have one each on a GPU.
class TensorColumns {
 public:
  /// Begins a grid. `compete`: its CTAs share the multiprocessor; without, each has all columns.
  void begin(bool compete);
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
    return compete_ ? used_[owner.rank] : owner.owned;
  }
  void set(ColumnOwner& owner, std::uint16_t units, bool owned);

  bool compete_ = false;
  std::array<std::uint16_t, kMostClusterCtas> used_{};  ///< by rank, as ColumnOwner::owned
};

}  // namespace fermata::traces
