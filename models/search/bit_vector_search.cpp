#include <fermata/models/search/bit_vector_search.h>

#include <algorithm>
#include <map>
#include <set>

namespace fermata::search {
namespace {

unsigned topBit(std::uint32_t value) {
  return 31U - static_cast<unsigned>(__builtin_clz(value | 1U));
}

/// Adds the strides of a set. Returns false if it has none.
bool addStrides(const Words& words, std::map<std::uint32_t, std::uint32_t>& farthest) {
  std::array<std::uint32_t, AccessSets::kMaxWords> w;
  const auto end = std::unique_copy(words.begin(), words.end(), w.begin());
  const auto size = static_cast<std::uint32_t>(end - w.begin());
  if (size == 1) return true;  // lanes on one word: no stride parts them
  const std::uint32_t distance = w[size - 1] - w[0];
  const auto note = [&](std::uint32_t stride) {
    farthest[stride] = std::max(farthest[stride], distance);
  };
  const std::uint32_t inner = w[1] - w[0];
  std::uint32_t width = 1;
  while (width < size && w[width] - w[width - 1] == inner) ++width;
  if (width == size) {
    note(inner);
    return true;
  }
  const std::uint32_t outer = w[width] - w[0];
  for (std::uint32_t i = width; i < size; ++i) {
    if (w[i] - w[i - width] != outer) return false;
  }
  note(inner);
  note(outer);
  return true;
}

}  // namespace

std::string BitVectorXor::text() const {
  return "xor k1=" + std::to_string(k1) + " k2=" + std::to_string(k2) +
         " mask=" + std::to_string(mask);
}

indexing::gf2::Matrix BitVectorXor::matrix(unsigned addressBits, unsigned bankBits) const {
  indexing::gf2::Matrix bank{addressBits, {}};
  for (unsigned i = 0; i < bankBits; ++i) {
    std::uint32_t row = std::uint32_t{1} << (k1 + i);
    if ((mask >> i & 1U) != 0 && k2 + i < addressBits) row ^= std::uint32_t{1} << (k2 + i);
    bank.rows.push_back(row);
  }
  return bank;
}

std::vector<BitVectorXor> everyBitVectorXor(unsigned addressBits, unsigned bankBits) {
  std::vector<BitVectorXor> every;
  for (std::uint32_t mask = 0; mask < std::uint32_t{1} << bankBits; ++mask) {
    for (unsigned k1 = 0; k1 + bankBits <= addressBits; ++k1) {
      for (unsigned k2 = 0; k2 < addressBits; ++k2) every.push_back({k1, k2, mask});
    }
  }
  return every;
}

std::vector<BitVectorXor> prunedBitVectorXor(const std::vector<Stride>& strides,
                                             unsigned addressBits, unsigned bankBits) {
  std::set<unsigned> starts;
  unsigned top = 0;
  for (const Stride& stride : strides) {
    if (stride.stride == 0) continue;
    starts.insert(
        std::min(static_cast<unsigned>(__builtin_ctz(stride.stride)), addressBits - bankBits));
    top = std::max(top, topBit(stride.farthest));
  }
  if (starts.size() < 2) return {{starts.empty() ? 0 : *starts.begin(), 0, 0}};
  top = std::min(top, addressBits - 1);
  std::vector<BitVectorXor> left;
  for (std::uint32_t mask = 0; mask < std::uint32_t{1} << bankBits; ++mask) {
    for (const unsigned k1 : starts) {
      for (unsigned k2 = *starts.begin(); k2 <= top; ++k2) {
        const bool reaches = mask >> std::min(top - k2 + 1, bankBits) == 0;
        if (k2 != k1 && reaches) left.push_back({k1, k2, mask});
      }
    }
  }
  return left;
}

Strides stridesOf(const AccessSets& sets) {
  Strides result;
  std::map<std::uint32_t, std::uint32_t> farthest;
  for (std::size_t set = 0; set < sets.size(); ++set) {
    const Words words = sets.words(set);
    if (words.size > 1 && !addStrides(words, farthest)) result.random = true;
  }
  for (const auto& [stride, distance] : farthest) result.strides.push_back({stride, distance});
  return result;
}

}  // namespace fermata::search
