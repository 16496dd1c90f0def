// All studies in one go: results, shared and stored work, failures, and the page.
#include <fermata/platforms/program/study/reproduction_page.h>

#include "tests/study/support.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::platforms::test;

namespace {

const std::string kTransposes =
    kHead +
    "kind = 'runs'\nmeasures = ['conflicts', 'speedup']\n"
    "[[workload]]\nname = 'transpose'\nparameters = { tile = 16, pad = 0, n = 32 }\n"
    "[[variant]]\nlabel = 'base'\n"
    "[[variant]]\nlabel = 'ami'\nset = ['scratchpad.indexer=ami 33']\n"
    "[[variant]]\nlabel = 'mih'\nsearch = 'pairs.minimum-imbalance'\n";

Study named(const std::string& name, const std::string& more = "") {
  const Folder folder;
  return openStudy(folder.file(kTransposes + more, name + ".toml"));
}

std::string compared(const char* published, const char* variant, const std::string& more) {
  return std::string("[[compare]]\nsubject = 'gain <1>'\nplace = 'Figure 1'\npublished = ") +
         published + "\nmeasure = 'speedup'\nvariant = '" + variant + "'\n" + more;
}

std::vector<ReproducedStudy> reproduced(std::vector<Study> studies, const Folder& folder) {
  std::ostringstream unread;
  results::Progress progress(unread, false);
  WorkOrder order;
  order.atOnce = 1;  // each run replays the one before, where it may
  return reproduce(std::move(studies), {folder.path(), order, nullptr}, progress);
}

/// Returns the stored results, by file.
std::map<std::filesystem::path, std::filesystem::file_time_type> storedIn(const Folder& folder) {
  std::map<std::filesystem::path, std::filesystem::file_time_type> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(folder.path() / "store" / "results")) {
    if (entry.is_regular_file()) files[entry.path()] = entry.last_write_time();
  }
  return files;
}

const ReproductionStamp kStamp{"2000-01-01", "1", "abc"};

}  // namespace

BOOST_AUTO_TEST_SUITE(reproduction)

BOOST_AUTO_TEST_CASE(all_studies_have_the_figures_of_each) {
  const Study study = named("one", compared("1", "mih", ""));
  const StudyCells alone = runStudy(study, kQuiet);
  const Folder folder;
  const auto all = reproduced({study}, folder);
  BOOST_REQUIRE_EQUAL(all.size(), 1U);
  BOOST_TEST(all[0].failure == "");
  BOOST_TEST(all[0].figures.at(0).ours.value() == figure(alone, 0, 2, Measure::Speedup));
  const Folder other;
  files::OutputSet files;
  writeCells(study, alone, files, other.path());
  files.commit();
  BOOST_TEST(bytesOf(folder / "one/table.csv") == bytesOf(other / "table.csv"));
}

BOOST_AUTO_TEST_CASE(work_runs_once) {
  const Folder folder;
  reproduced({named("one")}, folder);
  const auto first = storedIn(folder);
  BOOST_TEST(first.size() == 4U);  // a search and three runs
  reproduced({named("one"), named("two")}, folder);
  BOOST_TEST((storedIn(folder) == first));
  reproduced({named("one"),
              named("two", "[[variant]]\nlabel = 'other'\nset = ['scratchpad.latency=9']\n")},
             folder);
  BOOST_TEST(storedIn(folder).size() == 6U);  // the search covers another list of variants
}

BOOST_AUTO_TEST_CASE(a_study_that_fails_leaves_the_others) {
  const Folder folder;
  const auto all =
      reproduced({named("bad", "[[variant]]\nlabel = 'w'\nset = ['scratchpad.indexer=mod 7']\n"),
                  named("good", compared("1", "ami", "headline = 'AMI'\n"))},
                 folder);
  BOOST_TEST(has(all[0].failure, "w"));
  BOOST_TEST(all[0].figures.empty());
  BOOST_TEST(all[1].figures.size() == 1U);
  const std::string page = reproductionPage(all, kStamp, folder.path());
  BOOST_TEST(has(page, "Not computed: "));
  BOOST_TEST(has(headlines(all, kStamp), "| AMI | 1 | "));
}

