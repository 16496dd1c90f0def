// Mutants of the RTL as blocks, each by its number: that of its line in mutants.txt.
#pragma once

#include <VMutants.h>
#include <verilated.h>

#include <fermata/models/rtl/lock_block.h>
#include <fermata/models/rtl/pass_block.h>
#include <fermata/models/rtl/scratchpad_block.h>
#include <fermata/models/rtl/verilated/simulation.h>

namespace fermata::rtl::test {

inline constexpr std::uint32_t kMutantLocks = 100;

/// All mutants in one model, with their state.
using Top = verilated::Simulation<VMutants>;

class MutantMap final : public MapBlock {
 public:
  /// Takes the bank from one mutant and the row from another.
  MutantMap(Top& top, std::size_t bank, std::size_t row) : top_(top), bank_(bank), row_(row) {}
  void map(const Lanes& word, LaneMask active, Lanes& bank, Lanes& row) override {
    for (; active != 0; active &= active - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(active));
      top_->word = word[lane];
      top_.eval();
      bank[lane] = top_->bank[bank_];
      row[lane] = top_->row[row_];
    }
  }

 private:
  Top& top_;
  std::size_t bank_;
  std::size_t row_;
};

inline void edgeOf(Top& top) {
  top.rise();
  top->request_valid = 0;
  top.fall();
}

inline void drivePass(Top& top, const PassRequest& request) {
  top->request_valid = 1;
  top->lanes = request.valid;
  verilated::packIn(request.bank, 8, top->lane_bank);
  verilated::copyIn(request.row, top->lane_row);
}

/// A mutant of a clocked block, which begins with a reset.
template <class Request, class Response>
class MutantBlock : public EdgeBlock<Request, Response> {
 public:
  explicit MutantBlock(std::size_t number) : number_(number) { top_.reset(); }

 protected:
  Top top_;
  const std::size_t number_;

 private:
  bool edge(Response& response) final {
    edgeOf(top_);
    read(response);
    return top_->valid[number_] != 0;
  }
  virtual void read(Response& response) = 0;
};

class MutantPass final : public MutantBlock<PassRequest, PassResponse> {
  using MutantBlock::MutantBlock;
  void drive(const PassRequest& request) override { drivePass(top_, request); }
  void read(PassResponse& response) override {
    response = {top_->leaders[number_], top_->served[number_], top_->left[number_]};
  }
};

class MutantScratchpad final : public MutantBlock<ScratchpadRequest, ScratchpadResponse> {
  using MutantBlock::MutantBlock;
  void drive(const ScratchpadRequest& request) override {
    drivePass(top_, {request.valid, request.bank, request.row});
    top_->write = request.write;
    verilated::copyIn(request.data, top_->data);
    verilated::packIn(request.enable, 4, top_->enable);
  }
  void read(ScratchpadResponse& response) override {
    verilated::copyOut(top_->lane_word[number_], response.data);
  }
};

class MutantLock final : public MutantBlock<LockRequest, LockResponse> {
 public:
  /// Takes all locks first, so that the reset must free them.
  explicit MutantLock(std::size_t number) : MutantBlock(number) {
    LockRequest all;
    all.lock = kAllLanes;
    for (std::uint32_t first = 0; first < kMutantLocks; first += kWarpLanes) {
      for (unsigned lane = 0; lane < kWarpLanes; ++lane) all.number[lane] = first + lane;
      drive(all);
      edgeOf(top_);
    }
    top_.reset();
  }

 private:
  void drive(const LockRequest& request) override {
    top_->request_valid = 1;
    top_->lanes = request.lock;
    top_->unlock = request.unlock;
    verilated::packIn(request.number, 16, top_->number);
  }
  void read(LockResponse& response) override { response.got = top_->got[number_]; }
};

}  // namespace fermata::rtl::test
