// Rows that have been read and not yet executed: one first-in first-out queue per warp, over one
// pool of blocks that overflows into a temporary file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>

#include <fermata/stimuli/traces/packed_row.h>

namespace fermata::traces {

class RowQueue;

/// Holds the blocks of all queues. At most `windowBytes` of them stay in memory, besides the first
/// and the last block of every queue. The rest goes to an unnamed temporary file, which costs 40
/// bytes of memory for each 4 KiB.
class RowPool {
 public:
  static constexpr std::size_t kBlockBytes = 4096;

  explicit RowPool(std::size_t windowBytes) : window_(windowBytes / kBlockBytes) {}

  std::uint64_t bufferedRows() const { return rows_; }
  std::uint64_t peakBufferedRows() const { return peakRows_; }
  std::size_t peakBytes() const { return peakResident_ * kBlockBytes; }
  /// Returns the bytes ever written to the temporary file.
  std::uint64_t spilledBytes() const { return spilledBlocks_ * kBlockBytes; }

 private:
  friend class RowQueue;
  using Bytes = std::array<std::byte, kBlockBytes>;
  /// A block in memory if `bytes` is set, otherwise at `place` in the file.
  struct Block {
    Block* next = nullptr;
    std::unique_ptr<Bytes> bytes;
    std::uint32_t place = 0;
    std::uint32_t used = 0;
  };

  Block* acquire();
  void release(Block* block);
  bool crowded() const { return resident_ > window_; }
  void spill(Block& block);
  void load(Block& block);
  std::unique_ptr<Bytes> takeBytes();
  void countRow() {
    if (++rows_ > peakRows_) peakRows_ = rows_;
  }

  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::size_t window_;
  std::size_t resident_ = 0;
  std::size_t peakResident_ = 0;
  std::uint64_t rows_ = 0;
  std::uint64_t peakRows_ = 0;
  std::uint64_t spilledBlocks_ = 0;
  std::vector<std::unique_ptr<Block>> all_;
  std::vector<Block*> free_;
  std::vector<std::unique_ptr<Bytes>> freeBytes_;
  std::unique_ptr<std::FILE, CloseFile> file_;
  std::vector<std::uint32_t> freePlaces_;
  std::uint32_t places_ = 0;
};

/// The rows of one warp, in its order.
class RowQueue {
 public:
  bool empty() const { return head_ == tail_ && read_ == (tail_ ? tail_->used : 0); }
  /// True if the warp has no rows beyond those queued.
  bool ended = false;

  void push(RowPool& pool, const Row& row);
  /// Precondition of the next three: the queue is not empty.
  const RowHead& front() const;
  /// Returns the packed addresses of front().
  const std::byte* frontAddresses() const;
  void pop(RowPool& pool);

  /// Gives every block back and empties the queue, ready for reuse.
  void clear(RowPool& pool);

 private:
  void grow(RowPool& pool);

  RowPool::Block* head_ = nullptr;
  RowPool::Block* tail_ = nullptr;
  std::uint32_t read_ = 0;  ///< bytes of the head block that are consumed
};

}  // namespace fermata::traces
