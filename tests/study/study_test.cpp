// Studies: what a file may contain, and small studies run whole.
#include <fermata/platforms/program/study/study_accesses.h>
#include <fermata/platforms/program/study/study_facts.h>
#include <fermata/platforms/program/study/study_report.h>
#include "tests/study/support.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::platforms::test;

BOOST_AUTO_TEST_SUITE(study)

BOOST_AUTO_TEST_CASE(every_study_of_ours_is_well_formed_and_names_claims_that_exist) {
  const auto studies = listStudies();
  BOOST_TEST(studies.size() >= 10U);
  for (const Study& study : studies) {
    BOOST_TEST_CONTEXT(study.name) BOOST_CHECK_NO_THROW(requireClaims(study));
  }
}

BOOST_DATA_TEST_CASE(every_claim_is_compared_or_says_why_not,
                     boost::unit_test::data::make({kPapers, kSilicon}) ^
                         boost::unit_test::data::make({kPaperStudies, kSiliconStudies}),
                     claims, kind) {
  std::set<std::string> compared;
  for (const Study& study : listStudies(kind)) compared.merge(claimsOf(study));
  for (const auto& [id, claim] : readClaims(claims))
    BOOST_TEST((compared.count(id) != 0) == claim.notCompared.empty(), id);
}

BOOST_AUTO_TEST_CASE(a_file_says_workloads_variants_and_combinations) {
  const Study study = readStudy(
      kHead +
      "platform = 'k20'\nmeasures = ['time', 'stalls']\nworkloads = ['a', 'b']\n"
      "[[workload]]\nname = 'c'\nparameters = { n = 4 }\nvary = { x = [1, 2], y = [3, 4] }\n"
      "trained = { seed = 1 }\nruns = { parameter = 'seed', from = 2, to = 4 }\nplatform = 'p'\n"
      "[[variant]]\nlabel = 'base'\n"
      "[[variant]]\nlabel = 'mih'\nsearch = 'pairs.minimum-imbalance'\nsoftware = true\n"
      "only = ['a']\nset = ['x=y']\nparameters = { pad = 1 }\n"
      "[[variant]]\nlabel = 'more'\nlike = 'mih'\nset = ['z=1']\n"
      "[[compare]]\nsubject = 'q'\npublished = 1.5\nplace = 'here'\nvariant = 'mih'\n"
      "measure = 'slowdown'\nsummary = 'largest'\nplatform = 'k20'\nnote = 'why {a}'\n"
      "figures.a = { variant = 'base' }\n"
      "[[compare]]\nsubject = 'q'\nplace = 'here'\nvariant = 'mih'\n");
  BOOST_TEST(study.name == "mine");
  BOOST_TEST((study.kind == Study::Kind::Runs));
  BOOST_REQUIRE_EQUAL(study.workloads.size(), 6U);
  BOOST_TEST(study.workloads[1].label == "b");
  BOOST_TEST(study.workloads[1].platform == "k20");
  BOOST_TEST(study.workloads[3].label == "x=1 y=4");
  BOOST_TEST(study.workloads[3].platform == "p");
  BOOST_TEST((study.workloads[3].parameters == Parameters{{"n", "4"}, {"x", "1"}, {"y", "4"}}));
  BOOST_REQUIRE_EQUAL(study.workloads[3].runs.size(), 3U);
  BOOST_TEST((study.workloads[3].runs[2] == Parameters{{"seed", "4"}}));
  BOOST_REQUIRE_EQUAL(study.variants.size(), 3U);
  const StudyVariant& mih = study.variants[1];
  BOOST_TEST((mih.search->mappingClass == search::MappingClass::Pairs));
  BOOST_TEST((mih.search->method == search::Method::MinimumImbalance));
  BOOST_TEST(mih.software);
  BOOST_TEST(mih.sets == std::vector<std::string>{"x=y"});
  BOOST_TEST((study.variants[2].sets == std::vector<std::string>{"x=y", "z=1"}));
  const Comparison& slower = study.comparisons.at(0);
  BOOST_TEST((slower.summary == Summary::Largest));
  BOOST_TEST(slower.published == "1.5");
  BOOST_TEST(slower.unit == "percent");
  BOOST_TEST((slower.figures.at("a").measure == Measure::Slowdown));
  BOOST_TEST((study.comparisons.at(1).measure == Measure::Time));
  BOOST_TEST(study.comparisons.at(1).unit == "ratio");
}

