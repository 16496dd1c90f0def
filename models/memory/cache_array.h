// The frames of a cache: which line each holds, which of its sectors are valid and, where data are
// kept, its bytes. No SystemC and no time: a cache module decides when.
//
// A line is a number: its byte address divided by the bytes of a line. An indexer maps the line
// onto a set, as another maps a word onto a bank. It sees the line's place within 2^32 bytes: two
// lines that far apart have one set. A set index by a modulus that is no power of two needs more
// tag bits (Diamond et al., Arbitrary Modulus Indexing, MICRO 2014, section VII.D); tagBits()
// returns how many.
#pragma once

#include <fermata/models/indexing/indexer.h>
#include <fermata/models/memory/line_index.h>
#include <fermata/models/memory/replacement.h>
#include <fermata/models/memory/slice_map.h>
#include <fermata/models/vocabulary/choice.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fermata {

/// Bytes of a sector, the smallest unit that moves between caches and memory.
inline constexpr std::uint32_t kSectorBytes = 32;
struct CacheShape {
  std::uint32_t bytes = 32768;
  std::uint32_t lineBytes = 128;  ///< a power of two, 32 to 1024
  std::uint32_t ways = 1;         ///< frames per set

  std::uint32_t frames() const { return bytes / lineBytes; }
  std::uint32_t sets() const { return frames() / ways; }
};

/// How a write treats a line that the cache holds. Evict: drops it, and writes memory. Through:
/// updates it, and writes memory. Allocate: as Through, and the bytes of a store become present
/// where the line or their sector is absent. Back: updates it; memory is written when the line
/// leaves.
enum class WritePolicy : std::uint8_t { Evict, Through, Back, Allocate };
template <>
inline constexpr NamedChoice<WritePolicy> kChoices<WritePolicy>[] = {
    {WritePolicy::Evict, "evict"},
    {WritePolicy::Through, "through"},
    {WritePolicy::Back, "back"},
    {WritePolicy::Allocate, "allocate"}};

/// Maps a line onto its set. The constructor throws IndexingError if the text is no mapping, if it
/// has more sets than the cache, or if the shape is impossible.
class SetIndex {
 public:
  /// `text`: a mapping of indexer.h; empty: the line's number modulo the sets. `slices`: the cache
  /// has the lines of one of them, and a line's number is its row there (slice_map.h).
  SetIndex(const CacheShape& shape, const std::string& text, const SliceMap& slices = {});

  std::uint32_t of(std::uint64_t line) const {
    if (slices_.slices() != 1) line = slices_.rowOf(line);
    if (!indexer_) return static_cast<std::uint32_t>(line % sets_);
    return indexer_->location(static_cast<std::uint32_t>(line & (lines_ - 1))).bank;
  }
  std::uint32_t sets() const { return sets_; }
  /// Bits of a line's number that its frame must keep.
  unsigned tagBits() const { return tagBits_; }
  /// Bits that a frame would keep if the set were the line modulo the sets of the shape.
  unsigned plainTagBits() const { return plainTagBits_; }
  std::string text() const;

 private:
  SliceMap slices_;
  std::uint64_t lines_;  ///< lines within 2^32 bytes: a power of two
  std::uint32_t sets_;
  unsigned tagBits_;
  unsigned plainTagBits_;
  std::shared_ptr<const indexing::Indexer> indexer_;  ///< null: modulo
};

class CacheArray {
 public:
  using Frame = std::uint32_t;
  static constexpr Frame kNone = ~Frame{0};

  using Line = CacheLine;

  /// `keepsData`: frames hold the bytes of their lines as well.
  CacheArray(const CacheShape& shape, SetIndex sets, std::unique_ptr<ReplacementPolicy> replacement,
             bool keepsData);

  const CacheShape& shape() const { return shape_; }
  const SetIndex& sets() const { return sets_; }
  std::uint64_t lineOf(std::uint64_t address) const { return address >> lineShift_; }
  std::uint64_t addressOf(std::uint64_t line) const { return line << lineShift_; }
  SectorMask allSectors() const { return allSectors_; }
  /// Returns the sectors of [address, address + bytes). Preconditions: the range lies in one line;
  /// `bytes` is not 0.
  SectorMask sectors(std::uint64_t address, std::uint32_t bytes) const;

