#include <fermata/stimuli/traces/row_queue.h>

#include <cstring>
#include <stdexcept>

namespace fermata::traces {

static_assert(sizeof(Row) <= RowPool::kBlockBytes, "a row fits a block");

namespace {

std::size_t bytesOf(const RowHead& head) {
  return sizeof(RowHead) + addressBytes(head);
}

}  // namespace

std::unique_ptr<RowPool::Bytes> RowPool::takeBytes() {
  if (++resident_ > peakResident_) peakResident_ = resident_;
  if (freeBytes_.empty()) return std::make_unique<Bytes>();
  auto bytes = std::move(freeBytes_.back());
  freeBytes_.pop_back();
  return bytes;
}

RowPool::Block* RowPool::acquire() {
  if (free_.empty()) {
    all_.push_back(std::make_unique<Block>());
    free_.push_back(all_.back().get());
  }
  Block* const block = free_.back();
  free_.pop_back();
  block->next = nullptr;
  block->used = 0;
  block->bytes = takeBytes();
  return block;
}

void RowPool::release(Block* block) {
  if (block->bytes) {
    freeBytes_.push_back(std::move(block->bytes));
    --resident_;
  } else {
    freePlaces_.push_back(block->place);
  }
  free_.push_back(block);
}

void RowPool::spill(Block& block) {
  if (!file_) file_.reset(std::tmpfile());
  if (freePlaces_.empty()) freePlaces_.push_back(places_++);
  const std::uint32_t place = freePlaces_.back();
  if (!file_ || fseeko(file_.get(), static_cast<off_t>(place) * kBlockBytes, SEEK_SET) != 0 ||
      std::fwrite(block.bytes->data(), kBlockBytes, 1, file_.get()) != 1) {
    throw std::runtime_error(
        "cannot write the trace reader's temporary file; expected room for rows that wait");
  }
  freePlaces_.pop_back();
  block.place = place;
  freeBytes_.push_back(std::move(block.bytes));
  --resident_;
  ++spilledBlocks_;
}

void RowPool::load(Block& block) {
  auto bytes = takeBytes();
  if (fseeko(file_.get(), static_cast<off_t>(block.place) * kBlockBytes, SEEK_SET) != 0 ||
      std::fread(bytes->data(), kBlockBytes, 1, file_.get()) != 1) {
    throw std::runtime_error("cannot read the trace reader's temporary file back");
  }
  freePlaces_.push_back(block.place);
  block.bytes = std::move(bytes);
}

void RowQueue::grow(RowPool& pool) {
  RowPool::Block* const fresh = pool.acquire();
  tail_->next = fresh;
  // Spill the block just filled: this warp needs it last.
  if (pool.crowded() && tail_ != head_) pool.spill(*tail_);
  tail_ = fresh;
}

void RowQueue::push(RowPool& pool, const Row& row) {
  const std::size_t bytes = bytesOf(row.head);
  if (tail_ == nullptr) {
    head_ = tail_ = pool.acquire();
    read_ = 0;
  } else if (empty()) {
    read_ = 0;
    tail_->used = 0;
  }
  if (tail_->used + bytes > RowPool::kBlockBytes) grow(pool);
  std::byte* const to = tail_->bytes->data() + tail_->used;
  std::memcpy(to, &row.head, sizeof(RowHead));
  std::memcpy(to + sizeof(RowHead), row.addresses.data(), bytes - sizeof(RowHead));
  tail_->used += static_cast<std::uint32_t>(bytes);
  pool.countRow();
}

const RowHead& RowQueue::front() const {
  return *reinterpret_cast<const RowHead*>(head_->bytes->data() + read_);
}

const std::byte* RowQueue::frontAddresses() const {
  return head_->bytes->data() + read_ + sizeof(RowHead);
}

void RowQueue::pop(RowPool& pool) {
  read_ += static_cast<std::uint32_t>(bytesOf(front()));
  --pool.rows_;
  if (read_ < head_->used || head_ == tail_) return;
  RowPool::Block* const next = head_->next;
  pool.release(head_);
  head_ = next;
  read_ = 0;
  if (!head_->bytes) pool.load(*head_);
}

void RowQueue::clear(RowPool& pool) {
  while (!empty()) pop(pool);
  if (head_ != nullptr) pool.release(head_);
  head_ = tail_ = nullptr;
  read_ = 0;
  ended = false;
}

}  // namespace fermata::traces
