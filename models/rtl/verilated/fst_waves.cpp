#include <fermata/models/rtl/verilated/fst_waves.h>

#include <algorithm>
#include <stdexcept>

namespace fermata::rtl {

std::unique_ptr<Waves> openWaves(const std::string& path, const WaveWindow& window) {
  return std::make_unique<verilated::FstWaves>(path, window);
}

namespace verilated {
namespace {

constexpr std::uint64_t kTimesOfCycle = 1000;

}  // namespace

// Never destroyed: models may live as long as the program, and they need it to the end.
VerilatedContext& contextOfAll() {
  static VerilatedContext* const context = new VerilatedContext;
  return *context;
}

FstWaves::FstWaves(std::string path, const WaveWindow& window)
    : Waves(window), path_(std::move(path)) {
  file_.set_time_unit("1ps");
  file_.set_time_resolution("1ps");
}

void FstWaves::openScope(void* name, VerilatedFst* file, std::uint32_t) {
  file->scopeEscape(' ');
  file->pushNamePrefix(*static_cast<const std::string*>(name));
}

void FstWaves::closeScope(void*, VerilatedFst* file, std::uint32_t) {
  file->popNamePrefix();
  file->scopeEscape('.');
}

// Opened with the first sample: by then every block has given its signals.
void FstWaves::open() {
  if (open_) return;
  file_.open(path_.c_str());
  if (!file_.isOpen()) throw std::runtime_error("cannot write waves to " + path_);
  open_ = true;
}

void FstWaves::dump(Cycle cycle) {
  open();
  next_ = std::max<std::uint64_t>(next_, cycle * kTimesOfCycle);
  file_.dump(next_++);
}

void FstWaves::close() {
  open();
  file_.close();
}

}  // namespace verilated
}  // namespace fermata::rtl
