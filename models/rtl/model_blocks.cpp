#include <fermata/models/rtl/model_blocks.h>

#include <vector>

namespace fermata::rtl {

namespace {

class ModelMap final : public MapBlock {
 public:
  explicit ModelMap(std::shared_ptr<const indexing::Indexer> mapping)
      : mapping_(std::move(mapping)) {}
  void map(const Lanes& word, LaneMask active, Lanes& bank, Lanes& row) override {
    mapping_->locate(word, active, bank, row);
  }

 private:
  std::shared_ptr<const indexing::Indexer> mapping_;
};

class ModelPass final : public OneEdgeBlock<PassRequest, PassResponse> {
  PassResponse act(const PassRequest& request) override {
    PassResponse response;
    forEachLane(request.valid, [&](unsigned lane) {
      bool leads = true;
      bool served = false;
      forEachLane(response.leaders, [&](unsigned leader) {
        if (request.bank[leader] != request.bank[lane]) return;
        leads = false;
        served = request.row[leader] == request.row[lane];
      });
      if (leads) response.leaders |= laneBit(lane);
      if (leads || served) response.served |= laneBit(lane);
    });
    response.left = request.valid & ~response.served;
    return response;
  }
};

class ModelScratchpad final : public OneEdgeBlock<ScratchpadRequest, ScratchpadResponse> {
 public:
  ModelScratchpad(std::uint32_t banks, std::uint32_t rows)
      : rows_(rows), words_(std::size_t{banks} * rows) {}

 private:
  ScratchpadResponse act(const ScratchpadRequest& request) override {
    ScratchpadResponse response;
    forEachLane(request.valid & ~request.write,
                [&](unsigned lane) { response.data[lane] = word(request, lane); });
    forEachLane(request.valid & request.write, [&](unsigned lane) {
      std::uint32_t mask = 0;
      for (unsigned byte = 0; byte < sizeof(std::uint32_t); ++byte) {
        if ((request.enable[lane] >> byte & 1) != 0) mask |= 0xffU << (8 * byte);
      }
      std::uint32_t& stored = word(request, lane);
      stored = (stored & ~mask) | (request.data[lane] & mask);
    });
    return response;
  }
  std::uint32_t& word(const ScratchpadRequest& request, unsigned lane) {
    return words_.at(std::size_t{request.bank[lane]} * rows_ + request.row[lane]);
  }

  std::uint32_t rows_;
  std::vector<std::uint32_t> words_;
};

class ModelLock final : public OneEdgeBlock<LockRequest, LockResponse> {
 public:
  explicit ModelLock(std::uint32_t locks) : taken_(locks) {}

 private:
  LockResponse act(const LockRequest& request) override {
    LockResponse response;
    std::vector<bool> refused = taken_;
    forEachLane(request.lock, [&](unsigned lane) {
      if (refused.at(request.number[lane])) return;
      refused[request.number[lane]] = true;
      response.got |= laneBit(lane);
    });
    forEachLane(request.unlock, [&](unsigned lane) { taken_.at(request.number[lane]) = false; });
    forEachLane(response.got, [&](unsigned lane) { taken_[request.number[lane]] = true; });
    return response;
  }

  std::vector<bool> taken_;
};

}  // namespace

std::unique_ptr<MapBlock> modelMapBlock(std::shared_ptr<const indexing::Indexer> mapping) {
  return std::make_unique<ModelMap>(std::move(mapping));
}

std::unique_ptr<PassBlock> modelPassBlock() {
  return std::make_unique<ModelPass>();
}

std::unique_ptr<ScratchpadBlock> modelScratchpadBlock(std::uint32_t banks, std::uint32_t rows) {
  return std::make_unique<ModelScratchpad>(banks, rows);
}

std::unique_ptr<LockBlock> modelLockBlock(std::uint32_t locks) {
  return std::make_unique<ModelLock>(locks);
}

}  // namespace fermata::rtl
