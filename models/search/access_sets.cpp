#include <fermata/models/search/access_sets.h>

#include <algorithm>
#include <stdexcept>

#include <fermata/models/search/uint128.h>

namespace fermata::search {
namespace {

/// Mixes x: every bit of the result depends on every bit of x, so that the sets kept are a fair
/// sample.
std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93U;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93U;
  return x ^ x >> 32;
}

/// Hashes rising words. A sum distinguishes them as well as a chain would, and is faster.
std::uint64_t hashOf(const std::uint32_t* words, std::uint32_t size) {
  std::uint64_t hash = size;
  for (std::uint32_t i = 0; i < size; ++i) hash += mix(words[i] + 0x9e3779b97f4a7c15U);
  return mix(hash);
}

std::uint64_t useHash(std::uint32_t set, std::uint32_t instruction) {
  return mix(std::uint64_t{set} << 32 | instruction);
}

bool kept(std::uint64_t hash, unsigned dropBits) {
  return dropBits == 0 || hash >> (64 - dropBits) == 0;
}

constexpr std::uint32_t kNone = FlatIndex::kNone;
constexpr unsigned kMostDropBits = 63;
constexpr unsigned kRecentBits = 11;

}  // namespace

AccessSets::AccessSets(std::size_t capacity) : capacity_(capacity) {
  if (capacity == 0 || capacity >= kNone) {
    throw std::invalid_argument("access sets: a capacity of " + std::to_string(capacity) +
                                "; expected 1 to " + std::to_string(kNone - 1));
  }
}

std::uint32_t AccessSets::addInstruction(Instruction instruction) {
  instructions_.push_back(std::move(instruction));
  return static_cast<std::uint32_t>(instructions_.size() - 1);
}

void AccessSets::add(std::uint32_t instruction, const std::uint32_t* words, std::uint32_t size,
                     std::uint64_t count, bool each) {
  if (size > kMaxWords) {
    throw std::invalid_argument("access sets: an access of " + std::to_string(size) +
                                " words; expected at most " + std::to_string(kMaxWords));
  }
  if (instruction >= instructions_.size()) {
    throw std::invalid_argument("access sets: there is no instruction " +
                                std::to_string(instruction) + "; expected one of " +
                                std::to_string(instructions_.size()));
  }
  if (size == 0 || count == 0) return;
  accesses_ += count;
  offered_ += count * instructions_[instruction].weight;
  Recent* const place = recent(instruction, words, size);
  if (place != nullptr && place->size == size && place->instruction == instruction &&
      place->each == each && std::equal(words, words + size, place->words.data())) {
    this->count(place->set, place->use, count);
    return;
  }
  std::uint32_t sorted[kMaxWords];
  std::uint32_t kept = size;
  if (each) {
    std::copy_n(words, size, sorted);
    std::sort(sorted, sorted + size);
  } else {
    kept = sorter_.sort(words, size, sorted);
  }
  largestWord_ = std::max(largestWord_, sorted[kept - 1]);
  const std::uint32_t set = find(hashOf(sorted, kept), sorted, kept);
  const std::uint32_t use = set == kNone ? kNone : findUse(set, instruction);
  this->count(set, use, count);
  if (place == nullptr) return;
  place->size = size;
  place->instruction = instruction;
  place->each = each;
  place->set = set;
  place->use = use;
  std::copy_n(words, size, place->words.data());
}

/// Returns the slot that would remember an access; null if the access is too large.
AccessSets::Recent* AccessSets::recent(std::uint32_t instruction, const std::uint32_t* words,
                                       std::uint32_t size) {
  if (size > Recent::kMostWords) return nullptr;
  if (recent_.empty()) recent_.resize(std::size_t{1} << kRecentBits);
  // Odd multipliers make every word count; the top bits depend on all bits of the product.
  std::uint64_t sum = instruction;
  for (std::uint32_t i = 0; i < size; ++i) {
    sum += words[i] * (0x9e3779b97f4a7c15U + i * 0x3c6ef372fe94f82aU);
  }
  return &recent_[sum * 0xd6e8feb86659fd93U >> (64 - kRecentBits)];
}

void AccessSets::count(std::uint32_t set, std::uint32_t use, std::uint64_t count) {
  if (set == kNone) return;
  uses_[use].count += count;
  const std::uint64_t weight = count * instructions_[uses_[use].instruction].weight;
  sets_[set].weight += weight;
  kept_ += weight;
}

/// Returns the set's number, new or not; kNone if it is not kept.
std::uint32_t AccessSets::find(std::uint64_t hash, const std::uint32_t* words, std::uint32_t size) {
  if (!kept(hash, dropBits_)) return kNone;
  const std::uint32_t known = index_.find(hash, [&](std::uint32_t number) {
    const Set& set = sets_[number];
    return set.size == size && std::equal(words, words + size, words_.data() + set.first);
  });
  if (known != kNone) return known;
  if (sets_.size() >= capacity_) {
    do {
      thin();
    } while (sets_.size() >= capacity_ && dropBits_ < kMostDropBits);
    if (!kept(hash, dropBits_) || sets_.size() >= capacity_) return kNone;
  }
  const auto number = static_cast<std::uint32_t>(sets_.size());
  sets_.push_back({hash, 0, words_.size(), size});
  words_.insert(words_.end(), words, words + size);
  index_.add(hash, number);
  return number;
}

/// Returns the use's number, new or not.
std::uint32_t AccessSets::findUse(std::uint32_t set, std::uint32_t instruction) {
  const std::uint64_t hash = useHash(set, instruction);
  const std::uint32_t known = useIndex_.find(hash, [&](std::uint32_t number) {
    return uses_[number].set == set && uses_[number].instruction == instruction;
  });
  if (known != kNone) return known;
  const auto number = static_cast<std::uint32_t>(uses_.size());
  uses_.push_back({set, instruction, 0});
  useIndex_.add(hash, number);
  return number;
}

/// Halves the part of the hash's range that is kept. The remaining sets keep their order.
void AccessSets::thin() {
  ++dropBits_;
  std::vector<std::uint32_t> renamed(sets_.size(), kNone);
  std::uint32_t left = 0;
  std::size_t words = 0;
  index_.clear();
  for (std::size_t old = 0; old < sets_.size(); ++old) {
    Set set = sets_[old];
    if (!kept(set.hash, dropBits_)) {
      kept_ -= set.weight;
      continue;
    }
    std::copy_n(words_.data() + set.first, set.size, words_.data() + words);
    set.first = words;
    words += set.size;
    renamed[old] = left;
    index_.add(set.hash, left);
    sets_[left++] = set;
  }
  sets_.resize(left);
  words_.resize(words);
  useIndex_.clear();
  std::uint32_t uses = 0;
  for (Use use : uses_) {
    use.set = renamed[use.set];
    if (use.set == kNone) continue;
    useIndex_.add(useHash(use.set, use.instruction), uses);
    uses_[uses++] = use;
  }
  uses_.resize(uses);
  for (Recent& one : recent_) one.size = 0;
}

std::uint64_t AccessSets::whole(std::uint64_t sum) const {
  if (!sampled() || kept_ == 0) return sum;
  return static_cast<std::uint64_t>((Uint128{sum} * offered_ + kept_ / 2) / kept_);
}

std::vector<Use> AccessSets::uses() const {
  std::vector<Use> uses = uses_;
  std::sort(uses.begin(), uses.end(), [](const Use& a, const Use& b) {
    return a.set != b.set ? a.set < b.set : a.instruction < b.instruction;
  });
  return uses;
}

}  // namespace fermata::search
