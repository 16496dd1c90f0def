// A model made by Verilator, as a block drives it; its headers are for .cpp files only.
#pragma once

#include <fermata/models/rtl/edge_block.h>
#include <fermata/models/rtl/map_block.h>
#include <fermata/models/rtl/verilated/fst_waves.h>
#include <fermata/models/vocabulary/error.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace fermata::rtl::verilated {

/// Whether assertions are checked while all inputs are 0, before a reset.
enum class FirstInputs { Asserted, NotAsserted };

template <class Model>
class Simulation {
 public:
  /// Evaluates the model with all inputs 0, so that a clock can rise next. Throws RtlEnded if the
  /// block says that it cannot work, as in `initial assert (BANKS > 0)`.
  explicit Simulation(FirstInputs first = FirstInputs::Asserted)
      : model_(std::make_unique<Model>(&contextOfAll(), "")) {
    std::optional<NoAssertions> off;
    if (first == FirstInputs::NotAsserted) off.emplace();
    model_->eval();
  }
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// Sends samples to `waves` from now on; see Traced.
  bool trace(Waves& waves, const std::string& name) {
    if constexpr (HasSignals<Model>::value) {
      contextOfAll().traceEverOn(true);
      dynamic_cast<FstWaves&>(waves).add(*model_, name);
      waves_ = &waves;
    }
    return waves_ != nullptr;
  }

  /// Makes the outputs follow the inputs. Throws RtlEnded if the RTL ends the run; the waves get
  /// the sample even then.
  void eval() {
    try {
      model_->eval();
    } catch (...) {
      if (waves_ != nullptr) waves_->sample();
      throw;
    }
    if (waves_ != nullptr) waves_->sample();
  }
  Model* operator->() { return model_.get(); }
  const Model* operator->() const { return model_.get(); }

  /// Gives a rising edge of the clock, with the inputs as they are, then the falling edge.
  void clock() {
    rise();
    fall();
  }
  void rise() {
    model_->clk = 1;
    eval();
  }
  void fall() {
    model_->clk = 0;
    eval();
  }
  /// Gives one clock cycle with reset set.
  void reset() {
    model_->reset = 1;
    clock();
    model_->reset = 0;
  }

 private:
  struct NoAssertions {
    NoAssertions() { contextOfAll().assertOn(false); }
    ~NoAssertions() { contextOfAll().assertOn(true); }
  };

  std::unique_ptr<Model> model_;
  Waves* waves_ = nullptr;
};

/// Number of elements of a port that is an array.
template <class Port>
inline constexpr std::size_t kElements = sizeof(Port) /
                                         sizeof(std::declval<const Port&>()[std::size_t{0}]);

/// Copies the values of 32 lanes to a port, or from it.
template <class Port>
void copyIn(const Lanes& lanes, Port& port) {
  static_assert(kElements<Port> >= kWarpLanes, "the port has fewer than 32 lanes");
  std::copy(lanes.begin(), lanes.end(), &port[0]);
}
template <class Port>
void copyOut(const Port& port, Lanes& lanes) {
  static_assert(kElements<Port> >= kWarpLanes, "the port has fewer than 32 lanes");
  std::copy(&port[0], &port[0] + kWarpLanes, lanes.begin());
}

/// Throws BadInput if the port is too narrow for `lanes` lanes, and for 0 or over 32 bits.
template <class Port>
void expectRoom(std::size_t lanes, unsigned bits) {
  static_assert(sizeof(std::declval<const Port&>()[std::size_t{0}]) == sizeof(std::uint32_t),
                "the port is not packed in words of 32 bits");
  if (bits >= 1 && bits <= 32 && lanes * bits <= 32 * kElements<Port>) return;
  throw BadInput("a port of " + std::to_string(32 * kElements<Port>) +
                 " bits and less is packed with " + std::to_string(lanes) + " lanes of " +
                 std::to_string(bits) +
                 " bits; expected 1 to 32 bits a lane, and no more than the port has");
}

/// Packs several lanes of `bits` bits each into a port, side by side from bit 0. The port has more
/// than 64 bits, which Verilator keeps in words of 32 bits. Higher bits of a value are dropped.
template <class Values, class Port>
void packIn(const Values& values, unsigned bits, Port& port) {
  expectRoom<Port>(std::size(values), bits);
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  std::uint64_t gathered = 0;
  unsigned have = 0;
  unsigned word = 0;
  for (const auto value : values) {
    gathered |= (value & mask) << have;
    have += bits;
    if (have < 32) continue;
    port[word++] = static_cast<std::uint32_t>(gathered);
    gathered >>= 32;
    have -= 32;
  }
  if (have != 0) port[word] = static_cast<std::uint32_t>(gathered);
}
template <class Port, class Values>
void packOut(const Port& port, unsigned bits, Values& values) {
  expectRoom<Port>(std::size(values), bits);
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  std::uint64_t gathered = 0;
  unsigned have = 0;
  unsigned word = 0;
  for (auto& value : values) {
    if (have < bits) {
      gathered |= std::uint64_t{port[word++]} << have;
      have += 32;
    }
    value = static_cast<std::remove_reference_t<decltype(value)>>(gathered & mask);
    gathered >>= bits;
    have -= bits;
  }
}

}  // namespace fermata::rtl::verilated
