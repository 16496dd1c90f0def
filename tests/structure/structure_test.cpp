// The source tree keeps the rules of its design.
#include "tests/structure/rules.h"
#include "tests/support/test.h"

namespace {

using namespace fermata::test;

const SourceTree& tree() {
  static const SourceTree tree = readSourceTree(FERMATA_SOURCE_DIR);
  return tree;
}

std::set<std::string> installedHeaders() {
  std::set<std::string> headers;
  std::ifstream in(FERMATA_PUBLIC_HEADERS);
  for (std::string line; std::getline(in, line);) headers.insert(line);
  return headers;
}

void checkNone(const Findings& findings) {
  for (const std::string& finding : findings) BOOST_ERROR(finding);
  BOOST_TEST(findings.empty());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(source_tree)

BOOST_AUTO_TEST_CASE(is_read) {
  BOOST_REQUIRE(tree().count("models/vocabulary/workload.h") == 1);
  BOOST_TEST(tree().at("models/vocabulary/workload.h").lines > 10);
  BOOST_TEST(tree().at("models/vocabulary/workload.h").includes.size() > 2);
  BOOST_TEST(installedHeaders().count("models/vocabulary/workload.h") == 1);
  BOOST_TEST(tree().count("stimuli/cuda/fermata_cuda.h") == 0);
}

BOOST_AUTO_TEST_CASE(has_no_circle) {
  checkNone(circles(tree()));
}

BOOST_AUTO_TEST_CASE(follows_the_arrows) {
  checkNone(againstTheArrows(tree()));
}

BOOST_AUTO_TEST_CASE(keeps_libraries_in_their_rooms) {
  checkNone(foreignLibraries(tree()));
}

BOOST_AUTO_TEST_CASE(names_only_files_that_there_are) {
  checkNone(falseNames(tree()));
}

BOOST_AUTO_TEST_CASE(has_no_file_that_is_too_long) {
  checkNone(tooLong(tree()));
}

BOOST_AUTO_TEST_CASE(installs_what_installed_headers_include) {
  checkNone(notInstalled(tree(), installedHeaders()));
}

BOOST_AUTO_TEST_SUITE_END()
