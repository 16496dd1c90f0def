#include <fermata/models/rtl/block_arbiter.h>

#include <fermata/models/rtl/ended.h>
#include <fermata/models/vocabulary/error.h>

#include <algorithm>
#include <string>

namespace fermata::rtl {

namespace {

std::string text(const LaneWords& words, unsigned count) {
  std::string text;
  for (unsigned k = 0; k < count; ++k) {
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      if ((words[k] & laneBit(lane)) == 0) continue;
      text += fmt::format("{}{}", text.empty() ? "" : " ", lane);
      if (count > 1) text += fmt::format(".{}", k);
    }
  }
  return text.empty() ? "none" : text;
}

std::string askedText(const WarpAccess& access) {
  return "lane:bank/row " + lanesText(access.asked, [&](unsigned lane) {
           return fmt::format("{}/{}", access.bank[0][lane], access.row[0][lane]);
         });
}

}  // namespace

BlockArbiter::BlockArbiter(std::unique_ptr<PassBlock> block, Implementation how, unsigned rowWords,
                           Now now)
    : block_(std::move(block)),
      how_(how),
      rowShift_(static_cast<unsigned>(__builtin_ctz(rowWords))),
      now_(std::move(now)) {}

PassRequest BlockArbiter::requestOf(const WarpAccess& access, const LaneWords& asked,
                                    Ports& ports) const {
  PassRequest request;
  LaneMask lanes = 0;
  for (const LaneMask word : asked) lanes |= word;
  forEachLane(lanes, [&](unsigned lane) {
    for (unsigned k = 0; k < access.wordsPerLane; ++k) {
      if ((asked[k] & laneBit(lane)) == 0) continue;
      if (ports.count == kWarpLanes)
        throw BadInput(
            "a group of lanes asks for more words at once than the RTL crossbar has ports; "
            "expected 32 or fewer: narrower groups of lanes (crossbar.groups_64, "
            "crossbar.groups_128)");
      request.valid |= laneBit(ports.count);
      request.bank[ports.count] = access.bank[k][lane];
      request.row[ports.count] = access.row[k][lane] >> rowShift_;
      ports.lane[ports.count] = static_cast<std::uint8_t>(lane);
      ports.word[ports.count] = static_cast<std::uint8_t>(k);
      ++ports.count;
    }
  });
  return request;
}

LaneWords BlockArbiter::wordsOf(const Ports& ports, LaneMask mask) {
  LaneWords words{};
  forEachLane(mask,
              [&](unsigned port) { words.at(ports.word[port]) |= laneBit(ports.lane[port]); });
  return words;
}

/// Returns one pass of the block.
PassResponse BlockArbiter::pass(const WarpAccess& access, const PassRequest& request) const {
  return inBlock([&] { return ask(*block_, request); },
                 [&] {
                   return BlockAtWork{
                       "crossbar", now_(),
                       fmt::format("pc {}, {}", access.instruction.pc, askedText(access))};
                 });
}

void BlockArbiter::differ(const WarpAccess& access, const std::string& what, const std::string& rtl,
                          const std::string& model) const {
  rtl::differ("crossbar", now_(), access.instruction.pc, what, rtl,
              model + "; " + askedText(access));
}

void BlockArbiter::resolved(WarpAccess& access, const LaneGroups& groups) {
  std::array<std::uint8_t, kWarpLanes> passes{};
  std::uint32_t sum = 0;
  std::uint32_t degree = 0;
  LaneWords leaders{};
  unsigned number = 0;
  for (const LaneMask group : groups) {
    LaneWords asked{};
    for (unsigned k = 0; k < access.wordsPerLane; ++k) asked[k] = access.asked & group;
    Ports ports;
    PassRequest request = requestOf(access, asked, ports);
    while (request.valid != 0) {
      const PassResponse response = pass(access, request);
      if (response.served == 0 || response.left != (request.valid & ~response.served)) {
        differ(access, "a pass",
               text(wordsOf(ports, response.served), access.wordsPerLane) + " served",
               "some lanes served, the others left");
      }
      const LaneWords led = wordsOf(ports, response.leaders);
      for (unsigned k = 0; k < led.size(); ++k) leaders[k] |= led[k];
      request.valid = response.left;
      ++passes[number];
    }
    sum += passes[number];
    degree = std::max<std::uint32_t>(degree, passes[number]);
    ++number;
  }
  if (how_ == Implementation::Lockstep) {
    std::uint32_t expected = 0;
    for (unsigned i = 0; i < access.groups; ++i) expected += access.groupPasses[i];
    if (sum != expected ||
        !std::equal(passes.begin(), passes.begin() + number, access.groupPasses.begin())) {
      differ(access, "passes", std::to_string(sum), std::to_string(expected));
    }
    return;
  }
  access.passes = access.passes + sum;
  for (unsigned i = 0; i < access.groups; ++i) access.passes -= access.groupPasses[i];
  access.groupPasses = passes;
  access.degree = degree;
  access.leaders = leaders;
  if (degree != 1) access.bankSet = 0;
}

void BlockArbiter::passed(const WarpAccess& access, const LaneWords& asked, Pass& pass) {
  Ports ports;
  const PassRequest request = requestOf(access, asked, ports);
  if (request.valid == 0) return;
  const PassResponse response = this->pass(access, request);
  const Pass made{wordsOf(ports, response.served), wordsOf(ports, response.leaders)};
  if (how_ == Implementation::Lockstep && made.served != pass.served) {
    differ(access, "a replay's pass", text(made.served, access.wordsPerLane),
           text(pass.served, access.wordsPerLane));
  }
  if (how_ == Implementation::Rtl) pass = made;
}

}  // namespace fermata::rtl
