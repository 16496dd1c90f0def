#include <fermata/platforms/program/timeline/fst_file.h>

#include <gtkwave/fstapi.h>

#include <stdexcept>
#include <utility>
#include <vector>

namespace fermata::platforms {

namespace {

constexpr int kNanoseconds = -9;

class FstFile final : public results::timeline::SignalFile {
 public:
  using Cycle = results::timeline::Cycle;

  explicit FstFile(const std::string& path) : context_(fstWriterCreate(path.c_str(), 1)) {
    if (context_ == nullptr) throw std::runtime_error("cannot write " + path);
    fstWriterSetTimescale(context_, kNanoseconds);
    fstWriterSetVersion(context_, "Fermata");
    fstWriterSetDate(context_, "");  // no date: equal runs give equal files
  }
  ~FstFile() override { end(); }
  FstFile(const FstFile&) = delete;
  FstFile& operator=(const FstFile&) = delete;

  void openScope(const std::string& name) override {
    fstWriterSetScope(context_, FST_ST_VCD_MODULE, name.c_str(), nullptr);
  }
  void closeScope() override { fstWriterSetUpscope(context_); }
  Signal addWire(const std::string& name, unsigned bits) override {
    return add(FST_VT_VCD_WIRE, bits, name);
  }
  Signal addText(const std::string& name) override { return add(FST_VT_GEN_STRING, 0, name); }
  Signal addReal(const std::string& name) override { return add(FST_VT_VCD_REAL, 8, name); }

  void begin(const std::string& unit) override { fstWriterSetComment(context_, unit.c_str()); }
  void time(Cycle cycle) override {
    if (std::exchange(now_, cycle) != cycle || !std::exchange(any_, true))
      fstWriterEmitTimeChange(context_, cycle);
  }
  void wire(Signal signal, unsigned bits, std::optional<std::uint64_t> value) override {
    digits_.assign(bits, value ? '0' : 'x');
    for (unsigned i = 0; value && i < bits; ++i) {
      if ((*value >> i & 1) != 0) digits_[bits - 1 - i] = '1';
    }
    fstWriterEmitValueChange(context_, signal, digits_.data());
  }
  void text(Signal signal, const std::string& value) override {
    const std::string shown = value.empty() ? "-" : value;
    fstWriterEmitVariableLengthValueChange(context_, signal, shown.data(),
                                           static_cast<std::uint32_t>(shown.size()));
  }
  void real(Signal signal, double value) override {
    fstWriterEmitValueChange(context_, signal, &value);
  }
  void end() override {
    if (context_ != nullptr) fstWriterClose(std::exchange(context_, nullptr));
  }

 private:
  Signal add(fstVarType type, unsigned length, const std::string& name) {
    return fstWriterCreateVar(context_, type, FST_VD_IMPLICIT, length, name.c_str(), 0);
  }

  void* context_;
  std::string digits_;
  Cycle now_ = 0;
  bool any_ = false;
};

}  // namespace

std::unique_ptr<results::timeline::SignalFile> makeFstFile(const std::string& path) {
  return std::make_unique<FstFile>(path);
}

}  // namespace fermata::platforms
