#include <fermata/models/memory/cache_array.h>

#include <algorithm>

namespace fermata {

namespace {

/// Bits that tell `count` values apart.
unsigned bitsFor(std::uint64_t count) {
  unsigned bits = 0;
  while ((std::uint64_t{1} << bits) < count) ++bits;
  return bits;
}

bool powerOfTwo(std::uint32_t n) {
  return n != 0 && (n & (n - 1)) == 0;
}

constexpr std::uint64_t kAddressSpace = std::uint64_t{1} << 32;

const CacheShape& checked(const CacheShape& shape) {
  if (!powerOfTwo(shape.lineBytes) || shape.lineBytes < kSectorBytes || shape.lineBytes > 1024)
    throw indexing::IndexingError("a line must be a power of two from 32 to 1024 bytes");
  const std::uint64_t set = std::uint64_t{shape.lineBytes} * shape.ways;
  if (set == 0 || shape.bytes == 0 || shape.bytes % set != 0)
    throw indexing::IndexingError(std::to_string(shape.bytes) + " bytes are no whole sets of " +
                                  std::to_string(shape.ways) + " lines of " +
                                  std::to_string(shape.lineBytes) + " bytes");
  return shape;
}

}  // namespace

SetIndex::SetIndex(const CacheShape& shape, const std::string& text, const SliceMap& slices)
    : slices_(slices), lines_(kAddressSpace / checked(shape).lineBytes), sets_(shape.sets()) {
  const std::uint64_t rows = (lines_ + slices.slices() - 1) / slices.slices();
  if (!text.empty()) {
    indexer_ = indexing::build(
        text, indexing::Shape{sets_, static_cast<std::uint32_t>(lines_), shape.lineBytes});
    if (indexer_->shape().banks > sets_)
      throw indexing::IndexingError("'" + text + "' has " +
                                    std::to_string(indexer_->shape().banks) + " sets, the cache " +
                                    std::to_string(sets_) + "; expected no more");
  }
  plainTagBits_ = bitsFor(rows / sets_);
  if (indexer_) sets_ = indexer_->shape().banks;
  tagBits_ = bitsFor((rows + sets_ - 1) / sets_);
}

std::string SetIndex::text() const {
  return indexer_ ? indexer_->text() : "line mod " + std::to_string(sets_);
}

CacheArray::CacheArray(const CacheShape& shape, SetIndex sets,
                       std::unique_ptr<ReplacementPolicy> replacement, bool keepsData)
    : shape_(checked(shape)),
      sets_(std::move(sets)),
      replacement_(std::move(replacement)),
      keepsData_(keepsData),
      lineShift_(static_cast<unsigned>(__builtin_ctz(shape.lineBytes))),
      allSectors_(shape.lineBytes == 32 * kSectorBytes
                      ? ~SectorMask{0}
                      : (SectorMask{1} << shape.lineBytes / kSectorBytes) - 1) {
  sizeFrames();
  sizeBytes();
}

void CacheArray::sizeFrames() {
  lines_.assign(shape_.frames(), Line{});
  fullBefore_.assign(shape_.sets(), 0);
  reserved_ = 0;
  if (shape_.ways > kFewWays) index_.reset(shape_.frames());
}

void CacheArray::sizeBytes() {
  if (tracksWritten_) written_.resize(shape_.bytes / kSectorBytes);
  if (!keepsData_) return;
  data_.resize(shape_.bytes);
  known_.resize(shape_.bytes);
}

void CacheArray::setWays(std::uint32_t ways) {
  if (ways == shape_.ways) return clear();
  shape_.bytes = shape_.bytes / shape_.ways * ways;
  shape_.ways = ways;
  sizeFrames();
  sizeBytes();
}

void CacheArray::trackWritten() {
  tracksWritten_ = true;
  sizeBytes();
}

SectorMask CacheArray::sectors(std::uint64_t address, std::uint32_t bytes) const {
  const auto first = static_cast<std::uint32_t>(address & (shape_.lineBytes - 1)) / kSectorBytes;
  const auto last =
      static_cast<std::uint32_t>((address + bytes - 1) & (shape_.lineBytes - 1)) / kSectorBytes;
  return ~SectorMask{0} >> (31 - last) & ~SectorMask{0} << first;
}

CacheArray::Frame CacheArray::victim(std::uint64_t line) {
  const std::uint32_t set = sets_.of(line);
  const Frame first = set * shape_.ways;
  std::uint32_t& way = fullBefore_[set];
  while (way < shape_.ways && !lines_[first + way].empty()) ++way;
  if (way < shape_.ways) return first + way;
  const auto isReserved = [](const Line& l) { return l.reserved; };
  const auto begin = lines_.begin() + first;
  if (reserved_ != 0 && std::all_of(begin, begin + shape_.ways, isReserved)) return kNone;
  return first + replacement_->victim(&lines_[first], shape_.ways, reserved_ != 0);
}

void CacheArray::place(Frame frame, std::uint64_t line, bool reserved) {
  if (shape_.ways > kFewWays) {
    index_.remove(lines_[frame].number, frame);
    index_.add(line, frame);
  }
  mayBeEmpty(frame);
  lines_[frame] = {line, 0, 0, 0, false};
  if (reserved) reserve(frame);
  replacement_->placed(lines_[frame], ++time_);
  if (keepsData_) std::fill_n(known(frame), shape_.lineBytes, std::uint8_t{0});
}

void CacheArray::reserve(Frame frame) {
  if (!lines_[frame].reserved) ++reserved_;
  lines_[frame].reserved = true;
}

void CacheArray::unreserve(Frame frame) {
  --reserved_;
  lines_[frame].reserved = false;
  mayBeEmpty(frame);
}

void CacheArray::drop(Frame frame) {
  if (shape_.ways > kFewWays) index_.remove(lines_[frame].number, frame);
  lines_[frame] = Line{};
  mayBeEmpty(frame);
}

void CacheArray::clear() {
  sizeFrames();
}

}  // namespace fermata
