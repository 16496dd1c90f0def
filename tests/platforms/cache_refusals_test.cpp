// Impossible parameters of caches are refused, at the place that gave them.
#include <fermata/platforms/compose/parameters.h>

#include "tests/support/checked_simulation.h"
#include "tests/support/says.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

BOOST_AUTO_TEST_SUITE(refusals)

namespace {

const Refusal kRefused[] = {
    {"l1.sets=ami 257", "257 sets, the cache 256"},
    {"l1.mshrs=0", "l1.mshrs = 0; expected an integer from 1"},
    {"l1.indexer=ami 129", "129 banks; expected 1 to 128"},
    {"l1.indexer=ami 0", "l1.indexer"},
    {"scratchpad.indexer=ami 129", "129 banks"},
    {"l1.split=40/24", "l1.split"},
    {"l1.line_bytes=48", "power of two from 32"},
    {"l1.line_bytes=16", "power of two from 32"},
    {"l1.bytes=1000", "whole number of sets"},
    {"l1.write_policy=back", "expected evict, through or allocate"},
    {"l1.write_policy=allocate",
     "l1.write_policy = \"allocate\" with l1.fetch = \"line\": a line would hold some bytes alone; "
     "expected l1.fetch = \"sectors\""},
    {"l1.fetch=bytes", "l1.fetch"},
    {"l2.write_policy=allocate", "l2.write_policy = \"allocate\"; expected back or through"},
    {"l1.carveouts=0 16", "l1.carveouts = \"0 16\" with l1.array_bytes = 0; expected an array"},
    {"l1.divergence=wait", "expected l1.divergence"},
    {"l1.ways=3", "l1.bytes = 32768 is no whole number of sets of 3 lines"},
    {"l2.ways=7", "l2.bytes = 49152 is no whole number of sets of 7 lines"},
    {"l2.slices=3", "l2.mshrs = 256 does not divide among l2.slices = 3; expected a multiple of 3"},
    {"l2.slices=10",
     "l2.bytes = 49152 is no whole number of sets of 1 lines of 128 bytes in each of 10 slices; "
     "expected a multiple of 1280"},
    {"l2.slice_indexer=ami 2",
     "l2.slice_indexer = \"ami 2\": 'ami 2' maps lines onto 2 slices, the L2 has 1"},
    {"dram.channel_indexer=ami 2",
     "dram.channel_indexer = \"ami 2\": 'ami 2' maps blocks onto 2 channels, the DRAM has 6"},
    {"dram.channel_indexer=rot 2", "dram.channel_indexer = \"rot 2\": "},
    {"l2.slice_indexer=rot 2", "l2.slice_indexer = \"rot 2\": "},
    {"l2.partitions=3", "l2.partitions = 3; expected an integer from 1 to 2"},
    {"dram.bank_groups=64",
     "dram.bank_groups = 64 with dram.banks = 16; expected a power of two from 1 to banks"},
    {"dram.banks=2", "dram.bank_groups = 4 with dram.banks = 2; expected"},
    {"dram.banks=1", "dram.side_by_side = 2 with dram.banks = 1; expected"},
    {"dram.side_by_side=32", "dram.side_by_side = 32 with dram.banks = 16; expected"},
    {"dram.bank_bytes=8192", "dram.bank_bytes = 8192 with dram.row_bytes = 4096; expected"},
    {"dram.row_bytes=64", "dram.bank_bytes = 256 with dram.row_bytes = 64; expected"},
    {"dram.burst_bytes=1024",
     "dram.burst_bytes = 1024 with dram.channel_bytes = 256 and dram.bank_bytes = 256; expected a "
     "power of two, at most channel_bytes and bank_bytes"},
    {"dram.channel_bytes=32", "dram.burst_bytes = 64 with dram.channel_bytes = 32"},
    {"dram.ccd=0", "dram.ccd = 0; expected an integer from 1 to 10000"},
    {"dram.ccd=7", "dram.ccdl = 3 with dram.ccd = 7; expected at least ccd"},
    {"dram.rc=0", "dram.rc = 0 with dram.ras = 28; expected at least ras"},
    {"dram.ras=48", "dram.rc = 40 with dram.ras = 48; expected at least ras"},
    {"instruction.bytes=1000", "instruction.bytes = 1000 is no whole number of sets"},
    {"ami=S+31/200", "200 banks"},
    {"ami=0/32", "0 banks"},
    {"ami=62", "no '/'"},
    {"ami=S+62/x", "'x' is no count"},
};

}  // namespace

