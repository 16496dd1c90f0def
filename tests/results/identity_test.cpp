#include <fermata/results/identity.h>

#include "tests/support/test.h"

namespace fermata::results::test {

BOOST_AUTO_TEST_SUITE(identity)

BOOST_AUTO_TEST_CASE(settings_are_joined_in_order) {
  BOOST_TEST(text(Settings{}).empty());
  BOOST_TEST(text(Settings{{"stride", "32"}, {"blocks", "12"}}) == "stride=32;blocks=12");
  BOOST_TEST(text(Settings{{"scratchpad.indexer", "xor k1=0 k2=5 mask=7"}}) ==
             "scratchpad.indexer=xor k1=0 k2=5 mask=7");
  BOOST_TEST(text(Settings{{"a", "1;2"}, {"b", "c\\d"}}) == "a=1\\;2;b=c\\\\d");
}

BOOST_AUTO_TEST_CASE(there_is_a_field_for_each_column) {
  BOOST_TEST(identityFields({"stride", {{"n", "1"}}, "gtx480", {{"verify", "true"}}}) ==
                 (std::vector<std::string>{"stride", "n=1", "gtx480", "verify=true"}),
             tt::per_element());
  BOOST_TEST(identityFields({}).size() == identityColumns().size());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::results::test
