// Address generation unit: base + offset of every lane, then the indexer: word, bank and row.
#pragma once

#include <memory>

#include "models/indexing/indexer.h"
#include "models/transaction/clock.h"
#include "models/transaction/warp_access.h"
#include "models/transaction/warp_stage.h"

namespace fermata {

class AddressGenerationUnit : public WarpStage {
 public:
  struct Parameters {
    unsigned latency = 1;         ///< cycles, without the indexer's own
    std::uint32_t bankBytes = 4;  ///< width of a bank's word: 4 or 8
    std::uint32_t bytes = 49152;  ///< size of the scratchpad
  };

  AddressGenerationUnit(const sc_core::sc_module_name& name, const Clock& clock,
                        const Parameters& parameters,
                        std::shared_ptr<const indexing::Indexer> indexer);

  const indexing::Indexer& indexer() const { return *indexer_; }

 private:
  void pass(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  void translate(tlm::tlm_generic_payload& payload) override;
  void checkRange(const WarpAccess& access) const;

  Parameters parameters_;
  std::shared_ptr<const indexing::Indexer> indexer_;
  sc_core::sc_time latency_;
  unsigned shift_;  ///< log2 of bankBytes
};

}  // namespace fermata
