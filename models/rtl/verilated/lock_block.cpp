#include <VLocks.h>
#include <verilated.h>

#include <fermata/models/rtl/verilated/blocks.h>
#include <fermata/models/rtl/verilated/simulation.h>

namespace fermata::rtl::verilated {
namespace {

class LockUnit final : public EdgeBlock<LockRequest, LockResponse> {
 public:
  LockUnit() { simulation_.reset(); }
  bool trace(Waves& waves, const std::string& name) override {
    return simulation_.trace(waves, name);
  }

 private:
  void drive(const LockRequest& request) override {
    simulation_->request_valid = 1;
    simulation_->lock = request.lock;
    simulation_->unlock = request.unlock;
    packIn(request.number, 16, simulation_->number);
  }

  bool edge(LockResponse& response) override {
    simulation_.rise();
    simulation_->request_valid = 0;
    simulation_.fall();
    response.got = simulation_->got;
    return simulation_->response_valid != 0;
  }

  Simulation<VLocks> simulation_;
};

}  // namespace

std::unique_ptr<LockBlock> lockUnit() {
  return std::make_unique<LockUnit>();
}

}  // namespace fermata::rtl::verilated
