#include <VScratchpads.h>
#include <verilated.h>

#include <fermata/models/rtl/verilated/blocks.h>
#include <fermata/models/rtl/verilated/simulation.h>

namespace fermata::rtl::verilated {
namespace {

class BankedScratchpad final : public EdgeBlock<ScratchpadRequest, ScratchpadResponse> {
 public:
  explicit BankedScratchpad(unsigned size) : size_(size) {
    simulation_->selected = static_cast<CData>(size);
    simulation_.reset();
  }
  bool trace(Waves& waves, const std::string& name) override {
    return simulation_.trace(waves, name);
  }

 private:
  void drive(const ScratchpadRequest& request) override {
    simulation_->request_valid = 1;
    simulation_->lanes = request.valid;
    simulation_->write = request.write;
    packIn(request.bank, 8, simulation_->bank);
    copyIn(request.row, simulation_->row);
    copyIn(request.data, simulation_->data);
    packIn(request.enable, 4, simulation_->enable);
  }

  bool edge(ScratchpadResponse& response) override {
    simulation_.rise();
    simulation_->request_valid = 0;
    simulation_.fall();
    copyOut(simulation_->word[size_], response.data);
    return simulation_->response_valid[size_] != 0;
  }

  Simulation<VScratchpads> simulation_;
  unsigned size_;
};

}  // namespace

std::unique_ptr<ScratchpadBlock> bankedScratchpad(unsigned size) {
  return std::make_unique<BankedScratchpad>(size);
}

}  // namespace fermata::rtl::verilated
