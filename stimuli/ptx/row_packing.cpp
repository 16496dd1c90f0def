#include <fermata/stimuli/ptx/row_packing.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include <fermata/stimuli/ptx/handlers.h>

namespace fermata::ptx {

bool names(const StaticInstruction& known, RegisterId id) {
  const auto reads = known.reads.begin();
  const auto writes = known.writes.begin();
  return std::find(reads, reads + known.readCount, id) != reads + known.readCount ||
         std::find(writes, writes + known.writeCount, id) != writes + known.writeCount;
}

namespace {

class RowPacking {
 public:
  RowPacking(KernelCode& code, const LiveRegisters& live) : code_(code), spans_(live.spans) {
    for (std::size_t id = 0; id < code.slots.size(); ++id) {
      if (code.slots[id].row != kUnusedRow) owner_[code.slots[id].row] = id;
    }
  }

  void run() {
    pinUnnamed();
    std::vector<RegisterId> order(code_.slots.size());
    std::iota(order.begin(), order.end(), RegisterId{0});
    std::stable_sort(order.begin(), order.end(), [this](RegisterId a, RegisterId b) {
      return spans_[a].first < spans_[b].first;
    });
    for (const RegisterId id : order) {
      if (code_.slots[id].row != kUnusedRow) share(id);
    }
    for (Instruction& i : code_.instructions) eachRow(i, [this](Row& row) { move(row); });
    for (Row& row : code_.matrixRows) move(row);  // the scoreboard tracks all of them
    for (Row& row : code_.warpRows) move(row);
    code_.registerBytes = end_;
  }

 private:
  /// Marks as always live each row that an instruction uses without telling the scoreboard.
  void pinUnnamed() {
    for (std::size_t pc = 0; pc < code_.instructions.size(); ++pc) {
      eachRow(code_.instructions[pc], [&](Row& row) {
        const auto owner = owner_.find(row);
        if (owner == owner_.end() || names(code_.statics[pc], owner->second)) return;
        spans_[owner->second] = {0, static_cast<std::uint32_t>(code_.instructions.size())};
      });
    }
  }

  struct Shared {
    Row row;
    std::uint32_t last;  ///< last PC at which it is taken
  };

  void share(RegisterId id) {
    const bool wide = code_.slots[id].words == 2;
    const LiveSpan& span = spans_[id];
    std::vector<Shared>& rows = shared_[wide ? 1 : 0];
    auto found = std::find_if(rows.begin(), rows.end(),
                              [&](const Shared& shared) { return shared.last < span.first; });
    if (found == rows.end()) found = rows.insert(found, {newRow(wide), 0});
    found->last = span.last;
    to_[code_.slots[id].row] = found->row;
  }

  Row newRow(bool wide) {
    const Row row = end_;
    end_ += wide ? kWideRowBytes : kRowBytes;
    return row;
  }

  /// Replaces a row by its new one. A row that belongs to no register gets a new row of its own.
  void move(Row& row) {
    if (row == kUnusedRow || (row & kConstantBit) != 0) return;
    const auto [found, isNew] = to_.try_emplace(row, end_);
    if (isNew) end_ += kWideRowBytes;
    row = found->second;
  }

  KernelCode& code_;
  std::vector<LiveSpan> spans_;
  std::unordered_map<Row, RegisterId> owner_;
  std::unordered_map<Row, Row> to_;
  std::vector<Shared> shared_[2];
  Row end_ = 0;
};

}  // namespace

void packRows(KernelCode& code, const LiveRegisters& live) {
  if (!live.spans.empty()) RowPacking(code, live).run();
}

}  // namespace fermata::ptx
