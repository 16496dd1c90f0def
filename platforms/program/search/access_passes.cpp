#include <fermata/platforms/program/search/access_passes.h>

#include <algorithm>

#include <fermata/platforms/compose/parameters.h>

namespace fermata::platforms {

AccessPasses::AccessPasses(const PlatformParameters& platform,
                           std::shared_ptr<const indexing::Indexer> mapping)
    : mapping_(std::move(mapping)),
      grouping_(platform.crossbar.groups),
      counter_({mapping_->shape().banks, platform.crossbar.ports, platform.crossbar.groups,
                platform.crossbar.rowWords},
               {platform.crossbar.atomics, platform.crossbar.atomicTable}, platform.policyValues,
               mapping_->shape().banks, platform.crossbar.groups.joins()) {}

PassCount AccessPasses::of(const CountedAccess& one) {
  place(one);
  if (!fits_) return {};
  counter_.resolve(access_);
  return {access_.passes, access_.freePasses};
}

PassCount AccessPasses::joined(const WavefrontHalf& warp, std::uint32_t pc,
                               const CountedAccess& one) {
  place(one);
  if (!fits_) return {};
  access_.cta = warp.cta;
  access_.slot = warp.first + warp.upper;
  access_.warp = warp.upper;
  access_.instruction.pc = pc;
  counter_.resolve(access_);
  counter_.join(access_);
  return {access_.passes, access_.freePasses};
}

const LaneGroups& AccessPasses::groups(const CountedAccess& one) {
  place(one);
  return counter_.resolver().groupsOf(access_);
}

SetPrice AccessPasses::priceOf(const CountedAccess& one) {
  setInstruction(one);
  return {counter_.merges(access_), counter_.passesEach(access_)};
}

void AccessPasses::setInstruction(const CountedAccess& one) {
  access_.issuedInstruction = one.issued;
  access_.instruction.operation = one.operation;
  access_.instruction.bytesPerLane = one.bytesPerLane;
}

void AccessPasses::place(const CountedAccess& one) {
  setInstruction(one);
  access_.instruction.active = access_.asked = access_.unserved = one.active;
  access_.wordsPerLane = one.wordsPerLane;
  access_.banks = mapping_->shape().banks;
  std::copy(one.word.begin(), one.word.end(), access_.instruction.address.begin());
  std::uint32_t largest = 0;
  for (const std::uint32_t word : one.word) largest = std::max(largest, word);
  fits_ = largest + one.wordsPerLane <= mapping_->shape().words;
  for (unsigned k = 0; fits_ && k < one.wordsPerLane; ++k) {
    for (unsigned i = 0; i < kWarpLanes; ++i) access_.word[k][i] = one.word[i] + k;
    mapping_->locate(access_.word[k], access_.asked, access_.bank[k], access_.row[k]);
  }
}

}  // namespace fermata::platforms
