// The gnuplot script of a picture: what can be read in it, and that gnuplot draws it.
#include <fermata/platforms/program/study/picture_drawing.h>
#include <fermata/platforms/program/study/study_measures.h>
#include <fermata/platforms/program/study/study_picture.h>
#include "tests/study/support.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::platforms::test;

namespace {

using Style = PicturePanel::Style;
using Values = std::vector<std::optional<double>>;

PicturePanel panel(Style style, std::size_t series, const Values& values = {1.0, 2.0}) {
  PicturePanel one;
  one.style = style;
  one.unit = "cycles";
  for (std::size_t i = 0; i < values.size(); ++i) one.places.push_back(std::to_string(i));
  for (std::size_t i = 0; i < series; ++i) one.series.push_back({"x", values});
  return one;
}

std::string script(const std::vector<PicturePanel>& panels) {
  return gnuplotScript("mine", "t", panels);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(study_pictures)

BOOST_AUTO_TEST_CASE(lines_that_coincide_are_told_apart) {
  const std::string lines = script({panel(Style::Lines, 3)});
  for (const char* drawn : {"lc 1 pt 7 dt 1 ps 1.50 lw 3.0", "lc 2 pt 5 dt 2 ps 1.13 lw 2.4",
                            "lc 3 pt 9 dt 3 ps 0.77 lw 1.8"})
    BOOST_TEST(has(lines, drawn), lines);
  BOOST_TEST(has(script({panel(Style::Lines, 9)}), "lc 1 pt 12 dt 4"));
}

BOOST_AUTO_TEST_CASE(bars_beyond_the_colours_have_patterns) {
  const std::string bars = script({panel(Style::Bars, 9)});
  BOOST_TEST(has(bars, "lc 8 title"), bars);
  BOOST_TEST(has(bars, "lc 1 fs pattern 4 title"), bars);
}

BOOST_AUTO_TEST_CASE(a_long_key_stands_below) {
  BOOST_TEST(has(script({panel(Style::Bars, 3)}), "set key outside right top vertical Left"));
  BOOST_TEST(has(script({panel(Style::Stacked, 2)}),
                 "set key bmargin left horizontal Left reverse maxcols 2\n"));
  PicturePanel one = panel(Style::Bars, 3);
  for (PictureSeries& series : one.series) series.name = std::string(60, 'x');
  BOOST_TEST(has(script({one}), "maxcols 1\n"), script({one}));
  PicturePanel alone = panel(Style::Bars, 1);
  BOOST_TEST(!has(script({alone}), "unset key"));
  alone.heading = "x";
  BOOST_TEST(has(script({alone}), "unset key"));
}

BOOST_AUTO_TEST_CASE(axes_have_titles_and_few_digits) {
  PicturePanel one = panel(Style::Lines, 1, {5.0, 3000001});
  one.axis = "copies";
  BOOST_TEST(has(script({one}), "set xlabel \"copies\"\nset ylabel \"million cycles\"\n"));
  BOOST_TEST(has(script({one}), "0:($2/1000000):xtic(1)"));
  BOOST_TEST(has(script({one}), "\"1\" 3000001\n"));  // the data are as they were
  BOOST_TEST(has(script({panel(Style::Bars, 1, {5.0, 3e4})}), "\"thousand cycles\""));
  BOOST_TEST(has(script({panel(Style::Bars, 1, {5.0, 3e3})}), "set ylabel \"cycles\""));
}

BOOST_AUTO_TEST_CASE(labels_that_would_meet_are_turned) {
  PicturePanel one = panel(Style::Bars, 1);
  BOOST_TEST(has(script({one}), "norotate"));
  one.places = {std::string(50, 'a'), std::string(50, 'b')};
  BOOST_TEST(has(script({one}), "rotate by 45 right"));
}

BOOST_AUTO_TEST_CASE(ratios_have_a_line_at_one) {
  PicturePanel one = panel(Style::Lines, 1);
  BOOST_TEST(!has(script({one}), "plot 1 with lines"));
  BOOST_TEST(has(script({one}), "set yrange [*<0:0<*]"));
  one.isFactor = true;
  BOOST_TEST(has(script({one}), "plot 1 with lines"));
  BOOST_TEST(has(script({one}), "set yrange [*<0.9:1.1<*]"));
}

BOOST_AUTO_TEST_CASE(letters_grow_with_the_picture) {
  BOOST_TEST(has(script({panel(Style::Bars, 1)}), "size 1000,"));
  BOOST_TEST(has(script({panel(Style::Bars, 1)}), "sans-serif,15'"));
  const std::string wide = script({panel(Style::Bars, 6, Values(40, 1.0))});
  BOOST_TEST(has(wide, "size 1990,"), wide);
  BOOST_TEST(has(wide, "sans-serif,30'"), wide);
}

BOOST_AUTO_TEST_CASE(many_small_panels_stand_in_two_columns) {
  const PicturePanel one = panel(Style::Bars, 1);
  BOOST_TEST(has(script({one, one, one}), "multiplot layout 3,1"));
  BOOST_TEST(has(script({one, one, one, one, one}), "multiplot layout 3,2"));
}

// gnuplot gives equal values a range of their own, and fails where there are none.
BOOST_AUTO_TEST_CASE(gnuplot_draws_flat_negative_and_absent_values) {
  const Folder folder;
  const Values none{std::nullopt, std::nullopt};
  BOOST_TEST(script({panel(Style::Bars, 2, none)}).empty());
  PicturePanel part = panel(Style::Lines, 1);
  part.series.push_back({"absent", none});
  BOOST_TEST(!has(script({part}), "absent"));
  BOOST_TEST(has(script({panel(Style::Bars, 2, {1.0, 1.0})}), "set yrange [0:1.2]"));
  std::vector<PicturePanel> all{part, panel(Style::Bars, 2, none)};
  for (const Style style : {Style::Bars, Style::Stacked, Style::Lines}) {
    for (const Values& values : {Values{1.0, 1.0}, Values{0.0, 0.0}, Values{-2.0, -2.0},
                                 Values{-1.0, 3e7}, Values{1.0}, Values{std::nullopt, 50.0}})
      all.push_back(panel(style, 2, values));
  }
  folder.file(script(all), "picture.gp");
  BOOST_TEST(drawPicture(folder.path(), "mine").value() == folder / "mine.svg");
  BOOST_TEST(has(bytesOf(folder / "mine.svg"), "million cycles"));
}

BOOST_AUTO_TEST_CASE(an_axis_says_what_its_values_are) {
  Study study;
  study.time.name = "shader cycles";
  const auto label = [&](const std::string& measure) {
    return unitLabel(study, parseMeasure(measure, {}));
  };
  BOOST_TEST(label("cycles") == "shader cycles");
  BOOST_TEST(label("cycles_per_access") == "cycles / access (shader cycles)");
  BOOST_TEST(label("max_passes") == "passes of the worst access");  // no time
  BOOST_TEST(label("speedup") == "speed-up");
  BOOST_TEST(label("conflicts_removed") == "percent");
  BOOST_TEST(label("stall_writeback") == "percent of the baseline's pipeline stalls");
  BOOST_TEST(label("bcpki_l1") == "per 1000 warp instructions");
  BOOST_TEST(label("indexer_power_low") == "mW");
  BOOST_TEST(label("atomic_rounds") == "atomic rounds");
  BOOST_TEST(shortHeading(parseMeasure("stall_writeback", {})) == "stalls by writeback");
}

// No label beside a panel is longer than the panel.
BOOST_AUTO_TEST_CASE(every_axis_label_fits) {
  for (unsigned i = 0; i < kMeasures; ++i)
    BOOST_TEST(unitLabel({}, static_cast<Measure>(i)).size() <= 42U);
}

BOOST_AUTO_TEST_SUITE_END()
