#include <fermata/models/rtl/dpi/fermata_dpi.h>

#include <algorithm>
#include <array>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fermata/models/indexing/indexer.h>
#include <fermata/models/transaction/lane_groups.h>

namespace {

using namespace fermata;

struct Memory {
  std::unique_ptr<indexing::Indexer> mapping;
  LaneGrouping groups;
};

thread_local std::string refusal;

/// Calls `work`. Returns `refused`, and keeps the reason, if it throws: no exception passes C.
template <class Result, class Work>
Result guarded(Result refused, Work work) {
  try {
    refusal.clear();
    return work();
  } catch (const std::exception& error) {
    refusal = error.what();
    return refused;
  }
}

Memory& at(void* memory) {
  if (memory == nullptr) throw BadInput("no memory; expected what fermata_memory has returned");
  return *static_cast<Memory*>(memory);
}

/// Returns the number of the word at a byte address.
std::uint32_t wordAt(const Memory& memory, unsigned int address) {
  const indexing::Shape& shape = memory.mapping->shape();
  const std::uint32_t word = address / shape.wordBytes;
  if (word >= shape.words)
    throw BadInput("byte address " + std::to_string(address) + " is word " + std::to_string(word) +
                   "; expected one of the " + std::to_string(shape.words) + " words");
  return word;
}

const LaneGroups& groupsOf(const Memory& memory, unsigned int bytes) {
  if (bytes == 0 || bytes > 16 || (bytes & (bytes - 1)) != 0)
    throw BadInput(std::to_string(bytes) + " bytes per lane; expected 1, 2, 4, 8 or 16");
  return memory.groups.of(MemoryOperation::Load, bytes);
}

/// Returns the distinct words that the lanes of a group ask of the fullest bank.
unsigned degree(const Memory& memory, LaneMask lanes, const unsigned int* address,
                unsigned int bytes) {
  std::vector<std::uint32_t> words;
  for (LaneMask left = lanes; left != 0; left &= left - 1) {
    const unsigned int first = address[__builtin_ctz(left)];
    if (first % bytes != 0)
      throw BadInput("byte address " + std::to_string(first) + "; expected a multiple of " +
                     std::to_string(bytes));
    const std::uint32_t last = wordAt(memory, first + bytes - 1);
    for (std::uint32_t word = wordAt(memory, first); word <= last; ++word) words.push_back(word);
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  std::vector<unsigned> asked(memory.mapping->shape().banks);
  unsigned most = 0;
  for (const std::uint32_t word : words)
    most = std::max(most, ++asked[memory.mapping->location(word).bank]);
  return most;
}

}  // namespace

void* fermata_memory(const char* mapping, unsigned int banks, unsigned int words,
                     unsigned int word_bytes) {
  return guarded<void*>(nullptr, [&] {
    if (word_bytes == 0 || word_bytes > 16 || (word_bytes & (word_bytes - 1)) != 0)
      throw BadInput("words of " + std::to_string(word_bytes) +
                     " bytes; expected 1, 2, 4, 8 or 16");
    auto memory = std::make_unique<Memory>();
    memory->mapping = indexing::build(mapping, {banks, words, word_bytes});
    return memory.release();
  });
}

void fermata_memory_free(void* memory) {
  delete static_cast<Memory*>(memory);
}

int fermata_memory_groups(void* memory, unsigned int bits, const char* groups) {
  return guarded(0, [&] {
    LaneGrouping& grouping = at(memory).groups;
    LaneGroups* const changed = bits == 32    ? &grouping.bits32
                                : bits == 64  ? &grouping.bits64
                                : bits == 128 ? &grouping.bits128
                                              : nullptr;
    if (changed == nullptr) throw BadInput(std::to_string(bits) + " bits; expected 32, 64 or 128");
    LaneGroups read;
    std::string wrong = LaneGroups::read(groups, read);
    if (wrong.empty() && read.joins()) wrong = "lanes of two warps; expected lanes 0 to 31";
    if (!wrong.empty()) throw BadInput(wrong);
    *changed = read;
    return 1;
  });
}

int fermata_locate(void* memory, unsigned int address, unsigned int* bank, unsigned int* row) {
  return guarded(0, [&] {
    const indexing::Location place = at(memory).mapping->location(wordAt(at(memory), address));
    *bank = place.bank;
    *row = place.row;
    return 1;
  });
}

int fermata_passes(void* memory, unsigned int lanes, const unsigned int* address,
                   unsigned int bytes) {
  return guarded(-1, [&] {
    unsigned passes = 0;
    for (const LaneMask group : groupsOf(at(memory), bytes))
      passes += degree(at(memory), lanes & group, address, bytes);
    return static_cast<int>(passes);
  });
}

int fermata_ideal_passes(void* memory, unsigned int lanes, unsigned int bytes) {
  return guarded(-1, [&] {
    const LaneGroups& groups = groupsOf(at(memory), bytes);
    return static_cast<int>(std::count_if(groups.begin(), groups.end(),
                                          [&](LaneMask group) { return (group & lanes) != 0; }));
  });
}

const char* fermata_refusal(void) {
  return refusal.c_str();
}
