// AES against FIPS 197: the host's cipher, the tables and keys that it makes for the kernels,
// and the kernels.

#include <fermata/stimuli/launch/catalog.h>
#include "tests/cuda/reference_values.h"
#include "tests/cuda/shared_accesses.h"
#include "tests/support/test.h"

namespace {

using namespace fermata::test;
using Bytes = std::vector<std::uint8_t>;

Bytes bytes(const std::string& hexadecimal) {
  Bytes list;
  for (std::size_t i = 0; i < hexadecimal.size(); i += 2)
    list.push_back(static_cast<std::uint8_t>(std::stoul(hexadecimal.substr(i, 2), nullptr, 16)));
  return list;
}

/// A test vector; its name is the appendix of FIPS 197 that it comes from.
struct Vector {
  std::string appendix, key, plain, cipher;
};
std::ostream& operator<<(std::ostream& out, const Vector& vector) {
  return out << vector.appendix;
}

const std::vector<Vector> kVectors = {
    {"appendix-b", "2b7e151628aed2a6abf7158809cf4f3c", "3243f6a8885a308d313198a2e0370734",
     "3925841d02dc09fbdc118597196a0b32"},
    {"appendix-c1", "000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff",
     "69c4e0d86a7b0430d8cdb78070b4c55a"},
    {"appendix-c3", "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
     "00112233445566778899aabbccddeeff", "8ea2b7ca516745bfeafc49904b496089"},
};

ReferenceInput inputOf(const std::string& key, const Bytes& text) {
  return {{{"ctas", static_cast<std::int64_t>(text.size() / 1024)}},
          {{"key", bytes(key)}, {"text", text}}};
}

/// Returns the text of a CTA: the block of a vector, repeated between blocks of zeros.
Bytes textOf(const std::string& block) {
  Bytes text(1024);
  const Bytes one = bytes(block);
  for (std::size_t i = 0; i < text.size(); i += 48)
    std::copy(one.begin(), one.end(), text.begin() + static_cast<std::ptrdiff_t>(i));
  return text;
}

Bytes blockAt(const Bytes& text, std::size_t at) {
  return {text.begin() + static_cast<std::ptrdiff_t>(at),
          text.begin() + static_cast<std::ptrdiff_t>(at) + 16};
}

BOOST_AUTO_TEST_SUITE(aes)

BOOST_DATA_TEST_CASE(references_give_the_published_blocks, bdata::make(kVectors), vector) {
  const auto cipher = reference<std::uint8_t>("aes", inputOf(vector.key, textOf(vector.plain)));
  const auto plain = reference<std::uint8_t>("aesdec", inputOf(vector.key, textOf(vector.cipher)));
  BOOST_REQUIRE(cipher.size() == 1024U);
  BOOST_REQUIRE(plain.size() == 1024U);
  for (std::size_t at = 0; at < 1024; at += 48) {
    BOOST_TEST((blockAt(cipher, at) == bytes(vector.cipher)));
    BOOST_TEST((blockAt(plain, at) == bytes(vector.plain)));
  }
  BOOST_TEST((blockAt(cipher, 16) == blockAt(cipher, 32)));  // each block is encrypted by itself
  BOOST_TEST(
      (reference<std::uint8_t>("aesdec", inputOf(vector.key, cipher)) == textOf(vector.plain)));
}

BOOST_AUTO_TEST_CASE(the_host_expands_keys_and_makes_tables) {
  const ReferenceInput input = inputOf(kVectors[0].key, {});
  const auto keys = reference<std::uint8_t>("aes_round_keys", input);
  BOOST_REQUIRE(keys.size() == 176U);
  // Appendix A.1: words 0 to 3, 4 to 7, 40 to 43.
  BOOST_TEST((blockAt(keys, 0) == bytes("2b7e151628aed2a6abf7158809cf4f3c")));
  BOOST_TEST((blockAt(keys, 16) == bytes("a0fafe1788542cb123a339392a6c7605")));
  BOOST_TEST((blockAt(keys, 160) == bytes("d014f9a8c9ee2589e13f0cc8b6630ca6")));
  const auto inverse = reference<std::uint8_t>("aesdec_round_keys", input);
  BOOST_REQUIRE(inverse.size() == 176U);
  BOOST_TEST((blockAt(inverse, 0) == blockAt(keys, 160)));
  BOOST_TEST((blockAt(inverse, 160) == blockAt(keys, 0)));

  // Figure 7: the substitute of 0x53 is 0xed, that of 0 is 0x63.
  const auto tables = reference<std::uint8_t>("aes_tables", input);
  BOOST_REQUIRE(tables.size() == 4096U);
  BOOST_TEST((Bytes(tables.begin(), tables.begin() + 4) == bytes("c66363a5")));
  const auto column = [&](std::size_t table) {
    const auto at = tables.begin() + static_cast<std::ptrdiff_t>(table * 1024 + 0x53 * 4);
    return Bytes(at, at + 4);
  };
  BOOST_TEST((column(0) == bytes("c1eded2c")));
  BOOST_TEST((column(1) == bytes("2cc1eded")));
  BOOST_TEST((column(2) == bytes("ed2cc1ed")));
  BOOST_TEST((column(3) == bytes("eded2cc1")));
  const auto substitutes = reference<std::uint8_t>("aesdec_substitutes", input);
  BOOST_REQUIRE(substitutes.size() == 256U);
  BOOST_TEST(substitutes[0xed] == 0x53U);
  BOOST_TEST(substitutes[0x63] == 0U);
  const auto inverseTables = reference<std::uint8_t>("aesdec_tables", input);
  BOOST_REQUIRE(inverseTables.size() == 4096U);
  const auto one = inverseTables.begin() + 0x7c * 4;  // the inverse substitute of 0x7c is 1
  BOOST_TEST((Bytes(one, one + 4) == bytes("0e090d0b")));
}

BOOST_DATA_TEST_CASE(kernels_give_the_published_blocks, bdata::make(kVectors), vector) {
  for (const auto& [name, expected] :
       Parameters{{"aes", vector.cipher}, {"aesdec", vector.plain}}) {
    const auto workload =
        fermata::launch::openLaunch(name, {{"ctas", "1"}, {"key", vector.appendix}});
    workload->runFunctionally();
    BOOST_TEST((blockAt(workload->contents("text"), 0) ==
                bytes(name == "aes" ? vector.plain : vector.cipher)));
    BOOST_TEST((blockAt(workload->contents("out"), 0) == bytes(expected)), name);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
