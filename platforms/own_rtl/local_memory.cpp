#include <VLocalMemory.h>
#include <VLocalMemory2.h>

#include <fermata/models/rtl/verilated/simulation.h>
#include <fermata/models/vocabulary/error.h>
#include "local_memory.h"

namespace own_rtl {

using fermata::LaneMask;
using namespace fermata::rtl;

namespace {

template <class Model>
class LocalMemory final : public BlockMemory {
 public:
  explicit LocalMemory(const Parameters& parameters)
      : BlockMemory("local_memory", parameters,
                    {1U << kTagBits, /*answersStores=*/false, /*mergesEqualWords=*/false}) {
    if (parameters.mapping != "mod 32" || parameters.shape.bytes > 4 * kWords) {
      throw fermata::BadInput("the local memory has " + std::to_string(kWords) +
                              " words and maps them itself; expected scratchpad.indexer = 'mod "
                              "32' and no more words");
    }
    block_->rsp_ready_i = ~LaneMask{0};
    clock(0);  // reset, active low
    clock(1);
    block_->rst_ni = 1;
  }

 private:
  bool traceBlock(Waves& waves, const std::string& name) override {
    return block_.trace(waves, name);
  }

  LaneMask edge(const MemoryRequest& offered, MemoryResponse& answered) override {
    constexpr unsigned kAddressBits = 14;
    block_->req_valid_i = offered.valid;
    if (offered.valid != 0) {
      block_->req_rw_i = offered.write ? offered.valid : 0;
      verilated::packIn(offered.word, kAddressBits, block_->req_addr_i);
      Lanes tags;
      tags.fill(offered.tag);
      verilated::packIn(tags, kTagBits, block_->req_tag_i);
      verilated::packIn(offered.enable, 4, block_->req_be_i);
      verilated::copyIn(offered.data, block_->req_data_i);
    }
    clock(0);
    const LaneMask taken = block_->req_ready_o;
    clock(1);
    answered.valid = block_->rsp_valid_o;
    if (answered.valid != 0) {
      verilated::packOut(block_->rsp_tag_o, kTagBits, answered.tag);
      verilated::copyOut(block_->rsp_data_o, answered.data);
    }
    return taken;
  }

  void clock(unsigned level) {
    block_->clk_i = level & 1;
    block_.eval();
  }

  verilated::Simulation<Model> block_;
};

}  // namespace

std::unique_ptr<BlockMemory> makeLocalMemory(const BlockMemory::Parameters& parameters,
                                             unsigned latency) {
  if (latency == 2) return std::make_unique<LocalMemory<VLocalMemory2>>(parameters);
  return std::make_unique<LocalMemory<VLocalMemory>>(parameters);
}

}  // namespace own_rtl
