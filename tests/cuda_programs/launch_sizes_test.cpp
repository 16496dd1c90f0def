// fermata cc: sizes of blocks and clusters, which clang hands on as annotations.
#include <fermata/platforms/program/cc/launch_sizes.h>

#include "tests/support/refusals.h"

using namespace fermata;
using namespace fermata::test;
using platforms::launchSizesIn;

namespace {

/// Returns a module whose kernel `k` has an annotation behind that of another function.
std::string module(const std::string& annotation, const std::string& sizes) {
  return "\n@.str = c\"" + annotation +
         "\\00\"\n@.str.1 = c\"app.cu\\00\"\n@.args = { i32, i32 } { " + sizes +
         " }\n@llvm.global.annotations = [2 x { ptr, ptr, ptr, i32, ptr }] "
         "[{ ptr, ptr, ptr, i32, ptr } { ptr @other, ptr @.str.1, ptr @.str.1, i32 3, ptr @.args "
         "}, "
         "{ ptr, ptr, ptr, i32, ptr } { ptr @k, ptr @.str, ptr @.str.1, i32 17, ptr @.args }]\n";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(launch_sizes)

BOOST_AUTO_TEST_CASE(become_directives) {
  const auto sizes = launchSizesIn(module("fermata_block_size", "i32 8, i32 4"));
  BOOST_TEST(sizes.size() == 1U);
  BOOST_TEST(sizes.at("k") == "\n.reqntid 8, 4");
  BOOST_TEST(launchSizesIn(module("fermata_cluster_dims", "i32 2")).at("k") ==
             "\n.explicitcluster\n.reqnctapercluster 2");
}

BOOST_AUTO_TEST_CASE(of_grids_in_clusters_are_refused_at_their_line) {
  refuses([] { launchSizesIn(module("fermata_block_size", "i32 8, i32 1, i32 1, i32 2")); },
          "app.cu:17: __block_size__ with a second tuple");
}

BOOST_AUTO_TEST_SUITE_END()