BOOST_AUTO_TEST_CASE(labels_must_be_known_and_differ) {
  const std::string two = kHead + "kind = 'runs'\nworkloads = ['a', 'b']\n";
  const std::string variant = "[[variant]]\nlabel = 'v'\n";
  const std::string compare = variant +
                              "[[compare]]\nsubject = 's'\npublished = 1\nplace = 'p'\n"
                              "variant = 'v'\nmeasure = 'speedup'\n";
  BOOST_TEST(refusal(two + compare) == "none");
  BOOST_TEST(refusal(two + variant + "only = ['a', 'c']\n") ==
             "mine.toml:7:8: no workload has the label 'c'; expected one of this file");
  BOOST_TEST(refusal(two + compare + "only = ['c']\n") ==
             "mine.toml:13:8: no workload has the label 'c'; expected one of this file");
  BOOST_TEST(refusal(two + compare + "platform = 'k20'\n") ==
             "mine.toml:13:12: no workload runs on 'k20'; expected a platform of this file");
  BOOST_TEST(refusal(two + variant + variant) ==
             "mine.toml:8:9: another variant has the label 'v'; expected a label of its own");
  BOOST_TEST(refusal(kHead + "kind = 'runs'\nworkloads = ['a', 'a']\n" + variant) ==
             "mine.toml:4:13: another workload has the label 'a'; expected a label of its own");
  BOOST_TEST(refusal(two + "[[workload]]\nname = 'c'\nlabel = 'b'\n" + variant) ==
             "mine.toml:5:1: another workload has the label 'b'; expected a label of its own");
  BOOST_TEST(refusal(two + "[[workload]]\nname = 'b'\nplatform = 'k20'\n" + variant) ==
             "none");  // equal name, other platform
}

BOOST_AUTO_TEST_CASE(a_published_figure_is_a_number) {
  for (const char* figure : {"nan", "inf", "-inf"}) {
    BOOST_TEST(refusal(kHead +
                       "kind = 'runs'\nworkloads = ['a']\n[[variant]]\nlabel = 'v'\n"
                       "[[compare]]\nsubject = 's'\npublished = " +
                       figure + "\nplace = 'p'\nvariant = 'v'\nmeasure = 'speedup'\n") ==
               "mine.toml:9:13: 'published' is not finite; expected a number");
  }
}

BOOST_AUTO_TEST_CASE(bad_files_are_refused_with_their_place) {
  const std::string variant = "[[variant]]\nlabel = 'v'\n";
  BOOST_TEST(begins(refusal("title = "), "mine.toml:1:"));
  refuses("title = 't'\n", "lacks 'source'");
  BOOST_TEST(begins(refusal(kHead + "kind = 'run'\n"), "mine.toml:3:8: unknown kind 'run'"));
  refuses(kHead + "kind = 'runs'\nsize = 3\n", "unknown key 'size'");
  refuses(kHead + "kind = 'runs'\nmeasures = ['fast']\n", "unknown measure");
  refuses(kHead + "kind = 'runs'\nworkloads = 'a'\n", "no array");
  refuses(kHead + "kind = 'runs'\nworkloads = [1]\n", "no text");
  refuses(kHead + "kind = 'runs'\n[[workload]]\nname='a'\nparameters={n=1.5}\n",
          "expected an integer or a text");
  refuses(kHead + "kind = 'runs'\n[[workload]]\nname='a'\nruns={parameter='s',from=3,to=2}\n",
          "'to'");
  refuses(kHead + "kind='runs'\n[[variant]]\nlabel='v'\nsearch='ami.givargis'\n", "unknown search");
  refuses(
      kHead + "kind='runs'\n[[variant]]\nlabel='v'\nmapping='mod 32'\nsearch='xor.exhaustive'\n",
      "a mapping and a search");
  refuses(kHead + "kind='runs'\n" + variant +
              "[[compare]]\nsubject='x'\npublished=1\nplace='p'\nvariant='w'\n"
              "measure='speedup'\n",
          "no variant has the label 'w'");
  refuses(kHead +
              "kind = 'runs'\n[[workload]]\nname='a'\nruns={parameter='s',"
              "from=-9223372036854775807,to=9223372036854775807}\n",
          "expected 1 to 1001 runs");
  std::string many;
  for (int i = 0; i < 8; ++i)
    many += (i == 0 ? "" : ", ") + std::string("a") + std::to_string(i) + "=[1,2,3,4]";
  refuses(kHead + "kind = 'runs'\n[[workload]]\nname='a'\nvary={" + many + "}\n",
          "too many workloads");
  for (const char* bits : {"address_bits = 33", "address_bits = 0", "address_bits = 4294967310",
                           "bank_bits = 15", "bank_bits = -1"}) {
    refuses(kHead + "kind = 'sizes'\n" + bits + "\n", "expected 1 to");
  }
  BOOST_CHECK_THROW(openStudy("no-such-study"), InputError);
  BOOST_CHECK_THROW(openStudy("no/such/file.toml"), InputError);
}

