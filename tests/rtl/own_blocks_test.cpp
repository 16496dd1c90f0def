// The blocks of platforms/own_rtl, pin by pin, including features that their adapters do not use:
// lanes not ready for their answer, and the data through the crossbar.
#include <VLocalMemory.h>
#include <VLocalMemory2.h>
#include <VRequestGrant.h>

#include <fermata/models/rtl/verilated/simulation.h>

#include "tests/rtl/definitions.h"
#include "tests/support/test.h"

using namespace fermata;
using namespace fermata::rtl;
using rtl::test::has;
using rtl::test::stored;

namespace {

constexpr unsigned kEdges = 50000;

template <class Model>
void start(verilated::Simulation<Model>& block) {
  for (const unsigned level : {0, 1}) {
    block->clk_i = level & 1;
    block.eval();
  }
  block->rst_ni = 1;
}

/// Lanes ask and become ready at random.
template <class Model>
void checkLocalMemory(unsigned span) {
  verilated::Simulation<Model> block;
  start(block);
  struct Answer {
    std::uint32_t tag;
    std::uint32_t data;
  };
  std::mt19937 random(span);
  std::vector<std::uint32_t> memory(span);
  std::array<std::deque<Answer>, kWarpLanes> due;
  Lanes address{};
  Lanes tag{};
  Lanes data{};
  Lanes enable{};
  Lanes heldTag{};
  Lanes heldData{};
  LaneMask valid = 0;
  LaneMask write = 0;
  LaneMask held = 0;
  std::uint64_t answers = 0;
  // Every word is written once first: a memory begins with random contents.
  for (unsigned edge = 0; edge < kEdges; ++edge) {
    const bool fill = edge < span;
    const LaneMask fresh = fill ? 1 : static_cast<LaneMask>(random());
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      if (has(valid, lane) || !has(fresh, lane)) continue;  // a request is held
      address[lane] = fill ? edge : static_cast<std::uint32_t>(random()) % span;
      tag[lane] = random() % 16;
      data[lane] = static_cast<std::uint32_t>(random());
      enable[lane] = fill ? 15 : random() % 16;
      write =
          (write & ~(LaneMask{1} << lane)) | (fill || random() % 2 != 0 ? LaneMask{1} << lane : 0);
      valid |= LaneMask{1} << lane;
    }
    const auto ready = static_cast<LaneMask>(random());
    block->req_valid_i = valid;
    block->req_rw_i = write;
    verilated::packIn(address, 14, block->req_addr_i);
    verilated::packIn(tag, 4, block->req_tag_i);
    verilated::packIn(enable, 4, block->req_be_i);
    verilated::copyIn(data, block->req_data_i);
    block->rsp_ready_i = ready;
    block->clk_i = 0;
    block.eval();
    Lanes rspTag;
    Lanes rspData;
    verilated::packOut(block->rsp_tag_o, 4, rspTag);
    verilated::copyOut(block->rsp_data_o, rspData);
    const LaneMask answered = block->rsp_valid_o;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      if (has(held, lane)) {
        BOOST_REQUIRE(has(answered, lane));
        BOOST_REQUIRE(rspTag[lane] == heldTag[lane]);
        BOOST_REQUIRE(rspData[lane] == heldData[lane]);
      }
      if (!has(answered, lane)) continue;
      BOOST_REQUIRE(!due[lane].empty());
      BOOST_REQUIRE(rspTag[lane] == due[lane].front().tag);
      BOOST_REQUIRE(rspData[lane] == due[lane].front().data);
      if (!has(ready, lane)) continue;
      due[lane].pop_front();
      ++answers;
    }
    held = answered & ~ready;
    heldTag = rspTag;
    heldData = rspData;
    const LaneMask taken = block->req_ready_o;
    BOOST_REQUIRE((taken & ~valid) == 0U);
    std::array<bool, 32> busy{};
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      if (!has(taken, lane)) continue;
      BOOST_REQUIRE(!std::exchange(busy[address[lane] % 32], true));
      std::uint32_t& word = memory[address[lane]];
      if (!has(write, lane)) due[lane].push_back({tag[lane], word});
      if (has(write, lane)) word = stored(word, data[lane], enable[lane]);
    }
    valid &= ~taken;
    block->clk_i = 1;
    block.eval();
  }
  BOOST_TEST(answers > kEdges / 8);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(own_blocks)

