// A figure's kind and value follow from the function that reads it.
#include <fermata/models/probe/figure.h>

#include "tests/support/test.h"

using namespace fermata;

namespace {

struct Counts {
  std::uint64_t hits = 3;
  std::uint32_t ways = 4;
  double share = 0.25;
  const char* policy = "lru";
  std::uint64_t all() const { return hits + 1; }
};

const Figures<Counts> kFigures{
    {"hits", "accesses", "accesses found", &Counts::hits},
    {"ways", "ways", "ways of a set", &Counts::ways},
    {"all", "accesses", "accesses", &Counts::all},
    {"share", "ratio", "a share", &Counts::share},
    {"policy", "", "who is replaced", &Counts::policy},
    {"mean", "ratio", "hits an access", [](const Counts& c) { return ratio(c.hits, c.all()); }},
    {"none", "ratio", "of nothing", [](const Counts&) { return ratio(1, 0); }},
    {"line", "", "may be unknown", [](const Counts&) { return std::optional<std::uint32_t>(); }}};

}  // namespace

BOOST_AUTO_TEST_SUITE(figure)

BOOST_AUTO_TEST_CASE(the_kind_is_that_of_what_is_read) {
  const FigureKind expected[] = {FigureKind::Integer, FigureKind::Integer, FigureKind::Integer,
                                 FigureKind::Real,    FigureKind::Text,    FigureKind::Real,
                                 FigureKind::Real,    FigureKind::Integer};
  BOOST_REQUIRE(kFigures.size() == std::size(expected));
  for (std::size_t i = 0; i < kFigures.size(); ++i) {
    BOOST_TEST_CONTEXT(kFigures[i].name) BOOST_TEST((kFigures[i].kind == expected[i]));
  }
}

BOOST_AUTO_TEST_CASE(a_value_is_read_when_asked_for) {
  Counts counts;
  counts.hits = 7;
  const auto read = [&](std::size_t i) { return kFigures[i].read(counts); };
  BOOST_TEST((read(0) == FigureValue(std::uint64_t{7})));
  BOOST_TEST((read(1) == FigureValue(std::uint64_t{4})));
  BOOST_TEST((read(2) == FigureValue(std::uint64_t{8})));
  BOOST_TEST((read(3) == FigureValue(0.25)));
  BOOST_TEST((read(4) == FigureValue(std::string("lru"))));
  BOOST_TEST((read(5) == FigureValue(7.0 / 8)));
  counts.hits = 1;
  BOOST_TEST((read(0) == FigureValue(std::uint64_t{1})));
}

BOOST_AUTO_TEST_CASE(what_is_not_defined_has_no_value) {
  BOOST_TEST((kFigures[6].read(Counts{}) == FigureValue()));
  BOOST_TEST((kFigures[7].read(Counts{}) == FigureValue()));
}

BOOST_AUTO_TEST_SUITE_END()