BOOST_AUTO_TEST_CASE(measures_follow_their_definitions) {
  const StudyCells cells = someCells();
  BOOST_TEST(figure(cells, 0, 1, Measure::ConflictsRemoved) == 75.0);
  BOOST_TEST(figure(cells, 0, 1, Measure::Speedup) == 1.25);
  BOOST_TEST(figure(cells, 0, 1, Measure::Slowdown) == -20.0);
  BOOST_TEST(figure(cells, 0, 1, Measure::InstructionsAdded) == 10.0);
  BOOST_TEST(figure(cells, 0, 1, Measure::Conflicts) == 20.0);
  BOOST_TEST(figure(cells, 0, 1, Measure::Cycles) == 800.0);
  BOOST_TEST(figure(cells, 1, 1, Measure::Time) == 0.5);
  BOOST_TEST(figure(cells, 0, 1, Measure::ConflictFree) == 0.0);
  BOOST_TEST(figure(cells, 1, 1, Measure::ConflictFree) == 1.0);
  BOOST_TEST(!measureOf(cells, 1, 1, Measure::ConflictsRemoved));  // no conflicts to remove
  BOOST_TEST(!measureOf(cells, 0, 2, Measure::Cycles));            // no such variant here
}

// A search looks at the platform with the settings of its variant.
BOOST_AUTO_TEST_CASE(what_a_variant_sets_reaches_its_search) {
  const std::string workload =
      "[[workload]]\nname = 'transpose'\nparameters = { tile = 16, pad = 0, n = 32 }\n";
  const std::string variants =
      "[[variant]]\nlabel = 'base'\n"
      "[[variant]]\nlabel = 'as it is'\nsearch = 'pairs.minimum-imbalance'\n"
      "[[variant]]\nlabel = 'half'\nsearch = 'pairs.minimum-imbalance'\n"
      "set = ['scratchpad.banks=16']\n"
      "[[variant]]\nlabel = 'padded'\nsearch = 'pairs.minimum-imbalance'\n"
      "parameters = { pad = 1 }\n";
  for (const char* kind : {"runs", "searches"}) {
    const Study study = readStudy(kHead + "kind = '" + kind + "'\n" + workload + variants);
    const StudyCells cells = runStudy(study, kQuiet);
    BOOST_TEST(cells[0][1]->mapping == "pairs 0,4,1^5,2^6,3^7");
    const std::string& half = cells[0][2]->mapping;
    BOOST_TEST(std::count(half.begin(), half.end(), ',') == 3, half);  // 16 banks have four bits
    const StudyAccesses sixteen = studyAccesses(study.workloads[0], study.variants[2]);
    BOOST_TEST(sixteen.shape.banks == 16U);
    BOOST_TEST(search::search(search::MappingClass::Pairs, search::Method::MinimumImbalance,
                              {sixteen.collected.sets, sixteen.shape})
                   .mapping == half);
    const StudyAccesses padded = studyAccesses(study.workloads[0], study.variants[3]);
    BOOST_TEST(search::search(search::MappingClass::Pairs, search::Method::MinimumImbalance,
                              {padded.collected.sets, padded.shape})
                   .mapping == cells[0][3]->mapping);
    BOOST_TEST(cells[0][3]->mapping != cells[0][1]->mapping);
  }
  const Study wrong = readStudy(kHead + "kind = 'searches'\n" + workload +
                                "[[variant]]\nlabel = 'v'\nset = ['scratchpad.bank=1']\n");
  BOOST_CHECK_THROW(runStudy(wrong, kQuiet), std::exception);
}

