#include <fermata/stimuli/traces/sass/piece_writer.h>

#include <algorithm>

namespace fermata::sass {

namespace {

constexpr unsigned kWarpBits = 5;  ///< a block has at most 32 warps

}  // namespace

OpenWarp& PieceWriter::warpOf(std::uint64_t block, std::uint32_t warp) {
  if (last_ != nullptr && last_->block == block && last_->warp == warp) return *last_;
  std::unique_ptr<OpenWarp>& found = warps_[block << kWarpBits | warp];
  if (found == nullptr) {
    found = std::make_unique<OpenWarp>();
    found->block = block;
    found->warp = warp;
    if (!free_.empty()) {
      found->bytes = std::move(free_.back());
      free_.pop_back();
      waiting_ += found->bytes.size();
    }
  }
  last_ = found.get();
  return *found;
}

void PieceWriter::makeRoom(OpenWarp& warp) {
  if (warp.bytes.size() < kMostBytes && waiting_ < kMostWaiting) {
    const std::size_t more = warp.bytes.empty() ? kFirstBytes : warp.bytes.size();
    waiting_ += more;
    warp.bytes.resize(warp.bytes.size() + more);
    return;
  }
  write(warp);
  if (warp.bytes.size() >= kFirstBytes) return;
  // All warps together wait with too much: their rows so far become pieces.
  for (auto& [number, other] : warps_) {
    write(*other);
    if (other.get() == &warp) continue;
    waiting_ -= other->bytes.size();
    std::vector<char>().swap(other->bytes);
  }
  waiting_ += kFirstBytes;
  warp.bytes.resize(kFirstBytes);
}

void PieceWriter::write(OpenWarp& warp) {
  if (warp.used == 0) return;
  const auto bytes = static_cast<std::uint32_t>(warp.used);
  sink_({warp.bytes.data(), warp.used});
  written_.push_back({warp.block, {place_, bytes, warp.warp}});
  place_ += bytes;
  warp.used = 0;
}

void PieceWriter::end(OpenWarp& warp) {
  write(warp);
  waiting_ -= warp.bytes.size();
  if (!warp.bytes.empty() && free_.size() < 64) free_.push_back(std::move(warp.bytes));
  last_ = nullptr;
  warps_.erase(warp.block << kWarpBits | warp.warp);
}

void PieceWriter::endAll(const std::function<void(OpenWarp&)>& each) {
  std::vector<OpenWarp*> open;  // in an order that does not depend on the hash
  for (auto& [number, warp] : warps_) open.push_back(warp.get());
  std::sort(open.begin(), open.end(), [](const OpenWarp* a, const OpenWarp* b) {
    return a->block != b->block ? a->block < b->block : a->warp < b->warp;
  });
  for (OpenWarp* const warp : open) {
    each(*warp);
    write(*warp);
  }
  warps_.clear();
  last_ = nullptr;
}

void PieceWriter::fill(KernelForm& form) {
  std::stable_sort(written_.begin(), written_.end(), [](const Written& a, const Written& b) {
    return a.block != b.block ? a.block < b.block : a.piece.warp < b.piece.warp;
  });
  form.pieces.reserve(written_.size());
  for (const Written& one : written_) {
    if (form.blocks.empty() || form.blocks.back().number != one.block)
      form.blocks.push_back({one.block, form.pieces.size()});
    form.pieces.push_back(one.piece);
  }
}

}  // namespace fermata::sass
