// The software map of byte addresses, against the indexer's (bank, row), word by word.
#include <fermata/models/indexing/indexer.h>

#include "tests/software_hash/support.h"

namespace {

using namespace fermata::software_hash;
using namespace fermata::software_hash::test;

/// Checks that each word goes to the row and bank of the mapping.
void checkPlaces(const HashRequest& request) {
  const SoftwareHash hash(request);
  const auto indexer = fermata::indexing::build(request.text, {request.banks, request.words});
  for (std::uint32_t word = 0; word < request.words; ++word) {
    const auto place = indexer->location(word);
    BOOST_REQUIRE(hash.address(4 * word) == (place.row * request.banks + place.bank) * 4);
  }
}

BOOST_AUTO_TEST_SUITE(hash)

/// Two words share a bank exactly if they do under the mapping: the bank numbers here and there
/// correspond one to one. The bytes of a word stay together.
BOOST_DATA_TEST_CASE(puts_words_into_the_banks_of_the_mapping, bdata::make(kHashes), text) {
  const SoftwareHash hash(request(text));
  const auto indexer = fermata::indexing::build(text, {32, 12288});
  BOOST_TEST(hash.text() == indexer->text());
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  std::uint32_t wrong = 0;
  for (std::uint32_t word = 0; word < 12288; ++word) {
    const std::uint32_t address = hash.address(4 * word);
    pairs.emplace(indexer->location(word).bank, address / 4 % 32);
    for (std::uint32_t byte = 0; byte < 4; ++byte)
      wrong += hash.address(4 * word + byte) != address + byte ? 1 : 0;
  }
  BOOST_TEST(pairs.size() == 32U);
  BOOST_TEST(wrong == 0U);
}

BOOST_AUTO_TEST_CASE(puts_each_word_at_its_row_and_bank_where_that_is_cheapest) {
  for (const char* text : {"xor k1=0 k2=5 mask=7", "xor k1=0 k2=5 mask=31", "xor k1=0 k2=4 mask=14",
                           "xor k1=0 k2=1 mask=16", "xor k1=0 k2=2 mask=31", "fixed-xor"}) {
    checkPlaces(request(text));
  }
}

BOOST_DATA_TEST_CASE(keeps_addresses_outside_the_memory_apart, bdata::make(kHashes), text) {
  const SoftwareHash hash(request(text));
  std::set<std::uint32_t> seen;
  for (std::uint32_t byte = 0; byte < 1U << 18; byte += 4) seen.insert(hash.address(byte));
  BOOST_TEST(seen.size() == 1U << 16);
  BOOST_TEST(*seen.rbegin() == (1U << 18) - 4);
}

BOOST_DATA_TEST_CASE(says_how_large_a_window_grows, bdata::make(kHashes), text) {
  const SoftwareHash hash(request(text));
  BOOST_TEST(hash.windowBytes(0) == 0U);
  std::uint32_t largest = 0;
  std::uint32_t wrong = 0;
  for (std::uint32_t bytes = 1; bytes <= 9000; ++bytes) {
    largest = std::max(largest, hash.address((bytes - 1) / 4 * 4));
    wrong += hash.windowBytes(bytes) != std::max(bytes, largest + 4) ? 1 : 0;
  }
  BOOST_TEST(wrong == 0U);
}

BOOST_AUTO_TEST_CASE(suits_sixteen_banks_too) {
  HashRequest narrow = request("xor k1=0 k2=4 mask=15");
  narrow.banks = 16;
  narrow.words = 4096;
  checkPlaces(narrow);
}

/// Banks of 8 bytes: the mapping's words have 8 bytes, and their halves stay together.
BOOST_AUTO_TEST_CASE(suits_banks_of_eight_bytes_too) {
  for (const std::string& text : kHashes) {
    HashRequest wide = request(text);
    wide.words = 6144;
    wide.bankBytes = 8;
    const SoftwareHash hash(wide);
    const auto indexer = fermata::indexing::build(text, {32, 6144});
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    std::set<std::uint32_t> seen;
    for (std::uint32_t word = 0; word < 6144; ++word) {
      const std::uint32_t address = hash.address(8 * word);
      BOOST_REQUIRE(hash.address(8 * word + 4) == address + 4);
      pairs.emplace(indexer->location(word).bank, address / 8 % 32);
      seen.insert(address);
    }
    BOOST_TEST(pairs.size() == 32U, text);
    BOOST_TEST(seen.size() == 6144U, text);
  }
  HashRequest other = request("fixed-xor");
  other.bankBytes = 16;
  BOOST_TEST(has(errorOf([&] { SoftwareHash{other}; }), "words of 16 bytes; expected 4 or 8"));
}

BOOST_DATA_TEST_CASE(lets_multiples_of_a_unit_pass, bdata::make(kHashes), text) {
  const SoftwareHash hash(request(text));
  const auto unit = static_cast<std::uint32_t>(hash.passingUnit());
  std::uint32_t wrong = 0;
  std::uint32_t below = 0;  // failures of half the unit: it must not pass
  for (std::uint32_t byte = 0; byte < 8 * unit && byte < 1U << 20; byte += 4) {
    wrong += hash.address(byte + 3 * unit) != hash.address(byte) + 3 * unit ? 1 : 0;
    below += hash.address(byte + unit / 2) != hash.address(byte) + unit / 2 ? 1 : 0;
    wrong += (hash.address(byte) & ~hash.possibleBits(byte)) != 0 ? 1 : 0;
  }
  BOOST_TEST(wrong == 0U);
  BOOST_TEST(below > 0U);
}

BOOST_AUTO_TEST_CASE(knows_the_identity) {
  BOOST_TEST(SoftwareHash(request("xor k1=0 k2=7 mask=0")).isIdentity());
  BOOST_TEST(SoftwareHash(request("perm k=0")).isIdentity());
  BOOST_TEST(SoftwareHash(request("bits 3,4,0,1,2")).isIdentity());  // renumbered banks
  BOOST_TEST(!SoftwareHash(request("perm k=1")).isIdentity());
  BOOST_TEST(!SoftwareHash(request("xor k1=0 k2=5 mask=1")).isIdentity());
}

/// The paper's listing for lavaMD (section 7.2) computes only the bank: its banks must equal ours,
/// and bit 0 must not be lost.
BOOST_AUTO_TEST_CASE(has_the_banks_of_the_papers_listing) {
  const SoftwareHash hash(request("xor k1=1 k2=6 mask=3"));
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::uint32_t address = 0; address < 8192; ++address) {
    const std::uint32_t listing = (address >> 6 & 3) ^ address >> 1;
    pairs.emplace(listing % 32, hash.address(4 * address) / 4 % 32);
  }
  BOOST_TEST(pairs.size() == 32U);
  BOOST_TEST(hash.address(0) != hash.address(4));
  for (std::uint32_t a = 0; a < 32768; ++a) {
    BOOST_REQUIRE(hash.address(a) == (((a & ~132U) ^ (a >> 5 & 28)) | (a << 5 & 128)));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