BOOST_AUTO_TEST_CASE(the_largest_difference_comes_first) {
  const Folder folder;
  const auto all = reproduced(
      {named("one",
             compared("'1.00'", "base", "cause = '{x}.'\nfigures.x = { variant = 'ami' }\n") +
                 compared("0.5", "base", "") + compared("0.8", "base", "each = true\n"))},
      folder);
  BOOST_TEST(pointsOff(all[0].figures.at(0)).value() == 0.0);
  BOOST_TEST(pointsOff(all[0].figures.at(1)).value() == 100.0);
  BOOST_TEST(pointsOff(all[0].figures.at(2)).value() == 25.0, boost::test_tools::tolerance(1e-9));
  const std::string csv = reproductionCsv(all);
  BOOST_TEST(begins(csv,
                    "study,headline,claim,where,figure,published,formula,ours,difference,unit,"
                    "cause,shown_by,note,points\n"
                    "one,,,Figure 1,gain <1>,0.5,,1,0.5,ratio,,,,100\n"
                    "one,,,Figure 1,gain <1>: base: transpose,0.8,,1,"),
             csv);
  BOOST_TEST(has(csv, "\none,,,Figure 1,gain <1>,1.00,,1,0,ratio,"));
  BOOST_TEST(has(csv, ",ami,,0\n"));
  const std::string page = reproductionPage(all, kStamp, folder.path());
  BOOST_TEST(has(page, "gain &lt;1&gt;"));
  BOOST_TEST(!has(page, "gain <1>"));
  BOOST_TEST(has(page, "Shown by: ami."));
  BOOST_TEST(has(page, "1 of 3 are within 5 points"));
  BOOST_TEST(has(page, "2000-01-01, fermata 1, commit abc"));
}

BOOST_AUTO_TEST_CASE(percentages_differ_by_points) {
  ComparedFigure figure;
  figure.published = 40;
  figure.ours = 44;
  figure.unit = "percent";
  BOOST_TEST(pointsOff(figure).value() == 4.0);
  figure.unit = "ratio";
  BOOST_TEST(pointsOff(figure).value() == 10.0);
  figure.published = 0;
  BOOST_TEST(!pointsOff(figure));
  figure.ours = 0;
  BOOST_TEST(pointsOff(figure).value() == 0.0);
}

// Layouts and orders of bits are published as texts.
BOOST_AUTO_TEST_CASE(texts_are_compared) {
  ReproducedStudy study;
  study.study.name = "one";
  for (const char* ours : {"0 1 | 2 3", "0 1 | 3 2"}) {
    ComparedFigure figure;
    figure.id = "claim";
    figure.subject = "layout";
    figure.text = "0 1 | 2 3";
    figure.oursText = ours;
    study.figures.push_back(figure);
  }
  BOOST_TEST(isCompared(study.figures[0]));
  BOOST_TEST(pointsOff(study.figures[0]).value() == 0.0);
  BOOST_TEST(!pointsOff(study.figures[1]));
  const Folder folder;
  const std::string page = reproductionPage({study}, kStamp, folder.path());
  BOOST_TEST(has(page, "1 of 2 are within 5 points"));
  BOOST_TEST(page.find(">differs<") < page.find(">none<"));  // the largest difference first
}

BOOST_AUTO_TEST_CASE(the_page_holds_its_pictures) {
  const Folder folder;
  const auto all = reproduced({named("one")}, folder);
  BOOST_TEST(!has(reproductionPage(all, kStamp, folder.path()), "<img"));
  folder.put("one/one.svg", "<svg/>");
  BOOST_TEST(has(reproductionPage(all, kStamp, folder.path()),
                 "src=\"data:image/svg+xml;base64,PHN2Zy8+\""));
}

BOOST_AUTO_TEST_SUITE_END()
