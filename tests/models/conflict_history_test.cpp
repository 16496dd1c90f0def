// The conflict history cache: contents, replacement and predictions against a list of all
// executions; and the distance that follows.
#include <fermata/models/core/memory_spacing.h>

#include "tests/support/test.h"

using namespace fermata;

namespace {

using Parameters = ConflictHistory::Parameters;

/// Reference: each set is a list, most recently used first.
class Oracle {
 public:
  explicit Oracle(const Parameters& p) : p_(p) {}

  std::optional<unsigned> find(std::uint32_t pc) {
    Set& set = sets_[pc % std::max(1U, p_.sets)];
    const auto line = lineOf(set, pc);
    if (line == set.end()) return std::nullopt;
    std::rotate(set.begin(), line, line + 1);
    const std::deque<unsigned>& degrees = set.front().second;
    if (p_.rule == HistoryRule::Latest) return degrees.front();
    if (p_.rule == HistoryRule::Greatest) return *std::max_element(degrees.begin(), degrees.end());
    unsigned sum = 0;
    for (const unsigned d : degrees) sum += d;
    return static_cast<unsigned>((sum + degrees.size() - 1) / degrees.size());
  }
  void update(std::uint32_t pc, unsigned degree) {
    if (p_.sets == 0) return;
    Set& set = sets_[pc % p_.sets];
    const auto line = lineOf(set, pc);
    if (line == set.end()) {
      set.insert(set.begin(), {pc, {}});
      if (set.size() > p_.ways) set.pop_back();
    } else {
      std::rotate(set.begin(), line, line + 1);
    }
    std::deque<unsigned>& degrees = set.front().second;
    degrees.push_front(std::min(degree, 31U));
    if (degrees.size() > p_.length) degrees.pop_back();
  }
  void clear() { sets_.clear(); }

 private:
  using Set = std::vector<std::pair<std::uint32_t, std::deque<unsigned>>>;
  static Set::iterator lineOf(Set& set, std::uint32_t pc) {
    return std::find_if(set.begin(), set.end(), [&](const auto& line) { return line.first == pc; });
  }
  Parameters p_;
  std::map<std::uint32_t, Set> sets_;
};

struct Seen : Probe {
  void foretold(const ForetoldEvent& event) override { events.push_back(event); }
  std::vector<ForetoldEvent> events;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(conflict_history)

BOOST_DATA_TEST_CASE(keeps_what_a_list_keeps, bdata::xrange(40U), seed) {
  std::mt19937 random(seed);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  Parameters p;
  p.sets = below(6) == 0 ? 0 : 1U << below(5);
  p.ways = 1 + below(4);
  p.length = 1 + below(5);
  p.rule = static_cast<HistoryRule>(below(3));
  ConflictHistory history(p);
  Oracle oracle(p);
  for (unsigned i = 0; i < 2000; ++i) {
    const std::uint32_t pc = below(60);
    if (below(200) == 0) {
      history.clear();
      oracle.clear();
    } else if (below(2) == 0) {
      BOOST_TEST_REQUIRE((history.find(pc) == oracle.find(pc)));
    } else {
      const unsigned degree = below(40);
      history.update(pc, degree);
      oracle.update(pc, degree);
    }
  }
}

// Table 2: 512 lines with a tag of 6 bits and a degree of 5.
BOOST_AUTO_TEST_CASE(bytes_in_hardware) {
  Parameters p;
  BOOST_TEST(ConflictHistory::bytes(p) == 704);
  p.sets = 128;
  p.ways = 4;
  BOOST_TEST(ConflictHistory::bytes(p) == 512 * 12 / 8.0);
  p.length = 3;
  BOOST_TEST(ConflictHistory::bytes(p) == 512 * 22 / 8.0);
  p.sets = 1U << 15;
  p.length = 1;
  BOOST_TEST(ConflictHistory::bytes(p) == 4 * 32768 * 5 / 8.0);
  p.sets = 0;
  BOOST_TEST(ConflictHistory::bytes(p) == 0);
}

BOOST_AUTO_TEST_CASE(impossible_caches) {
  for (const auto& [sets, ways, length] :
       {std::array{3U, 1U, 1U}, std::array{4U, 0U, 1U}, std::array{4U, 1U, 0U}}) {
    Parameters p;
    p.sets = sets;
    p.ways = ways;
    p.length = length;
    BOOST_CHECK_THROW(ConflictHistory{p}, std::invalid_argument);
  }
}

// 4 subwarps: the distance is 4 plus the predicted passes: the default at first, then the latest.
BOOST_AUTO_TEST_CASE(distance) {
  Seen seen;
  MemorySpacing::Parameters p;
  p.history.degree = 2;
  MemorySpacing spacing(p, 4, &seen);
  BOOST_TEST(spacing.until() == 0U);
  const auto first = spacing.issued(5, 0, 100);
  BOOST_TEST(spacing.until() == 106U);
  spacing.resolved(7, 5, first, 13);
  const auto second = spacing.issued(5, 0, 120);
  BOOST_TEST(spacing.until() == 133U);
  spacing.resolved(7, 5, second, 13);
  spacing.clear();
  spacing.issued(5, 0, 140);
  BOOST_TEST(spacing.until() == 146U);
  BOOST_TEST_REQUIRE(seen.events.size() == 2U);
  BOOST_TEST(!seen.events[0].found);
  BOOST_TEST(seen.events[0].foretold == 2U);
  BOOST_TEST(seen.events[0].measured == 9U);
  BOOST_TEST(seen.events[1].found);
  BOOST_TEST(seen.events[1].foretold == 9U);
  BOOST_TEST(seen.events[1].program == 7U);
  BOOST_TEST(seen.events[1].pc == 5U);
}

BOOST_AUTO_TEST_CASE(perfect_and_no_prediction) {
  Seen seen;
  MemorySpacing::Parameters p;
  p.prediction = ConflictPrediction::Perfect;
  MemorySpacing perfect(p, 4, &seen);
  perfect.resolved(0, 5, perfect.issued(5, 32, 100), 32);
  BOOST_TEST(perfect.until() == 132U);
  p.prediction = ConflictPrediction::None;
  MemorySpacing none(p, 4, &seen);
  none.resolved(0, 5, none.issued(5, 0, 100), 32);
  none.issued(5, 0, 200);
  BOOST_TEST(none.until() == 204U);
  BOOST_TEST(seen.events.empty());
}

BOOST_AUTO_TEST_SUITE_END()
