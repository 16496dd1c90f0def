// The models that Verilator made of the RTL, as blocks.
#include <VAmiArray.h>
#include <VAmiFolded.h>
#include <VHashes.h>
#include <VLocks.h>
#include <VPasses.h>
#include <VScratchpads.h>
#include <verilated.h>

#include <fermata/models/rtl/verilated/blocks.h>
#include <fermata/models/rtl/verilated/simulation.h>

namespace fermata::rtl::verilated {
namespace {

/// A function of a warp's words.
template <class Model>
class MapModel : public MapBlock {
 public:
  bool trace(Waves& waves, const std::string& name) final { return model_.trace(waves, name); }
  void map(const Lanes& word, LaneMask, Lanes& bank, Lanes& row) final {
    copyIn(word, model_->word);
    model_.eval();
    copyOut(model_->bank, bank);
    copyOut(model_->row, row);
  }

 protected:
  Simulation<Model> model_;
};

/// Returns the number of the modulus in ami_moduli.sv.
unsigned numberOf(std::uint32_t modulus) {
  if (modulus == 31) return 0;
  if (modulus > 32 && modulus < 64) return modulus - 32;
  return 32 + static_cast<unsigned>(__builtin_ctz(modulus));
}

template <class Model>
struct AmiBlock final : MapModel<Model> {
  explicit AmiBlock(std::uint32_t modulus) {
    this->model_->selected = static_cast<CData>(numberOf(modulus));
  }
};

struct HashBlock final : MapModel<VHashes> {
  /// Digit 0: one of the configurable hashes.
  HashBlock(unsigned bankBits, unsigned digit, unsigned hash) {
    model_->bank_bits = static_cast<CData>(bankBits);
    model_->digit = static_cast<CData>(digit);
    model_->hash = static_cast<CData>(hash);
  }
  /// Loads register number `which`: the registers of the classes in their order, then that of the
  /// row.
  void configure(unsigned which, const std::vector<Field>& fields) {
    std::fill_n(&model_->config_data[0], 4, 0U);
    unsigned at = 0;
    for (const Field& field : fields) {
      for (unsigned bit = 0; bit < field.bits; ++bit, ++at)
        model_->config_data[at / 32] |= (field.value >> bit & 1U) << at % 32;
    }
    model_->config_we = static_cast<CData>(1U << which);
    model_.clock();
    model_->config_we = 0;
  }
};

/// A block with a clock that takes a request with each edge.
template <class Model, class Request, class Response>
class ClockedModel : public EdgeBlock<Request, Response> {
 public:
  ClockedModel() { model_.reset(); }
  bool trace(Waves& waves, const std::string& name) final { return model_.trace(waves, name); }

 protected:
  Simulation<Model> model_;

 private:
  /// Sets the inputs, except request_valid.
  virtual void ask(const Request& request) = 0;
  /// Reads the outputs. Returns response_valid.
  virtual bool answer(Response& response) = 0;

  void drive(const Request& request) final {
    model_->request_valid = 1;
    ask(request);
  }
  bool edge(Response& response) final {
    model_.rise();
    model_->request_valid = 0;
    model_.fall();
    return answer(response);
  }
};

class PassArbiter final : public ClockedModel<VPasses, PassRequest, PassResponse> {
 public:
  explicit PassArbiter(unsigned size) : size_(size) {
    model_->selected = static_cast<CData>(size);
    model_.reset();
  }

 private:
  void ask(const PassRequest& request) override {
    model_->lanes = request.valid;
    packIn(request.bank, 8, model_->bank);
    copyIn(request.row, model_->row);
  }
  bool answer(PassResponse& response) override {
    response = {model_->leaders[size_], model_->served[size_], model_->left[size_]};
    return model_->response_valid[size_] != 0;
  }

  unsigned size_;
};

class BankedScratchpad final
    : public ClockedModel<VScratchpads, ScratchpadRequest, ScratchpadResponse> {
 public:
  explicit BankedScratchpad(unsigned size) : size_(size) {
    model_->selected = static_cast<CData>(size);
    model_.reset();
  }

 private:
  void ask(const ScratchpadRequest& request) override {
    model_->lanes = request.valid;
    model_->write = request.write;
    packIn(request.bank, 8, model_->bank);
    copyIn(request.row, model_->row);
    copyIn(request.data, model_->data);
    packIn(request.enable, 4, model_->enable);
  }
  bool answer(ScratchpadResponse& response) override {
    copyOut(model_->word[size_], response.data);
    return model_->response_valid[size_] != 0;
  }

  unsigned size_;
};

class LockUnit final : public ClockedModel<VLocks, LockRequest, LockResponse> {
  void ask(const LockRequest& request) override {
    model_->lock = request.lock;
    model_->unlock = request.unlock;
    packIn(request.number, 16, model_->number);
  }
  bool answer(LockResponse& response) override {
    response.got = model_->got;
    return model_->response_valid != 0;
  }
};

}  // namespace

std::unique_ptr<MapBlock> amiArray(std::uint32_t modulus) {
  return std::make_unique<AmiBlock<VAmiArray>>(modulus);
}

std::unique_ptr<MapBlock> amiFolded(std::uint32_t modulus) {
  return std::make_unique<AmiBlock<VAmiFolded>>(modulus);
}

std::unique_ptr<MapBlock> linearHash(const LinearSetting& setting) {
  constexpr unsigned kRow = 4;
  const auto kind = static_cast<unsigned>(setting.kind);
  auto block = std::make_unique<HashBlock>(setting.bankBits, 0, kind);
  block->configure(kind, setting.bank);
  block->configure(kRow, setting.dropped);
  return block;
}

std::unique_ptr<MapBlock> fixedXor(unsigned bankBits, unsigned digit) {
  return std::make_unique<HashBlock>(bankBits, digit, 0);
}

std::unique_ptr<MapBlock> addHash(unsigned bankBits, unsigned digit) {
  return std::make_unique<HashBlock>(bankBits, digit, 1);
}

std::unique_ptr<PassBlock> passArbiter(unsigned size) {
  return std::make_unique<PassArbiter>(size);
}

std::unique_ptr<ScratchpadBlock> bankedScratchpad(unsigned size) {
  return std::make_unique<BankedScratchpad>(size);
}

std::unique_ptr<LockBlock> lockUnit() {
  return std::make_unique<LockUnit>();
}

}  // namespace fermata::rtl::verilated
