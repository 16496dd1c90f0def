// Platform files that build on others: whose value counts, where it comes from, and what is
// refused.
#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/compose/parameters.h>

#include "tests/support/says.h"
#include "tests/support/temporary_folder.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

const char* const kGtx480 = FERMATA_SOURCE_DIR "/platforms/gtx480.toml";

struct Folder {
  TemporaryFolder folder;

  std::string write(const std::string& name, const std::string& text) const {
    const fs::path path = folder.path() / name;
    std::ofstream(path) << text;
    return path.string();
  }
  Configuration read(const std::string& text) const {
    return Configuration::read(write("mine.toml", text));
  }
  std::string refusal(const std::string& text) const {
    return errorOf<InputError>([&] { read(text).check(); });
  }
  bool refused(const std::string& text, const std::string& says) const {
    const std::string why = refusal(text);
    BOOST_TEST_MESSAGE(why);
    return why.find(says) != std::string::npos;
  }
};

const std::string kBase = "base = \"" + std::string(kGtx480) + "\"\n";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(bases, Folder)

BOOST_AUTO_TEST_CASE(a_file_of_five_lines_is_its_base_but_for_them) {
  Configuration mine = read(kBase +
                            "description = \"slow\"\n[scratchpad]\nlatency = { value = 99, source "
                            "= \"what if\" }\nports = 2\n");
  mine.check();
  const Configuration base = Configuration::read(kGtx480);
  BOOST_TEST(mine.parameters().name == "mine");
  BOOST_TEST(mine.parameters().description == "slow");
  BOOST_TEST(mine.parameters().scratchpad.latency == 99U);
  BOOST_TEST(mine.parameters().agu.latency == base.parameters().agu.latency);
  BOOST_TEST(mine.parameters().scratchpad.banks == 32U);
  const std::string text = mine.text();
  BOOST_TEST(has(text, "latency = { value = 99, source = \"what if\" }"));
  BOOST_TEST(has(text, "ports = 2  #"));  // not the base's source
  BOOST_TEST(has(text, "source = \"base " + std::string(kGtx480) + ": NVIDIA GF100 whitepaper"));
  BOOST_TEST(Configuration::parse(text, "again.toml").parameters().scratchpad.latency == 99U);
}

BOOST_AUTO_TEST_CASE(a_file_beside_it_is_found_by_its_name) {
  write("first.toml", kBase + "[agu]\nlatency = 5\n[crossbar]\nlatency = 6\n");
  write("second.toml", "base = \"first\"\n[crossbar]\nlatency = 7\n");
  const Configuration third = read("base = \"second\"\nname = \"third\"\n[l1]\nways = 1\n");
  BOOST_TEST(third.parameters().name == "third");
  BOOST_TEST(third.parameters().agu.latency == 5U);
  BOOST_TEST(third.parameters().crossbar.latency == 7U);
  BOOST_TEST(has(third.place("agu.latency").file, "first.toml"));
  BOOST_TEST(third.place("agu.latency").line == 3U);
}

// A mapping of the file outweighs the count of banks that the base gives, and a part that the file
// takes away the figures that the base has for it.
BOOST_AUTO_TEST_CASE(a_value_of_the_file_outweighs_those_of_its_base) {
  Configuration mine = read(kBase + "[scratchpad]\nindexer = \"ami 33\"\n");
  mine.check();
  BOOST_TEST(mine.parameters().scratchpad.banks == 33U);
  Configuration locks = read(kBase + "[scratchpad]\natomics = \"locked\"\n");
  locks.check();
  write("locked.toml", kBase + "[scratchpad]\natomics = \"locked\"\n[lock]\nread_latency = 40\n");
  Configuration loads = read("base = \"locked\"\n[scratchpad]\natomics = \"load\"\n");
  BOOST_CHECK_NO_THROW(loads.check());
  BOOST_TEST(refused("base = \"locked\"\n[scratchpad]\natomics = \"load\"\n[lock]\nlocks = 32\n",
                     "mine.toml:5:9: lock.locks has no effect"));
  BOOST_TEST(refused(kBase + "[scratchpad]\nindexer = \"ami 33\"\nbanks = 32\n",
                     "mine.toml:4:9: scratchpad.banks = 32 but the indexer"));
}

BOOST_AUTO_TEST_CASE(what_no_platform_is_is_refused_with_its_place) {
  const std::string latency = "[agu]\nlatency = 1\n";
  BOOST_TEST(refused("base = \"gtx999\"\n" + latency, "mine.toml:1:8: base = \"gtx999\": no such"));
  BOOST_TEST(refused("base = \"none.toml\"\n" + latency, "mine.toml:1:8: base = \"none.toml\""));
  BOOST_TEST(refused("base = 3\n" + latency, "mine.toml:1:8: base has the wrong type"));
  BOOST_TEST(refused("base = \"mine.toml\"\n" + latency, "none that builds on itself"));
  write("broken.toml", kBase + "[agu]\nlatency = -1\n");
  BOOST_TEST(refused("base = \"broken\"\n" + latency, "broken.toml:3:11: agu.latency"));
}

BOOST_AUTO_TEST_SUITE_END()
