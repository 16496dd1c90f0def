// Words of traces of kernels with tcgen05: work of the tensor unit, and the columns of tensor
// memory that CTAs take and give back (models/vocabulary/tensor_columns.h).
#pragma once

#include <string>
#include <string_view>

#include <fermata/models/vocabulary/cluster_answers.h>
#include <fermata/models/vocabulary/grid.h>
#include <fermata/models/vocabulary/tensor_columns.h>
#include <fermata/stimuli/traces/packed_row.h>

namespace fermata::traces {

/// Values of `work` of an access to shared memory by the tensor unit itself. An arrival behind such
/// work has that of a copy.
inline constexpr std::uint16_t kMostUnitWork = 5;
inline constexpr std::uint16_t kUnitCopy = 3;

/// True for a piece of what the tensor unit reads from shared memory by itself. It is stored
/// nowhere.
inline bool isUnitWork(const StaticInstruction& instruction) {
  return instruction.ofEngine() && instruction.tensorWork != 0;
}

inline constexpr std::uint8_t kBarrierBytes = 8;  ///< of an mbarrier

/// True if a row names a second place for each lane: that to which a copy stores, or the mbarrier
/// that an answer about a cluster changes.
inline bool namesTarget(const StaticInstruction& instruction) {
  return asksForClusters(instruction) || (instruction.beginsCopy() && !isUnitWork(instruction));
}

/// Puts a change of columns into a row, and reads it.
void setColumns(RowHead& head, const ColumnChange& change);
ColumnChange columnChangeOf(const RowHead& head);
/// True for a change that tcgen05 can make. `takes`: of an allocation.
bool isColumnChange(const ColumnChange& change, bool takes, const Grid& grid);

/// Appends and parses the text form: first/columns or first/columns/pair. parseColumns throws
/// FormatError.
void appendColumns(std::string& text, const ColumnChange& change);
ColumnChange parseColumns(std::string_view text, bool takes, const Grid& grid);

}  // namespace fermata::traces
