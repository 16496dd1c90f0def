// Address generation unit: adds base and offset of every lane, then has the indexer find word, bank
// and row.
//
// Hashes by instruction (van den Braak et al., IEEE TC 2016, section 9.1): each load and store may
// carry the number of the hash that maps its addresses. Two hashes could map different words onto
// one place. So the memory is divided into regions (models/indexing/regions.h), and hash i is the
// mapping of region i. An access outside the region of its hash is refused: the mapping of the
// whole memory thereby stays an injection.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <fermata/models/indexing/indexer.h>
#include <fermata/models/indexing/regions.h>
#include <fermata/models/timing/clock.h>
#include <fermata/models/transaction/scratchpad_shape.h>
#include <fermata/models/transaction/warp_access.h>
#include <fermata/models/transaction/warp_stage.h>

namespace fermata {

/// The hash number that each instruction of a program carries.
struct HashedProgram {
  std::string kernel;
  std::vector<std::uint8_t> hash;  ///< by PC; not empty
};
/// Returns the hashes of a program (Grid::program). Called once for each program that accesses
/// shared memory.
using HashSource = std::function<HashedProgram(std::uint32_t program)>;

class AddressGenerationUnit : public WarpStage {
 public:
  struct Parameters {
    unsigned latency = 1;  ///< cycles, without the indexer's own
    ScratchpadShape scratchpad;
    unsigned windowUnit = 4;  ///< bytes; the windows of CTAs start at multiples of it
  };

  AddressGenerationUnit(const sc_core::sc_module_name& name, const Clock& clock,
                        const Parameters& parameters,
                        std::shared_ptr<const indexing::Indexer> indexer);

  const indexing::Indexer& indexer() const { return *indexer_; }

  /// Sets the source of hashes; an empty one ends the check. From now on an access that reaches
  /// another region than that of its instruction's hash throws IndexingError. Answers for earlier
  /// programs are forgotten. Precondition: the indexer has regions.
  void setHashes(HashSource source);

 private:
  void pass(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  void translate(tlm::tlm_generic_payload& payload) override;
  void locate(WarpAccess& access, unsigned element) const;
  void checkRange(const WarpAccess& access, std::uint64_t most) const;
  static std::uint64_t highest(const WarpAccess& access);
  void checkHash(const WarpAccess& access);
  [[noreturn]] void refuse(const WarpAccess& access, unsigned hash, unsigned lane,
                           std::uint32_t word) const;

  Parameters parameters_;
  std::shared_ptr<const indexing::Indexer> indexer_;
  sc_core::sc_time latency_;
  unsigned shift_;         ///< log2 of bankBytes
  bool countsFromWindow_;  ///< of the indexer
  HashSource hashSource_;
  std::vector<HashedProgram> programs_;  ///< by program; an empty `hash`: source not asked yet
  const indexing::RegionIndexer* regions_ = nullptr;  ///< set while accesses are checked
};

}  // namespace fermata
