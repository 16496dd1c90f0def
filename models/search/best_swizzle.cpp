#include <fermata/models/search/best_swizzle.h>

#include <algorithm>

#include <fermata/models/indexing/linear.h>

namespace fermata::search {
namespace {

constexpr unsigned kMostShift = 31;

unsigned log2(std::uint32_t powerOfTwo) {
  return static_cast<unsigned>(__builtin_ctz(powerOfTwo));
}

class SwizzleSearch {
 public:
  SwizzleSearch(const ConflictCount& count, const indexing::Shape& shape)
      : count_(count), shape_(shape) {}

  void look(const std::string& text) {
    const auto indexer = indexing::build(text, shape_);
    const auto& linear = dynamic_cast<const indexing::LinearIndexer&>(*indexer);
    ++best_.candidates;
    if (!best_.text.empty() && best_.conflicts == 0) return;
    const std::uint64_t limit = best_.text.empty() ? ConflictCount::kNoLimit : best_.conflicts - 1;
    const std::uint64_t conflicts = count_.linear(linear.bankMatrix(), limit);
    if (conflicts > limit) return;
    best_.text = text;
    best_.conflicts = conflicts;
  }

  BestSwizzle take() { return std::move(best_); }

 private:
  const ConflictCount& count_;
  const indexing::Shape& shape_;
  BestSwizzle best_;
};

std::string swizzleText(unsigned bits, unsigned base, unsigned shift) {
  return "swizzle b=" + std::to_string(bits) + " m=" + std::to_string(base) +
         " s=" + std::to_string(shift);
}

}  // namespace

BestSwizzle bestSwizzle(const ConflictCount& count, const indexing::Shape& shape,
                        std::uint32_t vectorBytes) {
  const unsigned wordBits = log2(shape.wordBytes);
  const unsigned top =
      indexing::bankBits(shape, "swizzle") + wordBits;   // end of the bank bits in a byte address
  const unsigned last = count.addressBits() + wordBits;  // end of its address bits
  const unsigned least = std::max(wordBits, log2(vectorBytes));
  SwizzleSearch search(count, shape);
  search.look(swizzleText(0, least, 0));
  for (unsigned bits = 1; least + bits <= top; ++bits) {
    for (unsigned shift = bits; shift <= kMostShift && least + shift < last; ++shift) {
      for (unsigned base = least; base + bits <= top && base + shift < last; ++base) {
        search.look(swizzleText(bits, base, shift));
      }
    }
  }
  return search.take();
}

BestSwizzle bestTma(const ConflictCount& count, const indexing::Shape& shape) {
  SwizzleSearch search(count, shape);
  search.look(swizzleText(0, std::max(4U, log2(shape.wordBytes)), 0));
  for (const char* const mode : {"tma 32", "tma 64", "tma 128"}) search.look(mode);
  return search.take();
}

}  // namespace fermata::search
