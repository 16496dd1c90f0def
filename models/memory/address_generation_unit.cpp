#include <fermata/models/memory/address_generation_unit.h>

#include <fermata/models/memory/lane_scan.h>

#include <algorithm>
#include <utility>

namespace fermata {

AddressGenerationUnit::AddressGenerationUnit(const sc_core::sc_module_name& name,
                                             const Clock& clock, const Parameters& parameters,
                                             std::shared_ptr<const indexing::Indexer> indexer)
    : WarpStage(name),
      parameters_(parameters),
      indexer_(std::move(indexer)),
      latency_(clock.time(parameters.latency + indexer_->cost().latency)),
      shift_(parameters.scratchpad.bankBytes == 8 ? 3 : 2),
      countsFromWindow_(indexer_->countsFromWindow(parameters.windowUnit >> shift_)) {
  if (parameters.scratchpad.bankBytes != 4 && parameters.scratchpad.bankBytes != 8)
    SC_REPORT_FATAL("fermata/agu", "bankBytes must be 4 or 8");
  if (indexer_->shape().words < parameters.scratchpad.bytes / parameters.scratchpad.bankBytes)
    SC_REPORT_FATAL("fermata/agu", "the indexer maps fewer words than the scratchpad has");
}

void AddressGenerationUnit::pass(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  // A replay finds its words where the first try has placed them.
  WarpAccess& access = warpAccess(payload);
  if ((access.asked & ~access.placed) != 0) {
    translate(payload);
    access.placed = access.asked;
  }
  if (regions_ != nullptr) checkHash(access);
  delay += latency_;
}

void AddressGenerationUnit::setHashes(HashSource source) {
  hashSource_ = std::move(source);
  programs_.clear();
  regions_ = nullptr;
  if (!hashSource_) return;
  regions_ = dynamic_cast<const indexing::RegionIndexer*>(indexer_.get());
  if (regions_ == nullptr)
    SC_REPORT_FATAL("fermata/agu", "hashes by instruction need an indexer with regions");
}

void AddressGenerationUnit::translate(tlm::tlm_generic_payload& payload) {
  WarpAccess& access = warpAccess(payload);
  const WarpInstruction& instruction = access.instruction;
  access.banks = indexer_->shape().banks;
  const std::uint64_t most =
      lane_scan::toWords(instruction.address, access.windowBase, shift_, access.word[0]);
  checkRange(access, most);
  access.wordsPerLane = std::max(1U, static_cast<unsigned>(instruction.bytesPerLane) >> shift_);
  locate(access, 0);
  for (unsigned k = 1; k < access.wordsPerLane; ++k) {
    for (unsigned i = 0; i < kWarpLanes; ++i) access.word[k][i] = access.word[0][i] + k;
    locate(access, k);
  }
}

/// Finds the places of word `element` of each lane.
void AddressGenerationUnit::locate(WarpAccess& access, unsigned element) const {
  const auto& word = access.word[element];
  auto& bank = access.bank[element];
  auto& row = access.row[element];
  if (countsFromWindow_) {
    indexer_->locateIn(access.windowBase >> shift_, word, access.asked, bank, row);
  } else {
    indexer_->locate(word, access.asked, bank, row);
  }
}

void AddressGenerationUnit::checkHash(const WarpAccess& access) {
  if (access.program >= programs_.size()) programs_.resize(access.program + 1);
  HashedProgram& program = programs_[access.program];
  if (program.hash.empty()) program = hashSource_(access.program);
  const unsigned hash = program.hash.at(access.instruction.pc);
  for (unsigned k = 0; k < access.wordsPerLane; ++k) {
    for (LaneMask m = access.asked; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      if (regions_->region(access.word[k][lane]) != hash)
        refuse(access, hash, lane, access.word[k][lane]);
    }
  }
}

void AddressGenerationUnit::refuse(const WarpAccess& access, unsigned hash, unsigned lane,
                                   std::uint32_t word) const {
  const std::string region = std::to_string(regions_->region(word));
  const std::string own = std::to_string(hash);
  throw indexing::IndexingError(
      "kernel '" + programs_[access.program].kernel + "', pc " +
      std::to_string(access.instruction.pc) + ": an instruction with hash " + own +
      " reaches word " + std::to_string(word) + " of the scratchpad (byte " +
      std::to_string(access.instruction.address[lane]) + " of the CTA's window at byte " +
      std::to_string(access.windowBase) + "), which is of region " + region +
      " and mapped by hash " + region + "; expected only words of region " + own + ", or hash " +
      region + " for this instruction");
}

// Reports a lane outside the scratchpad as fatal. Workloads check their own windows, so it is an
// error of the model or of a foreign initiator. `most`: an upper bound of the addresses of all
// lanes, which spares the exact maximum of those that ask in most cases.
void AddressGenerationUnit::checkRange(const WarpAccess& access, std::uint64_t most) const {
  const WarpInstruction& instruction = access.instruction;
  if (!validWidth(instruction.bytesPerLane))
    SC_REPORT_FATAL("fermata/agu", "bytesPerLane must be 1, 2, 4, 8 or 16");
  const std::uint64_t bytes = parameters_.scratchpad.bytes;
  const std::uint64_t beyond = std::uint64_t{access.windowBase} + instruction.bytesPerLane;
  if (most < bytes && beyond + most <= bytes) return;
  const std::uint64_t last = highest(access);
  if (last >= bytes || beyond + last > bytes)
    SC_REPORT_FATAL("fermata/agu", "a shared access lies beyond the scratchpad");
}

std::uint64_t AddressGenerationUnit::highest(const WarpAccess& access) {
  std::uint64_t last = 0;
  for (LaneMask m = access.asked; m != 0; m &= m - 1)
    last = std::max(last, access.instruction.address[static_cast<unsigned>(__builtin_ctz(m))]);
  return last;
}

}  // namespace fermata
