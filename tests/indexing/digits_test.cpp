// fixed-xor and add with digits, against a computation digit by digit.
#include <fermata/models/indexing/families.h>

#include "tests/indexing/support.h"

namespace fermata::indexing {
namespace {

std::string show(const std::string& family, unsigned digit) {
  return family + " digit=" + std::to_string(digit);
}

/// Returns digit i, of `digit` bits, of a word; 0 above the word's highest digit.
std::uint32_t digitOf(std::uint32_t word, unsigned i, unsigned digit) {
  std::uint32_t value = 0;
  for (unsigned b = 0; b < digit; ++b) {
    const unsigned bit = i * digit + b;
    if (bit < 32 && (word >> bit & 1) != 0) value += 1U << b;
  }
  return value;
}

Location hashed(const std::string& family, std::uint32_t word, unsigned bits, unsigned digit) {
  std::uint32_t bank = 0;
  std::uint32_t weight = 1;
  for (unsigned i = 0; i < bits / digit; ++i, weight <<= digit) {
    const std::uint32_t low = digitOf(word, i, digit);
    const std::uint32_t above = digitOf(word, i + 1, digit);
    bank += weight * (family == "add" ? (low + above) % (1U << digit) : low ^ above);
  }
  return {bank, word >> bits};
}

constexpr Shape kLocks{1024, 12288};

}  // namespace

BOOST_AUTO_TEST_SUITE(digits)

BOOST_AUTO_TEST_CASE(every_digit_of_every_bank_count) {
  for (const std::string family : {"fixed-xor", "add"}) {
    for (unsigned bits = 1; bits <= 12; ++bits) {
      for (unsigned digit = 1; digit <= bits; ++digit) {
        if (bits % digit != 0) continue;
        for (const std::uint32_t words : {12288U, 4096U, 100U, 1U, 65536U}) {
          const auto indexer = build(show(family, digit), {1U << bits, words});
          const auto oracle = [&](std::uint32_t word) { return hashed(family, word, bits, digit); };
          test::checkPlaces(*indexer, words, oracle);
          if (words >= 1U << bits) test::checkInjective(*indexer);
        }
      }
    }
  }
}

// Table I of the paper, in bits of the byte address: each bank has 32 of the 1024 locks.
BOOST_AUTO_TEST_CASE(digits_of_five_bits_are_the_locks_of_table_1) {
  const auto bits = [](std::uint32_t byte, unsigned high, unsigned low) {
    return byte >> low & ((1U << (high - low + 1)) - 1);
  };
  const auto lockXor = build("fixed-xor digit=5", {1024, 12288});
  const auto bankXor = build("fixed-xor", {32, 12288});
  const auto lockAdd = build("add digit=5", {1024, 12288});
  const auto bankAdd = build("add", {32, 12288});
  for (std::uint32_t byte = 0; byte < 49152; byte += 4) {
    const std::uint32_t low = bits(byte, 6, 2), middle = bits(byte, 11, 7);
    const std::uint32_t high = bits(byte, 15, 12);
    BOOST_REQUIRE_EQUAL(bankXor->location(byte / 4).bank, low ^ middle);
    BOOST_REQUIRE_EQUAL(lockXor->location(byte / 4).bank, (low ^ middle) + 32 * (middle ^ high));
    BOOST_REQUIRE_EQUAL(bankAdd->location(byte / 4).bank, (low + middle) % 32);
    BOOST_REQUIRE_EQUAL(lockAdd->location(byte / 4).bank,
                        (low + middle) % 32 + 32 * ((middle + high) % 32));
  }
}

BOOST_AUTO_TEST_CASE(texts_read_back) {
  for (const std::string family : {"fixed-xor", "add"}) {
    for (const unsigned digit : {1U, 2U, 5U}) {
      const std::string text =
          build(family + "  digit=0x" + std::to_string(digit), {1024, 12288})->text();
      BOOST_TEST(text == show(family, digit));
      BOOST_TEST(build(text, {1024, 12288})->text() == text);
    }
    BOOST_TEST(build(show(family, 10), {1024, 12288})->text() == family);  // one digit: none named
    BOOST_TEST(build(show(family, 1), {2, 64})->text() == family);
  }
}

BOOST_AUTO_TEST_CASE(digits_that_do_not_fit_are_refused) {
  test::checkRefusals(
      {
          {"fixed-xor digit=0", "digit '0' is out of range; expected 1 to 10", 17, kLocks},
          {"add digit=0", "expected 1 to 10", 11, kLocks},
          {"fixed-xor digit=3",
           "10 bank bits are no whole number of digits of 3; expected a divisor", 17, kLocks},
          {"add digit=3", "10 bank bits are no whole number of digits of 3; expected a divisor", 11,
           kLocks},
          {"add digit=4", "expected a divisor", 11, kLocks},
          {"add digit=11", "expected 1 to 10", 11, kLocks},
          {"fixed-xor digit=", "digit has no value", 17, kLocks},
          {"add digit=x", "'x' is not a number", 11, kLocks},
          {"add digit=5 digit=5", "digit is given twice", 13, kLocks},
          {"add digit=5 6", "'6' is not understood", 13, kLocks},
          {"add digit=5", "1000 banks: its bank number is made of bits", 0, {1000, 12288}},
          {"add digit=2", "expected 1 to 1", 11, {2, 12288}},
      },
      test::buildBad);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::indexing
