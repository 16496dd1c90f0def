// Lists the shared-memory accesses of a workload without a platform, per warp instruction: the
// 4-byte words that its lanes name, counted from the start of the CTA's window.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include <fermata/stimuli/launch/catalog.h>

namespace fermata::test {

using Parameters = std::map<std::string, std::string>;

/// A kernel of the catalogue with its parameters.
struct Run {
  std::string workload;
  Parameters parameters;
};
inline std::ostream& operator<<(std::ostream& out, const Run& run) {
  out << run.workload;
  for (const auto& [name, value] : run.parameters) out << ' ' << name << '=' << value;
  return out;
}

/// Number of accesses by the distinct words they name, in rising order.
using SharedAccesses = std::map<std::vector<std::uint32_t>, std::uint64_t>;

/// Returns the distinct words that a warp names, in rising order. Precondition: at most 4 bytes per
/// lane, so that all lanes are served at once.
inline std::vector<std::uint32_t> wordsOf(const WarpInstruction& access) {
  std::vector<std::uint32_t> words;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if ((access.active >> lane & 1U) != 0)
      words.push_back(static_cast<std::uint32_t>(access.address[lane] / 4));
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

/// Steps the warps of each CTA in turn; a warp at a barrier waits for the others.
template <class Visit>
void visitCta(Workload& workload, unsigned warps, const Visit& visit) {
  WarpInstruction out;
  for (bool running = true; running;) {
    running = false;
    for (unsigned warp = 0; warp < warps; ++warp) {
      while (const StaticInstruction* next = workload.peek(warp)) {
        running = true;
        workload.execute(warp, out);
        if (next->instructionClass == InstructionClass::Barrier) break;
        if (next->instructionClass == InstructionClass::Memory && out.space == MemorySpace::Shared)
          visit(out);
      }
    }
  }
}

/// Runs the workload to its end and checks its results; `visit` is called with each shared access.
template <class Visit>
void visitSharedAccesses(const std::string& name, const Parameters& parameters,
                         const Visit& visit) {
  const auto workload = launch::openLaunch(name, parameters);
  workload->setWarpSlots(32);
  while (const Grid* grid = workload->nextGrid()) {
    for (std::uint64_t cta = 0; cta < grid->ctas; ++cta) {
      workload->startCta(cta, 0);
      visitCta(*workload, grid->warpsPerCta(), visit);
      workload->endCta(0);
    }
  }
  workload->checkResults();
}

inline SharedAccesses sharedAccesses(const std::string& name, const Parameters& parameters) {
  SharedAccesses accesses;
  visitSharedAccesses(name, parameters,
                      [&](const WarpInstruction& access) { ++accesses[wordsOf(access)]; });
  return accesses;
}

/// Bank bits, each the parity of some address bits: bit i of masks[b] is set if address bit i
/// enters bank bit b. Five bank bits: 32 banks.
using BankMasks = std::array<std::uint32_t, 5>;

/// Builds bank masks from lists: list b holds the address bits whose parity is bank bit b.
inline BankMasks banks(const std::array<std::vector<unsigned>, 5>& bits) {
  BankMasks masks{};
  for (std::size_t b = 0; b < bits.size(); ++b) {
    for (const unsigned bit : bits[b]) masks[b] |= 1U << bit;
  }
  return masks;
}

inline unsigned degreeOf(const std::vector<std::uint32_t>& words, const BankMasks& masks) {
  std::array<unsigned, 32> load{};
  for (const std::uint32_t word : words) {
    unsigned bank = 0;
    for (unsigned b = 0; b < masks.size(); ++b)
      bank |= static_cast<unsigned>(__builtin_parity(word & masks[b])) << b;
    ++load[bank];
  }
  return *std::max_element(load.begin(), load.end());
}

/// 32 banks by modulo.
constexpr BankMasks kModulo = {1, 2, 4, 8, 16};

using Degrees = std::map<unsigned, std::uint64_t>;

/// Returns the number of accesses of each degree.
inline Degrees degrees(const SharedAccesses& accesses, const BankMasks& masks = kModulo) {
  Degrees counts;
  for (const auto& [words, count] : accesses) counts[degreeOf(words, masks)] += count;
  return counts;
}

/// Returns the passes that `banks` banks by modulo take for each group of as many lanes. A group
/// without an active lane is left out.
inline std::vector<unsigned> passesOf(const WarpInstruction& access, unsigned banks) {
  std::vector<unsigned> passes;
  for (unsigned first = 0; first < kWarpLanes; first += banks) {
    WarpInstruction group = access;
    group.active &= ((LaneMask{1} << banks) - 1) << first;
    if (group.active == 0) continue;
    std::vector<unsigned> load(banks);
    for (const std::uint32_t word : wordsOf(group)) ++load[word % banks];
    passes.push_back(*std::max_element(load.begin(), load.end()));
  }
  return passes;
}

}  // namespace fermata::test