BOOST_DATA_TEST_CASE(bad_parameters_are_refused, bdata::make(kRefused), refused) {
  const std::string set = refused.input, place = "--set " + set.substr(0, set.find('='));
  BOOST_CHECK_EXCEPTION(platform("fermi-ami", {"l1.split=free", refused.input}), InputError,
                        beginsWith(place, refused.says));
}

namespace {

const Refusal kAgainstTheSplit[] = {
    {"scratchpad.bytes=49152",
     "--set scratchpad.bytes: scratchpad.bytes = 49152, but l1.split = \"32/32\" makes it 32768; "
     "expected the same, or l1.split = \"free\""},
    {"l1.bytes=16384", "--set l1.bytes: l1.bytes = 16384, but l1.split = \"32/32\" makes it 32768"},
};

void refuses(const Sets& sets, const std::string& reason) {
  BOOST_CHECK_EXCEPTION(platform("fermi-ami", sets), InputError, beginsWith(reason));
}

}  // namespace

BOOST_DATA_TEST_CASE(sizes_against_the_split_are_refused, bdata::make(kAgainstTheSplit), against) {
  refuses({against.input}, against.says);
}
BOOST_AUTO_TEST_CASE(sizes_against_a_split_that_is_set_are_refused) {
  refuses({"l1.split=48/16", "scratchpad.bytes=32768"},
          "--set scratchpad.bytes: scratchpad.bytes = 32768, but l1.split = \"48/16\"");
}
BOOST_AUTO_TEST_CASE(a_split_goes_over_the_sizes_of_the_file) {
  const auto p = platform("fermi-ami", {"l1.split=48/16", "l1.bytes=16384"}).parameters();
  BOOST_TEST(p.scratchpad.bytes == 49152U);
  BOOST_TEST(p.l1.shape.bytes == 16384U);
}
BOOST_AUTO_TEST_CASE(without_a_split_sizes_are_free) {
  const auto p = platform("fermi-ami", {"scratchpad.bytes=16384", "l1.split=free"}).parameters();
  BOOST_TEST(p.scratchpad.bytes == 16384U);
  BOOST_TEST(p.l1.shape.bytes == 32768U);
}

namespace {

const Refusal kRefusedFiles[] = {
    {"[dram]\nbank_groups = 64\n", "p.toml:4:15: dram.bank_groups = 64 with dram.banks = 16"},
    {"[dram]\nbanks = 2\n", "p.toml:4:9: dram.bank_groups = 4 with dram.banks = 2"},
    {"[dram]\nccd = 0\n", "p.toml:4:7: dram.ccd = 0"},
    {"[l1]\nsplit = \"48/16\"\nbytes = 32768\n",
     "p.toml:5:9: l1.bytes = 32768, but l1.split = \"48/16\" makes it 16384"},
    {"[l1]\nways = 3\n", "p.toml:4:8: l1.bytes = 32768 is no whole number"},
    {"[l1]\nsets = \"ami 257\"\n", "p.toml:4:8: l1.sets = \"ami 257\""},
    {"[l1]\nline_bytes = 48\n", "p.toml:4:14: l1.line_bytes = 48; expected"},
    {"[l1]\nline_bytes = 256\n[l2]\nadds_bytes = true\n",
     "p.toml:6:14: l2.adds_bytes = true with l1.line_bytes = 256; expected lines of 128 bytes"},
    {"[instruction]\nbytes = 2048\nline_bytes = 8\ninstruction_bytes = 16\n",
     "p.toml:5:14: instruction.line_bytes = 8, an instruction has 16 bytes"},
};

}  // namespace

