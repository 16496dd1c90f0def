#include <VAmiArray.h>
#include <VAmiFolded.h>
#include <verilated.h>

#include <fermata/models/rtl/verilated/blocks.h>
#include <fermata/models/rtl/verilated/simulation.h>

namespace fermata::rtl::verilated {
namespace {

/// Returns the number of the modulus in ami_moduli.sv.
unsigned numberOf(std::uint32_t modulus) {
  if (modulus == 31) return 0;
  if (modulus > 32 && modulus < 64) return modulus - 32;
  return 32 + static_cast<unsigned>(__builtin_ctz(modulus));
}

template <class Model>
class AmiBlock final : public MapBlock {
 public:
  explicit AmiBlock(std::uint32_t modulus) {
    simulation_->selected = static_cast<CData>(numberOf(modulus));
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
  Simulation<Model> simulation_;
};

}  // namespace

bool hasModulus(std::uint32_t modulus) {
  const bool power = modulus != 0 && (modulus & (modulus - 1)) == 0 && modulus <= 128;
  return power || modulus == 31 || (modulus > 32 && modulus < 64);
}

std::unique_ptr<MapBlock> amiArray(std::uint32_t modulus) {
  return std::make_unique<AmiBlock<VAmiArray>>(modulus);
}

std::unique_ptr<MapBlock> amiFolded(std::uint32_t modulus) {
  return std::make_unique<AmiBlock<VAmiFolded>>(modulus);
}

}  // namespace fermata::rtl::verilated
