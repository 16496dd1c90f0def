// The program fermata with a module of one's own in the path: every command, study and search runs
// on it.
#include <fermata/models/transaction/warp_stage.h>
#include <fermata/platforms/program/program.h>

using namespace fermata;

/// One more register stage: 10 ns.
class RegisterStage : public WarpStage {
 public:
  explicit RegisterStage(const sc_core::sc_module_name& name) : WarpStage(name) {}

 private:
  void pass(tlm::tlm_generic_payload&, sc_core::sc_time& delay) override {
    delay += sc_core::sc_time(10, sc_core::SC_NS);
  }
};

/// Puts a stage before the address generation unit of each multiprocessor.
class WithStages : public platforms::Connector {
  void joinWarp(WarpInitiatorSocket& from, WarpTargetSocket& to) override {
    const std::string name = to.name();
    if (name.find(".agu.in") == std::string::npos) return Connector::joinWarp(from, to);
    auto& stage = stages_.emplace_back(std::make_unique<RegisterStage>("stage"));
    from.bind(stage->in);
    stage->out.bind(to);
  }

  std::vector<std::unique_ptr<RegisterStage>> stages_;
};

int main(int argc, char** argv) {
  WithStages connector;
  return platforms::runProgram(argc, argv, connector);
}
