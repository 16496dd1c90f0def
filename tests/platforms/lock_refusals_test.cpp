// Impossible parameters of locks are refused, at the place that gave them.
#include <fermata/platforms/compose/parameters.h>

#include "tests/platforms/changes.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

const Changes kRefused[] = {
    {"lock.locks=0", "--set lock.locks = 0; expected an integer from 1"},
    {"lock.locks=1000; lock.indexer=fixed-xor",
     "--set lock.indexer: lock.indexer = \"fixed-xor\": fixed-xor on 1000 banks: its bank number "
     "is made of bits; expected a power of two"},
    {"lock.locks=1000",
     "--set lock.locks: lock.locks = 1000 but the indexer 'mod 1024' maps onto 1024 locks; "
     "expected an indexer for 1000 locks, for instance lock.indexer='ami 1000'"},
    {"lock.locks=1024; lock.indexer=mod 512",
     "--set lock.locks: lock.locks = 1024 but the indexer 'mod 512' maps onto 512 locks"},
    {"lock.indexer=bits 0,1,2,3,4,5,6,7,8,14",
     "--set lock.indexer: lock.indexer = \"bits 0,1,2,3,4,5,6,7,8,14\" (column 24): "},
    {"scratchpad.bytes=16384; lock.indexer=pairs 0,1,2,3,4,5,6,7,8,9^13",
     "--set lock.indexer: lock.indexer = \"pairs 0,1,2,3,4,5,6,7,8,9^13\" (column 27): "},
    {"scratchpad.bytes=16384; scratchpad.indexer=pairs 0,1,2,3,4^13",
     "--set scratchpad.indexer: scratchpad.indexer = \"pairs 0,1,2,3,4^13\" (column 17): "},
    {"lock.indexer=add digit=3",
     "--set lock.indexer: lock.indexer = \"add digit=3\" (column 11): 10 bank bits are no whole "},
    {"lock.indexer=modulo 1024",
     "--set lock.indexer: lock.indexer = \"modulo 1024\" (column 1): no mapping has the name"},
    {"lock.winner=oldest", "--set lock.winner = \"oldest\"; expected one of lowest|highest"},
    {"scratchpad.atomics=lock",
     "--set scratchpad.atomics = \"lock\"; expected one of load|locked|native"},
    {"lock.read_latency=-1", "--set lock.read_latency = -1; expected"},
    {"atomics.hash=foo",
     "--set atomics.hash: atomics.hash = \"foo\"; expected one of baseline|xor|add"},
    {"lock.indexer=mod 512; lock.locks=512; atomics.hash=xor",
     "--set atomics.hash: atomics.hash = \"xor\": the hashes are those of 32 banks with 32 locks "
     "each"},
    {"scratchpad.atomics=native; lock.locks=512",
     "--set lock.locks: lock.locks has no effect, for scratchpad.atomics is not locked; expected "
     "scratchpad.atomics = \"locked\""},
    {"sms=257", "--set chip.sms = 257; expected"},
    {"lock.winner=highest",
     "--set lock.winner: lock.winner has no effect, for scratchpad.atomics is not locked; expected "
     "scratchpad.atomics = \"locked\"",
     "gtx480"},
    {"atomics.hash=add", "--set atomics.hash: atomics.hash = \"add\": the hashes are", "gtx480"},
};

const std::string kLocked = "[scratchpad]\natomics = \"locked\"\n[lock]\n";
const Refusal kFiles[] = {
    {kLocked + "locks = 1024\nindexer = \"mod 512\"\n",
     "p.toml:4:9: lock.locks = 1024 but the indexer 'mod 512' maps onto 512 locks"},
    {kLocked + "locks = 0\n", "p.toml:4:9: lock.locks = 0; expected an integer from 1"},
    {kLocked + "locks = 1000\nindexer = \"fixed-xor\"\n",
     "p.toml:5:11: lock.indexer = \"fixed-xor\": fixed-xor on 1000 banks: its bank number is "
     "made of bits; expected a power of two"},
    {kLocked + "indexer = \"bits 0,1,2,3,4,5,6,7,8,14\"\n",
     "p.toml:4:11: lock.indexer = \"bits 0,1,2,3,4,5,6,7,8,14\" (column 24): "},
    {kLocked + "winner = \"oldest\"\n",
     "p.toml:4:10: lock.winner = \"oldest\"; expected one of lowest|highest"},
    {kLocked + "bits = 5\n",
     "p.toml:4:1: unknown parameter 'lock.bits'; expected one of lock.locks"},
    {"[scratchpad]\natomics = \"locks\"\n",
     "p.toml:2:11: scratchpad.atomics = \"locks\"; expected one of"},
    {"[lock]\nlocks = 512\n",
     "p.toml:2:9: lock.locks has no effect, for scratchpad.atomics is not locked"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(lock_refusals)

BOOST_DATA_TEST_CASE(of_what_is_set, bdata::make(kRefused), refused) {
  refused.checkRefused("gtx580-atomics");
}

BOOST_DATA_TEST_CASE(of_files, bdata::make(kFiles), file) {
  BOOST_CHECK_EXCEPTION(Configuration::parse(file.input, "p.toml").check(), InputError,
                        beginsWith(file.says));
}

// `--set` overrides the file in either order, and the name of a hash stands for its mapping.
BOOST_AUTO_TEST_CASE(what_fits_is_taken) {
  const auto with = [](const Sets& sets) { return platform("gtx580-atomics", sets); };
  BOOST_TEST(with({"lock.indexer=mod 512"}).parameters().lock.locks == 512U);
  BOOST_TEST(with({"lock.indexer=ami 1000", "lock.locks=1000"}).parameters().lock.locks == 1000U);
  BOOST_TEST(with({"lock.indexer=mod 1"}).buildLocks()->shape().banks == 1U);
  for (const std::string hash : {"xor", "add"}) {
    const auto p = with({"atomics.hash=" + hash}).parameters();
    const std::string family = hash == "xor" ? "fixed-xor" : "add";
    BOOST_TEST(p.scratchpad.indexer == family);
    BOOST_TEST(p.lock.indexer == family + " digit=5");
  }
  const auto back = with({"atomics.hash=xor", "atomics.hash=baseline"});
  BOOST_TEST(back.parameters().scratchpad.indexer == "mod 32");
  BOOST_TEST(back.parameters().lock.indexer == "mod 1024");
  BOOST_TEST(back.changes().empty());
  BOOST_TEST(with({"sms=16"}).parameters().sms == 16U);
  // The printed text reads back, including locks.
  const auto hashed = with({"atomics.hash=add", "lock.winner=highest"});
  const auto again = Configuration::parse(hashed.text(), "again.toml");
  BOOST_TEST(again.parameters().lock.indexer == "add digit=5");
  BOOST_TEST((again.parameters().lock.unit.winner == LockWinner::Highest));
  // A platform without locks can get them.
  const auto locked = gtx480({"scratchpad.atomics=locked", "atomics.hash=xor"});
  BOOST_TEST(locked.buildLocks()->text() == "fixed-xor digit=5");
}

BOOST_AUTO_TEST_SUITE_END()