BOOST_DATA_TEST_CASE(bad_files_are_refused_at_their_line, bdata::make(kRefusedFiles), refused) {
  const std::string text = std::string("[global]\nmemory = \"caches\"\n") + refused.input;
  BOOST_CHECK_EXCEPTION(Configuration::parse(text, "p.toml"), InputError, beginsWith(refused.says));
}

namespace {

Configuration withAmi(const std::string& first, const std::string& rest) {
  return Configuration::parse(first + "[global]\nmemory = \"caches\"\n" + rest, "p.toml");
}

struct AmiFile {
  const char* first;
  const char* rest;
  const char* reason;
};
std::ostream& operator<<(std::ostream& out, const AmiFile& file) {
  return out << file.first;
}
const AmiFile kAmiFiles[] = {
    {"ami = \"S+31/200\"\n", "", "p.toml:1:7: ami = \"S+31/200\": 200 banks; expected banks"},
    {"\nami = 62\n", "", "p.toml:2:7: ami has the wrong type; expected a text"},
    {"ami = \"62/48\"\n", "[l1]\nindexer = \"mod 32\"\n",
     "p.toml:5:11: l1.indexer = \"mod 32\", but ami = \"62/48\" makes it 'ami 48'; expected one"},
    {"ami = \"62/48\"\n", "[scratchpad]\nbanks = 32\n", "p.toml:5:9: scratchpad.banks = 32"},
};

}  // namespace

BOOST_DATA_TEST_CASE(a_bad_ami_of_a_file_is_refused_at_its_line, bdata::make(kAmiFiles), file) {
  BOOST_CHECK_EXCEPTION(withAmi(file.first, file.rest), InputError, beginsWith(file.reason));
}
BOOST_AUTO_TEST_CASE(a_file_may_have_ami) {
  const auto configuration = withAmi("ami = \"S+62/48\"\n", "[l1]\nsplit = \"48/16\"\n");
  const auto& p = configuration.parameters();
  BOOST_TEST(p.scratchpad.indexer == "ami 62");
  BOOST_TEST(p.l1.indexer == "ami 48");
  BOOST_TEST(p.l1.sets == "ami 127");
  const std::string text = configuration.text();
  BOOST_TEST(Configuration::parse(text, "printed.toml").text() == text);
}
BOOST_AUTO_TEST_CASE(what_ami_has_set_is_refused_as_ami) {
  refuses({"ami=S+62/48", "l1.split=48/16"}, "--set ami: l1.sets = \"ami 255\"");
}
BOOST_AUTO_TEST_CASE(ami_sets_are_those_of_the_split) {
  const auto p = platform("fermi-ami", {"l1.split=48/16", "ami=S+62/48"}).parameters();
  BOOST_TEST(p.l1.sets == "ami 127");
}

BOOST_AUTO_TEST_CASE(without_an_l1_there_is_no_ami) {
  BOOST_CHECK_THROW(platform("gtx480", {"ami=62/48"}), InputError);
}

BOOST_AUTO_TEST_CASE(ami_is_a_shorthand) {
  const auto p = platform("fermi-ami", {"ami=S+62/48"}).parameters();
  BOOST_TEST(p.scratchpad.indexer == "ami 62");
  BOOST_TEST(p.l1.indexer == "ami 48");
  BOOST_TEST(p.l1.sets == "ami 255");
  const auto plain = platform("fermi-ami", {"ami=33/32"}).parameters();
  BOOST_TEST(plain.l1.indexer == "mod 32");
  BOOST_TEST(plain.l1.sets == "");
}

BOOST_AUTO_TEST_SUITE_END()
