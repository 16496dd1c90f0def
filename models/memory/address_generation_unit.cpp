#include "models/memory/address_generation_unit.h"

#include <algorithm>

namespace fermata {

AddressGenerationUnit::AddressGenerationUnit(const sc_core::sc_module_name& name,
                                             const Clock& clock, const Parameters& parameters,
                                             std::shared_ptr<const indexing::Indexer> indexer)
    : WarpStage(name),
      parameters_(parameters),
      indexer_(std::move(indexer)),
      latency_(clock.time(parameters.latency + indexer_->cost().latency)),
      shift_(parameters.bankBytes == 8 ? 3 : 2) {
  if (parameters.bankBytes != 4 && parameters.bankBytes != 8) {
    SC_REPORT_FATAL("fermata/agu", "bankBytes must be 4 or 8");
  }
  if (indexer_->shape().words < parameters.bytes / parameters.bankBytes) {
    SC_REPORT_FATAL("fermata/agu", "the indexer maps fewer words than the scratchpad has");
  }
}

void AddressGenerationUnit::pass(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  translate(payload);
  delay += latency_;
}

void AddressGenerationUnit::translate(tlm::tlm_generic_payload& payload) {
  WarpAccess& access = warpAccess(payload);
  const WarpInstruction& instruction = access.instruction;
  checkRange(access);
  access.banks = indexer_->shape().banks;
  const std::uint32_t base = access.windowBase;
  for (unsigned i = 0; i < kWarpLanes; ++i) {
    access.word[0][i] = (base + static_cast<std::uint32_t>(instruction.address[i])) >> shift_;
  }
  access.wordsPerLane = std::max(1U, static_cast<unsigned>(instruction.bytesPerLane) >> shift_);
  indexer_->locate(access.word[0], instruction.active, access.bank[0], access.row[0]);
  for (unsigned k = 1; k < access.wordsPerLane; ++k) {
    for (unsigned i = 0; i < kWarpLanes; ++i) access.word[k][i] = access.word[0][i] + k;
    indexer_->locate(access.word[k], instruction.active, access.bank[k], access.row[k]);
  }
}

// A workload checks its own windows; a lane that leaves the memory here is an error of the model.
void AddressGenerationUnit::checkRange(const WarpAccess& access) const {
  const WarpInstruction& instruction = access.instruction;
  std::uint64_t last = 0;
  for (LaneMask m = instruction.active; m != 0; m &= m - 1) {
    last = std::max(last, instruction.address[static_cast<unsigned>(__builtin_ctz(m))]);
  }
  if (access.windowBase + last + instruction.bytesPerLane > parameters_.bytes) {
    SC_REPORT_FATAL("fermata/agu", "a shared access lies beyond the scratchpad");
  }
}

}  // namespace fermata
