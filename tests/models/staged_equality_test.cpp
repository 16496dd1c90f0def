// The staged pipeline against a reference that plays every cycle, on random streams. Drivers: one
// plays every cycle, one only the cycles that the pipeline names.

#include "tests/models/staged_player.h"
#include "tests/models/staged_reference.h"
#include "tests/support/test.h"

using namespace fermata;
using test::Playing;
using test::StagedLog;
using test::StagedPlayer;
using test::StagedReference;
using test::StagedStream;
using Kind = StagedPipeline::Kind;
using Exit = StagedPipeline::Exit;

namespace {

constexpr unsigned kStreams = 10'000;  ///< per organisation
constexpr unsigned kParts = 4;

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  StagedStream stream(PipelineOrganisation organisation) {
    StagedStream s;
    s.organisation = organisation;
    s.parameters = parameters();
    others_ = upTo(90);
    conflicts_ = upTo(100);
    outside_ = upTo(100);
    refused_ = upTo(60);
    dense_ = upTo(100);
    longest_ = oneIn(4) ? 32 : 1 + upTo(6);
    s.instructions.resize(5 + upTo(35));
    for (auto& i : s.instructions) i = instruction(s.parameters.subwarps());
    return s;
  }

 private:
  unsigned upTo(unsigned most) { return static_cast<unsigned>(random_() % (most + 1)); }
  bool oneIn(unsigned n) { return upTo(n - 1) == 0; }
  bool percent(unsigned p) { return upTo(99) < p; }

  StageParameters parameters() {
    StageParameters p;
    p.memoryStages = 2 + upTo(4);
    p.stages = p.memoryStages + 3 + upTo(oneIn(4) ? 20 : 4);
    // Few subwarps are more frequent than many.
    p.simdWidth = oneIn(8) ? 1U << upTo(2) : 8U << upTo(2);
    p.writebackPorts = oneIn(2) ? 1 : 1 + upTo(2);
    if (oneIn(2)) p.nonmemQueue = upTo(6);
    if (oneIn(2)) p.prememQueue = upTo(6);
    return p;
  }
  StagedStream::Instruction instruction(unsigned subwarps) {
    StagedStream::Instruction i;
    if (!percent(dense_)) i.gap = oneIn(8) ? upTo(100) : upTo(2 * subwarps + 2);
    i.kind = percent(others_) ? Kind::Other : oneIn(4) ? Kind::Memory : Kind::Access;
    for (auto& p : i.service.passes) {
      p = static_cast<std::uint16_t>(percent(conflicts_) ? 1 + upTo(longest_ - 1) : 1);
    }
    if (percent(outside_)) i.service.exit = oneIn(2) ? Exit::Leave : Exit::Return;
    if (oneIn(3)) i.service.cause = StallCause::MemoryPort;
    i.service.accepted = !percent(refused_);
    const unsigned farthest = oneIn(3) ? 200 : 12;
    i.acceptAfter = upTo(farthest);
    i.acceptIn = upTo(8);
    i.returnAfter = upTo(farthest);
    i.returnIn = upTo(8);
    return i;
  }

  std::mt19937 random_;
  // Shares in a stream, in percent.
  unsigned others_ = 0, conflicts_ = 0, outside_ = 0, refused_ = 0, dense_ = 0;
  unsigned longest_ = 1;  ///< passes
};

std::string difference(const char* what, const std::vector<Cycle>& is,
                       const std::vector<Cycle>& expected) {
  const auto at = std::mismatch(is.begin(), is.end(), expected.begin(), expected.end());
  if (at.first == is.end() && at.second == expected.end()) return {};
  std::ostringstream out;
  out << "instruction " << at.first - is.begin() << " is " << what << " in " << *at.first
      << "; expected " << *at.second;
  return out.str();
}

/// Returns the first difference in words; empty: none.
std::string difference(const StagedLog& is, const StagedLog& expected) {
  for (const auto& [what, log] : {std::pair{"issued", &StagedLog::issued},
                                  {"reached", &StagedLog::reached},
                                  {"committed", &StagedLog::committed}}) {
    const std::string found = difference(what, is.*log, expected.*log);
    if (!found.empty()) return found;
  }
  const std::size_t cycles = std::min(is.front.size(), expected.front.size());
  for (std::size_t c = 0; c < cycles; ++c) {
    if (is.front[c] != expected.front[c])
      return "cycle " + std::to_string(c) + ": the front end is " + name(is.front[c]) +
             "; expected " + name(expected.front[c]);
  }
  for (const auto& [cycle, time] : is.frontTime) {
    if (cycle < expected.cycles() && time != expected.frontTime[cycle].second)
      return "cycle " + std::to_string(cycle) + " is " + std::to_string(time) +
             " of the front end; expected " + std::to_string(expected.frontTime[cycle].second);
  }
  return {};
}

std::string played(const StagedStream& stream, Playing playing, const StagedLog& expected,
                   std::size_t& cycles) try {
  const StagedLog log = StagedPlayer<StagedPipeline>(stream, playing).play();
  cycles += log.cycles();
  return difference(log, expected);
} catch (const std::logic_error& e) {
  return e.what();
}

const PipelineOrganisation kOrganisations[] = {
    PipelineOrganisation::Unified, PipelineOrganisation::Split, PipelineOrganisation::Elastic};

}  // namespace

namespace fermata {
std::ostream& boost_test_print_type(std::ostream& out, PipelineOrganisation o) {
  return out << choiceName(o);
}
}  // namespace fermata

BOOST_AUTO_TEST_SUITE(staged_equality)

BOOST_DATA_TEST_CASE(equals_a_reference_that_plays_every_cycle,
                     bdata::make(kOrganisations) * bdata::xrange(kParts), organisation, part) {
  std::size_t every = 0;
  std::size_t lazy = 0;
  for (unsigned n = part; n < kStreams; n += kParts) {
    BOOST_TEST_CONTEXT("stream " << n) {
      const StagedStream stream = Generator(n).stream(organisation);
      const StagedLog expected = StagedPlayer<StagedReference>(stream, Playing::Every).play();
      BOOST_REQUIRE_EQUAL(played(stream, Playing::Every, expected, every), "");
      BOOST_REQUIRE_EQUAL(played(stream, Playing::Lazy, expected, lazy), "");
    }
  }
  BOOST_TEST_MESSAGE(lazy << " of " << every << " cycles");
  BOOST_TEST(lazy < every);
}

BOOST_AUTO_TEST_SUITE_END()
