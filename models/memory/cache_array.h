// The frames of a cache: which line stands in which, what of it is known, and, where data are kept,
// its bytes. No SystemC and no time: a cache module says when.
//
// A line is a number: its byte address over the bytes of a line. An indexer maps it onto a set, as
// one maps a word onto a bank; of 2^32 bytes of lines, so that two lines that far apart have one
// set. A set index by a modulus that is no power of two needs more of the line in its tag (Diamond
// et al., Arbitrary Modulus Indexing, MICRO 2014, section VII.D): tagBits() says how much.
#pragma once

#include <fermata/models/choice.h>
#include <fermata/models/indexing/indexer.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fermata {

/// Bytes of a sector: the least that moves between caches and memory.
inline constexpr std::uint32_t kSectorBytes = 32;
/// Bit i: sector i of a line, which has at most 32.
using SectorMask = std::uint32_t;

struct CacheShape {
  std::uint32_t bytes = 32768;
  std::uint32_t lineBytes = 128;  ///< a power of two, 32 to 1024
  std::uint32_t ways = 1;         ///< frames of a set

  std::uint32_t frames() const { return bytes / lineBytes; }
  std::uint32_t sets() const { return frames() / ways; }
};

enum class Replacement : std::uint8_t { Lru, Fifo, Random };

template <>
struct ChoiceTable<Replacement> {
  static const std::vector<NamedChoice<Replacement>>& table() {
    static const std::vector<NamedChoice<Replacement>> choices{
        {Replacement::Lru, "lru"}, {Replacement::Fifo, "fifo"}, {Replacement::Random, "random"}};
    return choices;
  }
};

/// What a write does to a line that is there. Back: memory is written when the line leaves.
enum class WritePolicy : std::uint8_t { Evict, Through, Back };
template <>
struct ChoiceTable<WritePolicy> {
  static const std::vector<NamedChoice<WritePolicy>>& table() {
    static const std::vector<NamedChoice<WritePolicy>> choices{{WritePolicy::Evict, "evict"},
                                                               {WritePolicy::Through, "through"},
                                                               {WritePolicy::Back, "back"}};
    return choices;
  }
};

/// Which set a line belongs to. Throws IndexingError: the text is no mapping, or it has more sets
/// than the cache.
class SetIndex {
 public:
  /// `text`: a mapping of indexer.h; empty: the line's number modulo the sets.
  SetIndex(const CacheShape& shape, const std::string& text);

  std::uint32_t of(std::uint64_t line) const {
    if (!indexer_) return static_cast<std::uint32_t>(line % sets_);
    return indexer_->location(static_cast<std::uint32_t>(line & (lines_ - 1))).bank;
  }
  std::uint32_t sets() const { return sets_; }
  /// Bits of a line's number that its frame must keep, and how many a modulo of address bits keeps
  /// in a cache of as many frames.
  unsigned tagBits() const { return tagBits_; }
  unsigned plainTagBits() const { return plainTagBits_; }
  std::string text() const;

 private:
  std::uint64_t lines_;  ///< that are told apart, a power of two
  std::uint32_t sets_;
  unsigned tagBits_;
  unsigned plainTagBits_;
  std::shared_ptr<const indexing::Indexer> indexer_;  ///< null: modulo
};

class CacheArray {
 public:
  using Frame = std::uint32_t;
  static constexpr Frame kNone = ~Frame{0};

  struct Line {
    std::uint64_t number = 0;
    std::uint64_t used = 0;  ///< rises with every use (lru) or fill (fifo)
    SectorMask valid = 0;    ///< sectors that can be read; 0 with no `dirty`: nothing stands here
    SectorMask dirty = 0;    ///< sectors that memory has not
    bool reserved = false;   ///< for a line that is on its way

    bool holds(std::uint64_t line) const {
      return number == line && (valid | dirty) != 0 && !reserved;
    }
    bool empty() const { return (valid | dirty) == 0 && !reserved; }
  };

  /// `keepsData`: bytes as well.
  CacheArray(const CacheShape& shape, SetIndex sets, Replacement replacement, bool keepsData);

  const CacheShape& shape() const { return shape_; }
  const SetIndex& sets() const { return sets_; }
  std::uint64_t lineOf(std::uint64_t address) const { return address >> lineShift_; }
  std::uint64_t addressOf(std::uint64_t line) const { return line << lineShift_; }
  SectorMask allSectors() const { return allSectors_; }
  /// Sectors of [address, address + bytes), which lie in one line. Precondition: bytes is not 0.
  SectorMask sectors(std::uint64_t address, std::uint32_t bytes) const;

  /// The frame that has something of the line; kNone: nothing.
  Frame find(std::uint64_t line) const {
    const Frame first = sets_.of(line) * shape_.ways;
    for (Frame f = first; f < first + shape_.ways; ++f) {
      if (lines_[f].holds(line)) return f;
    }
    return kNone;
  }
  /// Precondition: a frame is reserved for the line.
  Frame reservedFor(std::uint64_t line) const {
    Frame frame = sets_.of(line) * shape_.ways;
    while (!(lines_[frame].reserved && lines_[frame].number == line)) ++frame;
    return frame;
  }
  /// The frame that a new line would take: an empty one, or the one to replace; kNone: all of its
  /// set are reserved.
  Frame victim(std::uint64_t line);
  Line& at(Frame frame) { return lines_[frame]; }
  /// A use of the line there.
  void touch(Frame frame) {
    if (replacement_ == Replacement::Lru) lines_[frame].used = ++clock_;
  }
  /// The line stands in the frame from now on, with no sector of it.
  void place(Frame frame, std::uint64_t line, bool reserved);
  void drop(Frame frame) { lines_[frame] = Line{}; }
  void clear();

  /// The bytes of a frame, and for each whether it is known (1); null where no data are kept.
  std::uint8_t* data(Frame frame) { return keepsData_ ? &data_[offset(frame)] : nullptr; }
  std::uint8_t* known(Frame frame) { return keepsData_ ? &known_[offset(frame)] : nullptr; }
  bool keepsData() const { return keepsData_; }

 private:
  std::size_t offset(Frame frame) const { return std::size_t{frame} * shape_.lineBytes; }

  CacheShape shape_;
  SetIndex sets_;
  Replacement replacement_;
  bool keepsData_;
  unsigned lineShift_;
  SectorMask allSectors_;
  std::vector<Line> lines_;  ///< [set][way]
  std::vector<std::uint8_t> data_;
  std::vector<std::uint8_t> known_;
  std::uint64_t clock_ = 0;
  std::uint64_t dice_ = 0x9e3779b97f4a7c15U;  ///< xorshift: the same runs give the same victims
};

}  // namespace fermata
