// The summary figures of a study, and their comparison with a paper's claims.
#include <fermata/platforms/program/study/study_report.h>
#include "tests/study/support.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::platforms::test;

namespace {

/// Returns a study of two workloads, for someCells(), extended by `more`.
Study smallStudy(const std::string& more) {
  return readStudy(kHead + "kind = 'runs'\nworkloads = ['a', 'b']\n" +
                   "[[variant]]\nlabel = 'base'\n[[variant]]\nlabel = 'fixed'\n"
                   "[[variant]]\nlabel = 'none'\n" +
                   more);
}

std::string printed(const Study& study) {
  std::ostringstream out;
  printFigures(compare(study, someCells()), out);
  return out.str();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(study_figures)

BOOST_AUTO_TEST_CASE(comparisons_sum_up_and_subtract) {
  Study study;
  study.workloads = {{"a", "a", {}, {}, {}, "p", {}}, {"b", "b", {}, {}, {}, "q", {}}};
  study.variants.resize(3);
  study.variants[0].label = "base";
  study.variants[1].label = "fixed";
  study.variants[2].label = "none";
  const auto sum = [&](const char* variant, Measure measure, Summary how,
                       const std::string& platform = "") {
    Comparison c;
    c.variant = variant;
    c.measure = measure;
    c.summary = how;
    c.platform = platform;
    return summarise(study, someCells(), c);
  };
  BOOST_TEST(sum("fixed", Measure::ConflictsRemoved, Summary::Mean).value() == 75.0);
  BOOST_TEST(sum("fixed", Measure::ConflictFree, Summary::Sum).value() == 1.0);
  BOOST_TEST(std::abs(sum("fixed", Measure::Speedup, Summary::GeometricMean).value() - 1.25) <
             1e-12);
  BOOST_TEST(sum("fixed", Measure::Cycles, Summary::Largest, "q").value() == 400.0);
  BOOST_TEST(sum("fixed", Measure::Cycles, Summary::Smallest).value() == 400.0);
  // Growth by 10 and by 0 percent: the geometric mean is the root of 1.1.
  BOOST_TEST(std::abs(sum("fixed", Measure::InstructionsAdded, Summary::GeometricMean).value() -
                      100 * (std::sqrt(1.1) - 1)) < 1e-9);
  BOOST_TEST(!sum("none", Measure::Cycles, Summary::Mean));

  Comparison claimed;
  claimed.claim = "xor.conflicts.fixed";
  claimed.variant = "fixed";
  study.comparisons = {claimed};
  const auto figures = compare(study, someCells());
  BOOST_TEST(figures.at(0).published.value() == 86.0);
  BOOST_TEST(figures.at(0).ours.value() == 75.0);
  BOOST_TEST(figures.at(0).place == "Table 6");
  std::ostringstream out;
  printFigures(figures, out);
  BOOST_TEST(has(out.str(), "-11"));
  study.comparisons[0].claim = "xor.nothing";
  BOOST_CHECK_THROW(compare(study, someCells()), InputError);
}

BOOST_AUTO_TEST_CASE(notes_say_computed_figures) {
  const std::string head =
      "[[compare]]\nsubject = 'q'\nplace = 'p'\nvariant = 'fixed'\nmeasure = 'speedup'\n";
  const std::string figure =
      "figures.x = { variant = 'fixed', measure = 'slowdown', only = ['a'] }\n";
  BOOST_TEST(has(printed(smallStudy(head + "note = 'slower by {x} percent, {x}'\n" + figure)),
                 "q: slower by -20.0 percent, -20.0\n"));
  BOOST_CHECK_THROW(smallStudy(head + "note = 'by {y}'\n" + figure), InputError);
  BOOST_CHECK_THROW(smallStudy(head + "note = 'by {x'\n" + figure), InputError);
  BOOST_CHECK_THROW(smallStudy(head + "note = 'by 20'\n" + figure), InputError);
  BOOST_CHECK_THROW(smallStudy(head + "note = 'by {x}'\nfigures.x = { variant = 'w', measure = "
                                      "'slowdown' }\n"),
                    InputError);
}

BOOST_AUTO_TEST_CASE(a_cause_is_shown_by_another_run) {
  const std::string head =
      "[[compare]]\nsubject = 'q'\nplace = 'p'\nvariant = 'fixed'\nmeasure = 'speedup'\n";
  const std::string cause = "cause = 'b, {x}.'\n";
  const std::string of = "figures.x = { only = ['b'] }\n";
  const Study study = smallStudy(head + cause + of);
  BOOST_TEST(has(printed(study), "q, cause: b, "));
  BOOST_TEST(has(printed(study), " Shown by: fixed: b.\n"));
  const auto refused = [](const std::string& text, const char* why) {
    BOOST_CHECK_EXCEPTION(smallStudy(text), InputError,
                          [&](const InputError& e) { return has(e.what(), why); });
  };
  refused(head + "cause = 'of itself'\n", "no run shows this cause");
  refused(head + cause + "figures.x = { measure = 'slowdown' }\n", "no run shows this cause");
  refused(head + cause + of + "each = true\n", "no note, cause or headline");
}

BOOST_AUTO_TEST_CASE(a_formula_is_not_compared) {
  const std::string head = "[[compare]]\nsubject = 'q'\nvariant = 'fixed'\nmeasure = 'cycles'\n";
  const Study study = smallStudy(head + "place = 'Figure 5'\nformula = '(2 + 3) * 100'\n");
  const auto figures = compare(study, someCells());
  BOOST_TEST(figures.at(0).formula.value() == 500.0);
  BOOST_TEST(!figures.at(0).published);
  BOOST_TEST(has(printed(study), "published  formula"));
  BOOST_TEST(figureFields(figures[0]).at(4) == "500");
  BOOST_TEST(figureFields(figures[0]).at(6) == "");
  for (const char* wrong : {"place = 'p'\npublished = '(2 + 3) * 100'\n",
                            "place = 'p'\npublished = 500\nformula = '500'\n",
                            "place = 'what-if'\npublished = 500\n", "place = '-'\npublished = 5\n",
                            "place = 'p'\nformula = '1.5'\n", "place = 'p'\nformula = 'n'\n"}) {
    BOOST_CHECK_THROW(smallStudy(head + wrong), InputError);
  }
}

BOOST_AUTO_TEST_CASE(no_note_of_ours_has_a_typed_percentage) {
  for (const Study& study : listStudies()) {
    for (const Comparison& comparison : study.comparisons) {
      const std::string note = comparison.note + comparison.cause;
      for (std::size_t at = note.find(" percent"); at != std::string::npos;
           at = note.find(" percent", at + 1)) {
        BOOST_TEST(note[at - 1] == '}', study.name << ": " << note);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(published_figures_keep_the_digits_that_are_printed) {
  const std::string head = "variant = 'fixed'\nmeasure = 'speedup'\n";
  const std::string text = printed(
      smallStudy("[[compare]]\nclaim = 'xor.speedup.bitwise_perm.mih'\n" + head +
                 "[[compare]]\nsubject = 'mine'\npublished = '2.50'\nplace = 'p'\n" + head));
  BOOST_TEST(has(text, "1.10"));
  BOOST_TEST(has(text, "2.50"));
  BOOST_TEST(has(text, "+0.15"));
  BOOST_TEST(has(text, "-1.25"));
  for (const char* wrong : {"'2.5x'", "''", "'nan'", "nan", "inf"}) {
    BOOST_CHECK_THROW(smallStudy("[[compare]]\nsubject = 'mine'\npublished = " +
                                 std::string(wrong) + "\nplace = 'p'\n" + head),
                      InputError);
  }
  // The claims hold what table 1 prints, even where its formulas give another value.
  const auto claims = readClaims();
  BOOST_TEST(claims.at("xor.count.xor_functions").value == "1.2e21");
  BOOST_TEST(claims.at("xor.count.bitwise_xor").value == "9.7e7");
}

BOOST_AUTO_TEST_CASE(a_claim_has_a_source) {
  const Folder folder;
  const auto read = [&](const std::string& row) {
    return readClaims(
        folder.file("id,seed,where,quantity,subject,value,unit,note,not_compared\n" + row + "\n",
                    "claims.csv"));
  };
  BOOST_TEST(read("x,000,Table 1,q,s,5,u,,").at("x").number() == 5.0);
  BOOST_CHECK_THROW(read("x,,Table 1,q,s,5,u,,"), InputError);
  BOOST_CHECK_THROW(read("x,000,,q,s,5,u,,"), InputError);
}

BOOST_AUTO_TEST_CASE(a_claim_of_several_numbers_gives_one) {
  const auto of = [](const std::string& more) {
    return compare(smallStudy("[[compare]]\nclaim = 'xor.conflict_free.count'\nvariant = 'fixed'\n"
                              "measure = 'conflict_free'\nsummary = 'sum'\n" +
                              more),
                   someCells())
        .at(0);
  };
  BOOST_TEST(of("part = 1\n").text == "14");
  BOOST_TEST(of("part = 2\n").published.value() == 20.0);
  BOOST_TEST(of("part = 2\n").ours.value() == 1.0);
  BOOST_TEST(has(of("part = 2\n").subject, "benchmarks with every conflict removed"));
  BOOST_TEST(of("part = 2\nsubject = 'mine'\n").subject == "mine");
  BOOST_CHECK_THROW(of(""), InputError);
  BOOST_CHECK_THROW(of("part = 3\n"), InputError);
  BOOST_CHECK_THROW(of("part = 0\n"), InputError);
}

BOOST_AUTO_TEST_CASE(summaries_stand_with_and_without_rows_that_followed_the_table) {
  const std::string measures = "measures = ['conflicts']\n";
  const std::string text =
      kHead + measures + "kind = 'runs'\nworkloads = ['a', 'b']\n" +
      "[[variant]]\nlabel = 'base'\n[[variant]]\nlabel = 'fixed'\n[[variant]]\nlabel = 'none'\n";
  const auto shown = [](const std::string& study) {
    std::ostringstream out;
    printCells(readStudy(study), someCells(), out);
    return out.str();
  };
  const std::string followed = "[followed]\na = 'its rows'\n";
  BOOST_TEST(!has(shown(text), "followed nothing"));
  BOOST_TEST(
      has(shown(text + followed), "\nsum                                  80     20     -\n"));
  BOOST_TEST(
      has(shown(text + followed), "\nsum of rows that followed nothing     0      0     -\n"));
  const std::string compared =
      "[[compare]]\nsubject = 's'\nplace = '-'\nvariant = 'fixed'\nmeasure = 'cycles'\n";
  const auto ours = [&](const std::string& more) {
    return compare(readStudy(text + compared + more + followed), someCells()).at(0).ours.value();
  };
  BOOST_TEST(ours("") == 600.0);
  BOOST_TEST(ours("followed = false\n") == 400.0);
  BOOST_TEST(ours("except = ['b']\n") == 800.0);
  BOOST_TEST(ours("only = ['*b']\n") == 400.0);
  refuses(text + compared + "followed = false\nexcept = ['b']\n" + followed, "no workload is left");
  refuses(text + compared + "except = ['*c']\n", "no workload has the label '*c'");
}

BOOST_AUTO_TEST_CASE(rows_stand_beside_what_is_published_of_them) {
  const Study study = smallStudy(
      "[[compare]]\nsubject = 'cycles'\npublished = 500\nplace = 'fig'\nvariant = 'fixed'\n"
      "measure = 'cycles'\neach = true\nonly = ['a']\n"
      "[[compare]]\nsubject = 'others'\nplace = '-'\nvariant = 'fixed'\n"
      "measure = 'cycles'\neach = true\nonly = ['b']\n"
      "[followed]\na = 'its rows'\n");
  const auto figures = compare(study, someCells());
  BOOST_REQUIRE_EQUAL(figures.size(), 2U);
  BOOST_TEST(figures[0].workload == "a");
  BOOST_TEST(figures[0].ours.value() == 800.0);
  BOOST_TEST(figures[0].published.value() == 500.0);
  BOOST_TEST(figures[0].followed == "its rows");
  BOOST_TEST(!figures[1].published);
  const std::string text = printed(study);
  BOOST_TEST(has(text, " 500   800        +300  its rows\n"), text);
  const Folder folder;
  files::OutputSet files;
  writeFigures(figures, files, folder.path());
  files.commit();
  BOOST_TEST(has(bytesOf(folder / "comparison.csv"),
                 ",fig,cycles: fixed: a,500,,800,300,,,,taken from the paper's table: its rows"));
  BOOST_CHECK_THROW(smallStudy("[followed]\nc = 'its rows'\n"), InputError);
}

BOOST_AUTO_TEST_SUITE_END()
