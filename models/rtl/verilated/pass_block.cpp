#include <VPasses.h>
#include <verilated.h>

#include <fermata/models/rtl/verilated/blocks.h>
#include <fermata/models/rtl/verilated/simulation.h>

namespace fermata::rtl::verilated {
namespace {

class PassArbiter final : public EdgeBlock<PassRequest, PassResponse> {
 public:
  explicit PassArbiter(unsigned size) : size_(size) {
    simulation_->selected = static_cast<CData>(size);
    simulation_.reset();
  }
  bool trace(Waves& waves, const std::string& name) override {
    return simulation_.trace(waves, name);
  }

 private:
  void drive(const PassRequest& request) override {
    simulation_->request_valid = 1;
    simulation_->lanes = request.valid;
    packIn(request.bank, 8, simulation_->bank);
    copyIn(request.row, simulation_->row);
  }

  bool edge(PassResponse& response) override {
    simulation_.rise();
    simulation_->request_valid = 0;
    simulation_.fall();
    response = {simulation_->leaders[size_], simulation_->served[size_], simulation_->left[size_]};
    return simulation_->response_valid[size_] != 0;
  }

  Simulation<VPasses> simulation_;
  unsigned size_;
};

}  // namespace

std::unique_ptr<PassBlock> passArbiter(unsigned size) {
  return std::make_unique<PassArbiter>(size);
}

}  // namespace fermata::rtl::verilated