BOOST_DATA_TEST_CASE(the_local_memory_waits_for_its_lanes, bdata::make({1U, 40U, 12288U}), span) {
  checkLocalMemory<VLocalMemory>(span);
  checkLocalMemory<VLocalMemory2>(span);
}

BOOST_AUTO_TEST_CASE(the_crossbar_carries_every_word) {
  constexpr unsigned kBanks = 33;
  constexpr unsigned kRows = 8;
  verilated::Simulation<VRequestGrant> block;
  start(block);
  std::mt19937 random(7);
  std::vector<std::uint32_t> memory(std::size_t{kBanks} * kRows);
  Lanes bank{};
  Lanes row{};
  Lanes data{};
  Lanes enable{};
  Lanes expected{};
  Lanes waited{};
  LaneMask valid = 0;
  LaneMask write = 0;
  LaneMask granted = 0;
  LaneMask reads = 0;
  for (unsigned edge = 0; edge < kEdges; ++edge) {
    const auto fresh = static_cast<LaneMask>(random());
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      if (has(valid, lane) || !has(fresh, lane)) continue;
      bank[lane] = static_cast<std::uint32_t>(random()) % (edge % 512 < 256 ? kBanks : 3);
      row[lane] = random() % kRows;
      data[lane] = static_cast<std::uint32_t>(random());
      enable[lane] = random() % 16;
      write = (write & ~(LaneMask{1} << lane)) | static_cast<LaneMask>(random() % 2) << lane;
      valid |= LaneMask{1} << lane;
      waited[lane] = 0;
    }
    block->req_i = valid;
    block->wen_i = write;
    verilated::packIn(bank, 6, block->bank_i);
    verilated::packIn(row, 10, block->add_i);
    verilated::packIn(enable, 4, block->be_i);
    verilated::copyIn(data, block->wdata_i);
    block->clk_i = 0;
    block.eval();
    BOOST_REQUIRE(block->vld_o == granted);
    for (unsigned lane = 0; lane < kWarpLanes; ++lane)
      if (has(reads, lane)) BOOST_REQUIRE(block->rdata_o[lane] == expected[lane]);
    granted = block->gnt_o;
    reads = granted & ~write;
    BOOST_REQUIRE((granted & ~valid) == 0U);
    std::array<std::uint32_t, kBanks> rows{};
    verilated::packOut(block->add_o, 10, rows);
    std::array<std::uint32_t, kBanks> found{};
    for (unsigned b = 0; b < kBanks; ++b) {
      const bool asks = (block->req_o >> b & 1) != 0;
      bool wanted = false;
      for (unsigned lane = 0; lane < kWarpLanes; ++lane)
        wanted |= has(valid, lane) && bank[lane] == b;
      BOOST_REQUIRE(asks == wanted);
    }
    std::array<bool, kBanks> once{};
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      if (has(valid, lane)) BOOST_REQUIRE(waited[lane]++ < kWarpLanes);  // round robin
      if (!has(granted, lane)) continue;
      const std::uint32_t b = bank[lane];
      BOOST_REQUIRE(!std::exchange(once[b], true));
      BOOST_REQUIRE(rows[b] == row[lane]);
      std::uint32_t& word = memory[b * kRows + row[lane]];
      expected[lane] = found[b] = word;
      if (has(write, lane)) word = stored(word, block->wdata_o[b], enable[lane]);
    }
    valid &= ~granted;
    block->clk_i = 1;
    block.eval();
    for (unsigned b = 0; b < kBanks; ++b) block->rdata_i[b] = found[b];
  }
}

// A user who binds such a block writes an adapter of fewer than 100 lines.
BOOST_DATA_TEST_CASE(adapters_are_short, bdata::make({"local_memory", "request_grant"}), name) {
  std::ifstream file(std::string(FERMATA_SOURCE_DIR "/platforms/own_rtl/") + name + ".cpp");
  unsigned lines = 0;
  for (std::string line; std::getline(file, line);) ++lines;
  BOOST_TEST(lines > 0U);
  BOOST_TEST(lines < 100U);
}

BOOST_AUTO_TEST_SUITE_END()