  /// Asks the host's cache for what looking for the line needs first.
  void prefetch(std::uint64_t line) const {
    if (shape_.ways > kFewWays) index_.prefetch(line);
  }
  /// Returns the frame that holds any sector of the line; kNone: there is none, or it is reserved.
  Frame find(std::uint64_t line) const {
    return findIf(line, [line](const Line& l) { return l.holds(line); });
  }
  /// Returns the frame that holds any sector of the line or is reserved for it; kNone: there is
  /// none.
  Frame findAny(std::uint64_t line) const {
    return findIf(line, [line](const Line& l) { return l.number == line && !l.empty(); });
  }
  /// Returns the frame that holds any sector of the line, even if more of them are on their way;
  /// kNone: there is none.
  Frame findPresent(std::uint64_t line) const {
    return findIf(line,
                  [line](const Line& l) { return l.number == line && (l.valid | l.dirty) != 0; });
  }
  /// Returns the frame that is reserved for the line. Precondition: there is one.
  Frame reservedFor(std::uint64_t line) const {
    return findIf(line, [line](const Line& l) { return l.reserved && l.number == line; });
  }
  /// Returns the frame that a new line would take: an empty one, or the one to replace; kNone: all
  /// frames of its set are reserved.
  Frame victim(std::uint64_t line);
  Line& at(Frame frame) { return lines_[frame]; }
  /// Records a use of the line in the frame.
  void touch(Frame frame) { replacement_->used(lines_[frame], ++time_); }
  /// Gives the frame to the line, without any sector yet.
  void place(Frame frame, std::uint64_t line, bool reserved);
  /// Reserves the frame for more sectors of its line.
  void reserve(Frame frame);
  /// The sectors on their way to a reserved frame have come.
  void unreserve(Frame frame);
  /// Precondition: the frame is not reserved.
  void drop(Frame frame);
  /// Drops the sectors of a frame; a reserved frame stays reserved.
  void empty(Frame frame) {
    lines_[frame].valid = lines_[frame].dirty = 0;
    mayBeEmpty(frame);
  }
  void clear();
  /// Drops every line and gives each set this many frames; the number of sets stays.
  void setWays(std::uint32_t ways);

  /// The bytes of a frame; null if no data are kept.
  std::uint8_t* data(Frame frame) { return keepsData_ ? &data_[offset(frame)] : nullptr; }
  /// For each byte of a frame: 1 if data() has it, otherwise 0. Null if no data are kept.
  std::uint8_t* known(Frame frame) { return keepsData_ ? &known_[offset(frame)] : nullptr; }
  bool keepsData() const { return keepsData_; }

  /// Makes written() available.
  void trackWritten();
  /// By sector of the frame: a bit per byte that is present, valid for sectors in CacheLine::dirty.
  /// Precondition: trackWritten() was called.
  std::uint32_t* written(Frame frame) { return &written_[offset(frame) / kSectorBytes]; }

 private:
  static constexpr std::uint32_t kFewWays = 4;  ///< looked at one after the other

  template <class Accepts>
  Frame findIf(std::uint64_t line, Accepts accepts) const {
    if (shape_.ways > kFewWays)
      return index_.find(line, [&](Frame f) { return accepts(lines_[f]); });
    const Frame first = sets_.of(line) * shape_.ways;
    for (Frame f = first; f < first + shape_.ways; ++f) {
      if (accepts(lines_[f])) return f;
    }
    return kNone;
  }
  void mayBeEmpty(Frame frame) {
    std::uint32_t& first = fullBefore_[frame / shape_.ways];
    first = std::min(first, frame % shape_.ways);
  }
  void sizeFrames();
  void sizeBytes();
  std::size_t offset(Frame frame) const { return std::size_t{frame} * shape_.lineBytes; }

  CacheShape shape_;
  SetIndex sets_;
  std::unique_ptr<ReplacementPolicy> replacement_;
  bool keepsData_;
  unsigned lineShift_;
  SectorMask allSectors_;
  std::vector<Line> lines_;                ///< [set][way]
  LineIndex index_;                        ///< of the lines, if there are more than few ways
  std::vector<std::uint32_t> fullBefore_;  ///< by set: no way before this one is empty
  std::uint32_t reserved_ = 0;             ///< frames
  std::vector<std::uint8_t> data_;
  std::vector<std::uint8_t> known_;
  bool tracksWritten_ = false;
  std::vector<std::uint32_t> written_;  ///< [frame][sector]
  std::uint64_t time_ = 0;              ///< uses and placements so far
};

}  // namespace fermata
