// Platform files: reading, refusals with their places, and a printed form that reads back.
#include <fermata/platforms/compose/configuration.h>

#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/compose/streaming_multiprocessor.h>
#include <fermata/stimuli/input_error.h>
#include "tests/support/refusals.h"
#include "tests/support/says.h"

using fermata::InputError;

using namespace fermata::platforms;
using namespace fermata::test;

namespace {

/// Returns the platform with changes, not checked.
Configuration changed(Configuration configuration, const std::vector<std::string>& sets) {
  for (const std::string& set : sets) configuration.apply(set);
  return configuration;
}

Configuration gtx480(const std::vector<std::string>& sets = {}) {
  return changed(Configuration::read(FERMATA_SOURCE_DIR "/platforms/gtx480.toml"), sets);
}

const Refusal kBadFiles[] = {
    {"[scratchpad]\nbank = 32\n",
     "p.toml:2:1: unknown parameter 'scratchpad.bank'; expected one of"},
    {"[scratchpad]\nbanks = \"32\"\n",
     "p.toml:2:9: scratchpad.banks = \"32\"; expected an integer from 1 to 4096"},
    {"[scratchpad]\nbanks = 0\n", "p.toml:2:9: scratchpad.banks = 0; expected"},
    {"[scratchpad]\nbanks = 32.5\n", "p.toml:2:9: scratchpad.banks = 32.5; expected an integer"},
    {"[scratchpad]\nbanks = 99999999999\n", "p.toml:2:9: scratchpad.banks = 99999999999; expected"},
    {"[scratchpad]\nbanks = -1\n", "p.toml:2:9: scratchpad.banks = -1; expected"},
    {"[scratchpad]\nbanks = [32]\n", "p.toml:2:9: scratchpad.banks has the wrong type"},
    {"[scratchpad]\nbank_bytes = 6\n",
     "p.toml:2:14: scratchpad.bank_bytes = 6; expected an integer that is a power of two"},
    {"[scratchpad]\nindexer = \"ami\"\n", "p.toml:2:11: scratchpad.indexer = \"ami\""},
    {"[scratchpad]\nindexer = \"bits 0,0,1,2,3\"\n", "p.toml:2:11: scratchpad.indexer"},
    {"[scratchpad]\nbytes = 49153\n", "p.toml:2:9: scratchpad.bytes = 49153 is no whole number"},
    {"[scheduler]\npolicy = \"random\"\n",
     "p.toml:2:10: scheduler.policy = \"random\"; expected one of lrr|gto|gty|two-level"},
    {"[crossbar]\ngroups_64 = \"0-15,15-31\"\n",
     "p.toml:2:13: crossbar.groups_64 = \"0-15,15-31\": lane 15 stands in it twice; expected "
     "every"},
    {"[crossbar]\ngroups_64 = 16\n", "p.toml:2:13: crossbar.groups_64 = 16; expected every lane"},
    {"[scheduler]\npolicy = 3\n", "p.toml:2:10: scheduler.policy = 3; expected"},
    {"[scheduler]\nschedulers = { value = 2, origin = \"x\" }\n",
     "p.toml:2:27: unexpected 'origin'"},
    {"[scheduler]\nschedulers = { source = \"x\" }\n",
     "p.toml:2:14: scheduler.schedulers has no value"},
    {"[clock]\nfrequency_mhz = 0\n",
     "p.toml:2:17: clock.frequency_mhz = 0; expected a number from 1"},
    {"[clock]\nfrequency_mhz = nan\n", "p.toml:2:17: clock.frequency_mhz = nan"},
    {"clock = 5\n", "p.toml:1:1: 'clock' is an integer; expected a table: [clock]"},
    {"[[clock]]\nfrequency_mhz = 700\n",
     "p.toml:1:3: 'clock' is an array of tables (double brackets); expected a table: [clock]"},
    {"scratchpad = []\n", "p.toml:1:1: 'scratchpad' is an array; expected a table: [scratchpad]"},
    {"[caches]\nsize = 1\n", "p.toml:1:2: unknown parameter 'caches'"},
    {"verify = 1\n", "p.toml:1:10: verify = 1; expected true or false"},
    {"name = 5\n", "p.toml:1:8: name has the wrong type"},
    {"[scratchpad]\nbanks = 32\nbanks = 16\n", "p.toml:3:"},
    {"[scratchpad\n", "p.toml:1:"},
    {"banks = \n", "p.toml:1:"},
    {"[limits]\nsyntax error\n", "p.toml:2:"},
    {"[scratchpad]\nbanks = 16\n",
     "p.toml:2:9: scratchpad.banks = 16 but the indexer 'mod 32' maps onto 32 banks"},
    {"[limits]\nshared_unit = 4\n", "p.toml:2:15: limits.shared_unit = 4; expected"},
};

const Refusal kBadSets[] = {
    {"scratchpad.indexer", "expected path=value"},
    {"=5", "expected path=value"},
    {"scratchpad.bank=5",
     "--set scratchpad.bank: unknown parameter 'scratchpad.bank'; expected one of "
     "scratchpad.indexer"},
    {"nothing.here=5", "unknown parameter"},
    {"scratchpad.banks=many",
     "scratchpad.banks = 'many'; expected an integer from 1 to 4096 (banks)"},
    {"scratchpad.banks=", "expected an integer"},
    {"scratchpad.banks=5000", "scratchpad.banks = 5000; expected"},
    {"scratchpad.banks=33", "maps onto 32 banks"},
    {"scratchpad.indexer=ami 0", "--set scratchpad.indexer: scratchpad.indexer = \"ami 0\""},
    {"scratchpad.indexer=xor k1=0 k2=0 mask=1", "scratchpad.indexer"},
    {"scheduler.policy=fifo", "expected one of lrr|gto|gty|two-level"},
    {"clock.frequency_mhz=fast", "expected a number"},
    {"verify=yes", "expected true or false"},
    {"l1.ways=2",
     "--set l1.ways: l1.ways has no effect, for global.memory is flat; expected global.memory = "
     "\"l1\" or \"caches\""},
    {"l2.bytes=1024", "--set l2.bytes: l2.bytes has no effect, for global.memory is flat"},
    {"dram.channels=8", "--set dram.channels: dram.channels has no effect"},
    {"interconnect.latency=8", "--set interconnect.latency: interconnect.latency has no effect"},
    {"instruction.mshrs=9",
     "--set instruction.mshrs: instruction.mshrs has no effect, for instruction.bytes is 0"},
    {"constant.bytes=2048",
     "--set constant.bytes: constant.bytes has no effect, for constant.line_bytes is 0"},
    {"constant.miss_latency=9", "--set constant.miss_latency: constant.miss_latency has no effect"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(files)

BOOST_AUTO_TEST_CASE(gtx480_has_fermis_figures) {
  const auto p = gtx480().parameters();
  BOOST_TEST(p.name == "gtx480");
  BOOST_TEST(p.scratchpad.bytes == 49152U);
  BOOST_TEST(p.scratchpad.banks == 32U);
  BOOST_TEST(p.core.limits.warps == 48U);
  BOOST_TEST(p.core.limits.threads == 1536U);
  BOOST_TEST(p.core.limits.ctas == 8U);
  BOOST_TEST(p.core.limits.registers == 32768U);
  // A conflict-free shared load takes 26 cycles.
  BOOST_TEST(p.agu.latency + p.crossbar.latency + p.scratchpad.latency == 26U);
}

// A platform composed by hand starts from the figures of gtx480.
BOOST_AUTO_TEST_CASE(the_defaults_of_the_core_are_gtx480s) {
  const fermata::SmCore::Parameters core;
  const fermata::SmCore::Parameters ofFile = gtx480().parameters().core;
  const fermata::WarpScheduler::Parameters& defaults = core.issue;
  const fermata::WarpScheduler::Parameters& file = ofFile.issue;
  for (unsigned c = 0; c < fermata::kInstructionClasses; ++c) {
    if (c == static_cast<unsigned>(fermata::InstructionClass::Memory)) continue;  // not used
    BOOST_TEST(defaults.pipelines.timing[c].latency == file.pipelines.timing[c].latency);
    BOOST_TEST(defaults.pipelines.timing[c].interval == file.pipelines.timing[c].interval);
  }
  BOOST_TEST(defaults.pipelines.aluUnits == file.pipelines.aluUnits);
  BOOST_TEST(defaults.pipelines.specialUnits == file.pipelines.specialUnits);
  BOOST_TEST(defaults.pipelines.doubleUnits == file.pipelines.doubleUnits);
  BOOST_TEST(defaults.schedulers == file.schedulers);
  BOOST_TEST(defaults.constantLatency == file.constantLatency);
  BOOST_TEST(core.limits.warps == ofFile.limits.warps);
  BOOST_TEST(core.limits.sharedUnit == ofFile.limits.sharedUnit);
  BOOST_TEST((defaults.policy == file.policy));
}

BOOST_DATA_TEST_CASE(bad_files_are_refused_with_place_and_reason, bdata::make(kBadFiles), bad) {
  BOOST_CHECK_EXCEPTION(Configuration::parse(bad.input, "p.toml"), InputError, says(bad.says));
}

BOOST_AUTO_TEST_CASE(a_missing_file_is_named) {
  BOOST_CHECK_EXCEPTION(Configuration::read("/nonexistent/p.toml"), InputError,
                        says("/nonexistent/p.toml: cannot read"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(sets)

BOOST_DATA_TEST_CASE(bad_sets_are_refused_with_what_would_be_right, bdata::make(kBadSets), bad) {
  BOOST_CHECK_EXCEPTION(gtx480({bad.input}).check(), InputError, says(bad.says));
}

BOOST_AUTO_TEST_CASE(changes_are_told_in_a_stable_order_and_only_when_they_change) {
  const auto changes =
      gtx480({"scratchpad.indexer=ami 33", "limits.warps=24", "limits.ctas=8"}).changes();
  BOOST_REQUIRE(changes.size() == 2U);
  BOOST_TEST(changes[0].name == "limits.warps");
  BOOST_TEST(changes[0].value == "24");
  BOOST_TEST(changes[1].name == "scratchpad.indexer");
  BOOST_TEST(changes[1].value == "ami 33");
}

BOOST_AUTO_TEST_CASE(an_indexer_names_its_own_bank_count) {
  Configuration configuration = gtx480({"scratchpad.indexer=ami 33"});
  configuration.check();
  BOOST_TEST(configuration.buildIndexer()->shape().banks == 33U);
  BOOST_TEST(configuration.parameters().scratchpad.banks == 33U);
}

BOOST_AUTO_TEST_CASE(a_bank_count_that_was_asked_for_is_not_overruled) {
  BOOST_CHECK_THROW(gtx480({"scratchpad.banks=32", "scratchpad.indexer=ami 33"}).check(),
                    InputError);
}

BOOST_AUTO_TEST_CASE(a_part_may_come_with_its_parameters) {
  Configuration configuration =
      gtx480({"l1.ways=2", "l1.bytes=16384", "l2.bytes=65536", "global.memory=caches",
              "instruction.mshrs=9", "instruction.bytes=2048"});
  configuration.check();
  BOOST_TEST(configuration.parameters().l1.shape.ways == 2U);
}

namespace {

/// Returns the message that refuses a platform file with assignments.
std::string refusal(const std::string& file, const std::vector<std::string>& sets) {
  return messageOf([&] { changed(Configuration::parse(file, "p.toml"), sets).check(); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(figures_of_a_part_that_the_file_does_not_have_are_refused_at_their_line) {
  const std::string file = "[l1]\nsets = \"ami 255\"\nways = 1\n";
  BOOST_TEST(begins(refusal(file, {}), "p.toml:2:8: l1.sets has no effect, for global.memory"));
  BOOST_TEST(refusal(file, {"global.memory=caches", "l1.bytes=32768", "l2.bytes=49152"}) == "none");
  BOOST_TEST(begins(refusal("[instruction]\nways = 4\n", {}), "p.toml:2:8: instruction.ways"));
}

// GPGPU-Sim gives the figures for one slice.
BOOST_AUTO_TEST_CASE(an_l2_has_its_queues_for_each_slice) {
  for (const char* name : {"gtx480-caches", "fermi-ami", "fermi-chip"}) {
    const auto p =
        Configuration::read(FERMATA_SOURCE_DIR "/platforms/" + std::string(name) + ".toml")
            .parameters();
    BOOST_TEST(p.l2.input == 64 * p.l2.slices, name);
    BOOST_TEST(p.l2.queue == 64 * p.l2.slices, name);
    BOOST_TEST(p.l2.mshrs == 256 * p.l2.slices, name);
  }
}

// No sizes of caches suit every platform: there is no default. sm_70 to sm_90 name those of their
// chips.
BOOST_AUTO_TEST_CASE(caches_without_sizes_are_refused) {
  const std::string wants = "expected l1.bytes and l2.bytes in the platform file or by --set";
  for (const PlatformEntry& entry : listPlatforms()) {
    Configuration configuration = Configuration::read(entry.path);
    if (configuration.parameters().globalMemory == GlobalMemory::Caches) {
      BOOST_CHECK_NO_THROW(configuration.check());
      continue;
    }
    configuration.apply("global.memory=caches");
    if (entry.name.rfind("sm_", 0) == 0) {
      BOOST_CHECK_NO_THROW(configuration.check());
      continue;
    }
    const std::string said = errorOf<InputError>([&] { configuration.check(); });
    BOOST_TEST(begins(said, "--set global.memory: global.memory = \"caches\""), said);
    BOOST_TEST((has(said, entry.name) && has(said, wants)), said);
    configuration.apply("l1.carveouts=");
    configuration.apply("l1.bytes=16384");
    configuration.apply("l1.ways=32");
    BOOST_CHECK_THROW(configuration.check(), InputError);
    configuration.apply("l2.bytes=65536");
    BOOST_CHECK_NO_THROW(configuration.check());
  }
  BOOST_TEST(begins(refusal("[global]\nmemory = \"caches\"\n", {}), "p.toml:2:10: "));
}

// A part can be taken away without taking its figures away.
BOOST_AUTO_TEST_CASE(figures_of_a_file_give_way) {
  const std::string file =
      "[global]\nmemory = \"caches\"\nlatency = 300\n[l1]\nbytes = 32768\nways = 2\n"
      "[l2]\nbytes = 49152\n"
      "[instruction]\nbytes = 2048\nmshrs = 9\n";
  BOOST_TEST(refusal(file, {}) == "none");
  BOOST_TEST(refusal(file, {"global.memory=flat", "instruction.bytes=0"}) == "none");
  BOOST_TEST(refusal(file, {"global.latency=200"}).find("--set global.latency: global.latency") ==
             0U);
  BOOST_TEST(begins(refusal(file, {"global.memory=flat", "l1.ways=1"}), "--set l1.ways"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(printed)

// The printed text is the file of a platform without the parts.
BOOST_AUTO_TEST_CASE(parts_that_are_taken_away_are_not_printed) {
  Configuration configuration =
      Configuration::read(FERMATA_SOURCE_DIR "/platforms/gtx480-caches.toml");
  configuration.apply("global.memory=flat");
  configuration.check();
  Configuration again = Configuration::parse(configuration.text(), "printed.toml");
  BOOST_CHECK_NO_THROW(again.check());
  BOOST_TEST(again.text() == configuration.text());
}

BOOST_AUTO_TEST_CASE(the_effective_configuration_reads_back) {
  Configuration configuration = gtx480(
      {"scratchpad.indexer=xor k1=0 k2=5 mask=31", "clock.frequency_mhz=1401.5", "verify=true"});
  configuration.check();
  const std::string text = configuration.text();
  const Configuration again = Configuration::parse(text, "printed.toml");
  BOOST_TEST(again.text() == text);
  BOOST_TEST(again.parameters().clock.frequencyMhz == 1401.5);
  BOOST_TEST(again.parameters().verify);
  BOOST_TEST(again.changes().empty());
}

BOOST_AUTO_TEST_CASE(texts_are_quoted) {
  const std::string file =
      "name = \"a \\\"b\\\" \\n c\"\ndescription = \"back\\\\slash\"\n"
      "[agu]\nlatency = { value = 3, source = \"a \\\"figure\\\"\" }\n";
  const Configuration once = Configuration::parse(file, "p.toml");
  BOOST_TEST(once.parameters().name == "a \"b\" \n c");
  BOOST_TEST(Configuration::parse(once.text(), "printed.toml").text() == once.text());
}

// An empty text from a program is valid. A file without a parameter is refused (run_files).
BOOST_AUTO_TEST_CASE(an_empty_text_is_the_default_platform) {
  BOOST_TEST(Configuration::parse("", "p.toml").parameters().scratchpad.indexer == "mod 32");
}

BOOST_AUTO_TEST_CASE(units_and_sources_are_shown) {
  const std::string text = gtx480().text();
  BOOST_TEST(has(text, "GPGPU-Sim"));
  BOOST_TEST(has(text, "# cycles: from the last pass of an access to the registers"));
}

BOOST_AUTO_TEST_SUITE_END()
