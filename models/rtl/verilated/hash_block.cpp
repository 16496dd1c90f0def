#include <VHashes.h>
#include <verilated.h>

#include <fermata/models/rtl/verilated/blocks.h>
#include <fermata/models/rtl/verilated/simulation.h>

namespace fermata::rtl::verilated {
namespace {

class HashBlock final : public MapBlock {
 public:
  /// Digit 0: one of the configurable hashes.
  HashBlock(unsigned bankBits, unsigned digit, unsigned hash) {
    simulation_->bank_bits = static_cast<CData>(bankBits);
    simulation_->digit = static_cast<CData>(digit);
    simulation_->hash = static_cast<CData>(hash);
  }

  /// Loads register number `which`: the registers of the classes in their order, then that of the
  /// row.
  void configure(unsigned which, const std::vector<Field>& fields) {
    std::fill_n(&simulation_->config_data[0], 4, 0U);
    unsigned at = 0;
    for (const Field& field : fields) {
      for (unsigned bit = 0; bit < field.bits; ++bit, ++at) {
        simulation_->config_data[at / 32] |= (field.value >> bit & 1U) << at % 32;
      }
    }
    simulation_->config_we = static_cast<CData>(1U << which);
    simulation_.clock();
    simulation_->config_we = 0;
  }

  bool trace(Waves& waves, const std::string& name) override {
    return simulation_.trace(waves, name);
  }
  void map(const Lanes& word, LaneMask, Lanes& bank, Lanes& row) override {
    copyIn(word, simulation_->word);
    simulation_.eval();
    copyOut(simulation_->bank, bank);
    copyOut(simulation_->row, row);
  }

 private:
  Simulation<VHashes> simulation_;
};

}  // namespace

std::unique_ptr<MapBlock> linearHash(const LinearSetting& setting) {
  constexpr unsigned kRow = 4;
  const auto kind = static_cast<unsigned>(setting.kind);
  auto block = std::make_unique<HashBlock>(setting.bankBits, 0, kind);
  block->configure(kind, setting.bank);
  block->configure(kRow, setting.dropped);
  return block;
}

std::unique_ptr<MapBlock> fixedXor(unsigned bankBits, unsigned digit) {
  return std::make_unique<HashBlock>(bankBits, digit, 0);
}

std::unique_ptr<MapBlock> addHash(unsigned bankBits, unsigned digit) {
  return std::make_unique<HashBlock>(bankBits, digit, 1);
}

}  // namespace fermata::rtl::verilated
