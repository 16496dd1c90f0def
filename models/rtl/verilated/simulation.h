// A model that Verilator made, with the context that it needs; both types are Verilator's, whose
// headers are for .cpp files only.
#pragma once

#include <fermata/models/rtl/map_block.h>

#include <algorithm>
#include <memory>

namespace fermata::rtl::verilated {

template <class Model, class Context>
class Simulation {
 public:
  /// All inputs 0; it has seen them, so that a clock can rise next.
  Simulation() : model_(std::make_unique<Model>(&context_, "")) { model_->eval(); }
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  Model* operator->() { return model_.get(); }
  const Model* operator->() const { return model_.get(); }

  /// A rising edge of its clock, with the inputs as they are, and the falling one.
  void clock() {
    model_->clk = 1;
    model_->eval();
    model_->clk = 0;
    model_->eval();
  }

 private:
  Context context_;  // before the model: it outlives it
  std::unique_ptr<Model> model_;
};

/// Ports of 32 lanes.
template <class Port>
void copyIn(const Lanes& lanes, Port& port) {
  std::copy(lanes.begin(), lanes.end(), &port[0]);
}
template <class Port>
void copyOut(const Port& port, Lanes& lanes) {
  std::copy(&port[0], &port[0] + kWarpLanes, lanes.begin());
}

}  // namespace fermata::rtl::verilated
