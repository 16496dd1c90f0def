// Waves as Verilator writes them; its headers are for .cpp files only.
#pragma once

#include <verilated_fst_c.h>

#include <fermata/models/rtl/waves.h>

#include <deque>
#include <type_traits>
#include <utility>

namespace fermata::rtl::verilated {

/// Returns the context of every model of the process: a waveform file takes models of one context.
VerilatedContext& contextOfAll();

class FstWaves final : public Waves {
 public:
  FstWaves(std::string path, const WaveWindow& window);
  void close() override;

  /// Adds all signals of a model, in a scope called `name`.
  template <class Model>
  void add(Model& model, const std::string& name) {
    names_.push_back(name + ' ');
    file_.spTrace()->addInitCb(&openScope, &names_.back());
    model.trace(&file_, kAllLevels);
    file_.spTrace()->addInitCb(&closeScope, nullptr);
    addBlock();
  }

 private:
  static constexpr int kAllLevels = 99;

  static void openScope(void* name, VerilatedFst* file, std::uint32_t code);
  static void closeScope(void*, VerilatedFst* file, std::uint32_t code);
  void open();
  void dump(Cycle cycle) override;

  std::string path_;
  VerilatedFstC file_;
  std::deque<std::string> names_;  // the file keeps pointers to them
  std::uint64_t next_ = 0;         ///< first time without a sample
  bool open_ = false;
};

/// True if Verilator was told to write the signals of a model (--trace-fst).
template <class Model, class = void>
struct HasSignals : std::false_type {};
template <class Model>
struct HasSignals<
    Model, std::void_t<decltype(std::declval<Model&>().trace(std::declval<VerilatedFstC*>(), 0))>>
    : std::true_type {};

}  // namespace fermata::rtl::verilated