BOOST_AUTO_TEST_CASE(a_search_may_have_a_hash_for_each_region_or_instruction) {
  const std::string workload = "[[workload]]\nname = 'lud1'\n";
  const std::string variants =
      "[[variant]]\ncolumns = ['label', 'search', 'regions']\nrows = [['base'], "
      "['one', 'perm.exhaustive'], ['four', 'perm.exhaustive', 4]]\n";
  const std::string each = "[[variant]]\nlabel = 'each'\nsearch = 'perm.exhaustive'\n";
  const std::string searches = kHead + "kind = 'searches'\n" + workload;
  const StudyCells cells =
      runStudy(readStudy(searches + variants + each + "by_instruction = true\n"), kQuiet);
  BOOST_TEST(cells[0][1]->mapping.rfind("perm", 0) == 0U);
  BOOST_TEST(cells[0][2]->mapping.rfind("regions", 0) == 0U);
  BOOST_TEST(cells[0][2]->conflicts < cells[0][1]->conflicts);
  BOOST_TEST(cells[0][3]->mapping.empty());
  BOOST_TEST(cells[0][3]->conflicts < cells[0][2]->conflicts);
  // A run has the conflicts that the search predicts.
  const StudyCells run =
      runStudy(readStudy(kHead + "kind = 'runs'\n" + workload + variants), kQuiet);
  BOOST_TEST(run[0][2]->conflicts == cells[0][2]->conflicts);

  refuses(searches + each + "regions = 65\n", "'regions' is 65; expected 1 to 64");
  refuses(searches + "[[variant]]\nlabel = 'v'\nregions = 2\n", "parts of the accesses without a");
  refuses(searches + "[[variant]]\nlabel = 'v'\nsearch = 'ami.exhaustive'\nregions = 2\n",
          "expected a search of perm, xor, bits, pairs or matrix");
  refuses(searches + each + "by_instruction = true\nregions = 2\n", "and no 'regions'");
  refuses(kHead + "kind = 'runs'\n" + each + "by_instruction = true\n", "kind = \"searches\"");
}

BOOST_AUTO_TEST_CASE(a_small_study_runs_whole) {
  const Folder folder;
  const Study study =
      readStudy(kHead +
                "kind = 'runs'\nmeasures = ['conflicts', 'conflicts_removed', 'speedup']\n"
                "[[workload]]\nname = 'transpose'\nparameters = { tile = 16, pad = 0, n = 32 }\n"
                "[[variant]]\nlabel = 'base'\n"
                "[[variant]]\nlabel = 'padded'\nparameters = { pad = 1 }\n"
                "[[variant]]\nlabel = 'mih'\nsearch = 'pairs.minimum-imbalance'\n");
  const StudyCells cells = runStudy(study, kQuiet);
  // 4 tiles x 8 warps read a column of a 16x16 tile: degree 8 (van den Braak et al., section
  // 3.2.2).
  BOOST_TEST(figure(cells, 0, 0, Measure::Conflicts) == 4 * 8 * 7.0);
  BOOST_TEST(figure(cells, 0, 2, Measure::Conflicts) == 0.0);
  BOOST_TEST(cells[0][2]->mapping == "pairs 0,4,1^5,2^6,3^7");
  BOOST_TEST(figure(cells, 0, 1, Measure::Conflicts) ==
             4 * 8 * 2.0);  // stride 17: both halves meet; so do the stores
  files::OutputSet files;
  writeCells(study, cells, files, folder.path());
  files.commit();
  const std::string table = bytesOf(folder / "table.csv");
  BOOST_TEST(has(table, "transpose,gtx480,mih,\"pairs 0,4,1^5,2^6,3^7\",64,0,"));
}

BOOST_AUTO_TEST_CASE(table_five_on_the_transpose) {
  const Study study =
      readStudy(kHead +
                "kind = 'configurations'\npublished = 'xor_table5.csv'\n"
                "[[workload]]\nname = 'transpose'\nparameters = { tile = 16, pad = 0 }\n");
  const auto rows = compareConfigurations(study, kQuiet);
  BOOST_REQUIRE_EQUAL(rows.size(), 5U);
  for (const ConfigurationRow& row : rows) {
    BOOST_TEST_CONTEXT(row.search) {
      if (row.search != "xor.exhaustive") BOOST_TEST(row.verdict == "equal");
      BOOST_TEST(row.publishedLegal);
      BOOST_TEST(row.oursAfter <= row.publishedAfter);
    }
  }
}

// Dependent bank bits in a published row are a finding. A row that is no mapping is an error.
BOOST_AUTO_TEST_CASE(a_damaged_published_table_is_refused) {
  const Folder folder;
  const auto verdict = [&](const std::string& mapping) {
    const std::string table = folder.file(
        "workload,benchmark,pairs.givargis\ntranspose,t,\"" + mapping + "\"\n", "published.csv");
    const Study study = readStudy(kHead + "kind = 'configurations'\npublished = '" + table +
                                  "'\n[[workload]]\nname = 'transpose'\n");
    return compareConfigurations(study, kQuiet).at(0).verdict;
  };
  BOOST_TEST(verdict("pairs 0,0^4,1^4,1^5,2^6") == "equal");
  BOOST_TEST(begins(verdict("pairs 0,4,0^4,1^5,2^6"), "dependent"));
  BOOST_CHECK_THROW(verdict("pairs 0,4,1^5,2^6,3^77"), InputError);
  BOOST_CHECK_THROW(verdict("pairs 0,4"), InputError);
}

BOOST_AUTO_TEST_SUITE_END()
