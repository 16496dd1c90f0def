#include <fermata/models/rtl/block_indexer.h>

#include <fermata/models/rtl/ended.h>

#include <string>

namespace fermata::rtl {

namespace {

using indexing::Location;

std::string placeText(const Location& location) {
  return fmt::format("bank {}, row {}", location.bank, location.row);
}

[[noreturn]] void differ(const std::string& mapping, const std::string& when, unsigned lane,
                         std::uint32_t word, const std::string& rtl, const std::string& expected) {
  throw LockstepDifference(
      fmt::format("the RTL indexer differs from '{}'{}: lane {}, word {}: RTL {}; expected {}",
                  mapping, when, lane, word, rtl, expected));
}

}  // namespace

BlockIndexer::BlockIndexer(std::shared_ptr<const indexing::Indexer> model,
                           std::unique_ptr<MapBlock> block, Now now)
    : Indexer(model->shape()),
      model_(std::move(model)),
      block_(std::move(block)),
      now_(std::move(now)) {
  rows_ = model_->rows();
}

indexing::Location BlockIndexer::location(std::uint32_t word) const {
  Lanes words{};
  Lanes bank;
  Lanes row;
  words[0] = word;
  locate(words, 1, bank, row);
  return {bank[0], row[0]};
}

void BlockIndexer::locate(const Lanes& word, LaneMask active, Lanes& bank, Lanes& row) const {
  inBlock([&] { block_->map(word, active, bank, row); },
          [&] {
            return BlockAtWork{"indexer", now(),
                               "lane:word " + lanesText(active, [&](unsigned lane) {
                                 return std::to_string(word[lane]);
                               })};
          });
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if ((active >> lane & 1) == 0) {
      bank[lane] = 0;
      row[lane] = 0;
    }
  }
  forEachLane(active, [&](unsigned lane) {
    if (bank[lane] < shape().banks && row[lane] < rows()) return;
    differ(model_->text(), "", lane, word[lane], placeText({bank[lane], row[lane]}),
           fmt::format("a bank below {} and a row below {}", shape().banks, rows()));
  });
}

void LockstepIndexer::locate(const Lanes& word, LaneMask active, Lanes& bank, Lanes& row) const {
  BlockIndexer::locate(word, active, bank, row);
  Lanes expectedBank;
  Lanes expectedRow;
  model().locate(word, active, expectedBank, expectedRow);
  forEachLane(active, [&](unsigned lane) {
    if (bank[lane] == expectedBank[lane] && row[lane] == expectedRow[lane]) return;
    differ(model().text(), fmt::format(" in cycle {}", now()), lane, word[lane],
           placeText({bank[lane], row[lane]}), placeText({expectedBank[lane], expectedRow[lane]}));
  });
}

}  // namespace fermata::rtl
