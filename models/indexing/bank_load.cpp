#include <fermata/models/indexing/bank_load.h>

#include <algorithm>

namespace fermata::indexing {

BankLoad bankLoad(const Indexer& indexer, const std::array<std::uint32_t, kWarpLanes>& word,
                  LaneMask active) {
  BankLoad load;
  indexer.locate(word, active, load.bank, load.row);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if ((active >> lane & 1U) == 0) continue;
    unsigned words = 0;  // distinct words of this bank at lower lanes
    unsigned twin = lane;
    for (unsigned other = 0; other < lane; ++other) {
      if ((active >> other & 1U) == 0 || load.bank[other] != load.bank[lane]) continue;
      if (word[other] == word[lane]) twin = std::min(twin, other);
      words = std::max(words, load.pass[other] + 1U);
    }
    if (twin != lane) {
      load.pass[lane] = load.pass[twin];
      continue;
    }
    load.pass[lane] = static_cast<std::uint8_t>(words);
    load.degree = std::max(load.degree, words + 1U);
    ++load.distinctWords;
    if (words == 0) ++load.banks;
  }
  return load;
}

unsigned conflictDegree(const Indexer& indexer, const std::array<std::uint32_t, kWarpLanes>& word,
                        LaneMask active) {
  return bankLoad(indexer, word, active).degree;
}

}  // namespace fermata::indexing
