// ami_divmod.sv, simulated, against the model's mapping ami M, in both forms and over 32-bit
// addresses.
#include <fermata/models/rtl/block_catalog.h>

#include "tests/rtl/support.h"
#include "tests/support/test.h"

namespace fermata::rtl::test {
namespace {

const unsigned kModuli[] = {31, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
                            48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
const char* const kForms[] = {"", " form=array"};
constexpr indexing::Shape kWords{32, ~0U};
constexpr std::uint32_t kLast = kWords.words - 1;
constexpr std::uint64_t kExhaustive = 1 << 20;  ///< all words below this are tried

/// Draws words in equal parts: any words, words around multiples of the modulus (there the array's
/// sum is all ones), and words of a scratchpad's size.
class Words {
 public:
  explicit Words(std::uint32_t modulus) : modulus_(modulus), random_(modulus) {}

  std::uint32_t operator()() {
    const auto word = static_cast<std::uint32_t>(random_());
    const auto kind = static_cast<unsigned>(random_() % 4);
    const std::uint32_t multiple = word / modulus_ * modulus_;
    if (kind == 0) return std::min(multiple, kLast);
    if (kind == 1) return std::min(multiple + modulus_ - 1 - word % 2, kLast);
    return std::min(kind == 2 ? word % 65536 : word, kLast);
  }

 private:
  std::uint32_t modulus_;
  std::mt19937 random_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(ami_divmod)

BOOST_DATA_TEST_CASE(agrees_with_the_model, bdata::make(kModuli), modulus) {
  const std::string text = "ami " + std::to_string(modulus);
  const auto model = indexing::build(text, kWords);
  for (const char* form : kForms) {
    const auto block = makeMapBlock(*indexing::build(text + form, kWords));
    BOOST_TEST(firstDifference(*model, *block, Words(modulus)) == "");
    BOOST_TEST(firstDifference(*model, *block, kExhaustive) == "");
  }
}

BOOST_AUTO_TEST_CASE(agrees_with_the_model_for_powers_of_two) {
  for (unsigned banks = 1; banks <= 128; banks *= 2) {
    const auto model = indexing::build("mod " + std::to_string(banks), kWords);
    BOOST_TEST(firstDifference(*model, *makeMapBlock(*model), Words(banks)) == "");
    const auto ami = indexing::build("ami " + std::to_string(banks), kWords);
    BOOST_TEST(firstDifference(*model, *makeMapBlock(*ami), kExhaustive) == "");
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::rtl::test
