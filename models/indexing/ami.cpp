#include <fermata/models/indexing/ami.h>

#include <fermata/models/indexing/families.h>

namespace fermata::indexing {
namespace {

template <typename Choice>
Choice choose(Arguments& arguments, std::string_view key, const std::string& expected,
              const std::vector<std::pair<std::string_view, Choice>>& choices) {
  const Token value = arguments.option(key);
  if (value.text.empty()) return choices.front().second;
  for (const auto& [name, choice] : choices) {
    if (value.text == name) return choice;
  }
  throw IndexingError(std::string(key) + "= has no such choice; expected " + expected,
                      value.column);
}

}  // namespace

AmiIndexer::AmiIndexer(const Shape& shape, AmiForm form, AmiCorner corner)
    : Indexer(shape),
      arithmetic_(shape.banks),
      reciprocal_(shape.banks, shape.words),
      form_(form),
      corner_(corner) {
  const std::uint32_t largest = reciprocal_.quotient(shape.words - 1);
  rows_ = largest + 1;
  if (corner == AmiCorner::Exact || arithmetic_.isPowerOfTwo()) return;
  const std::string modulus = std::to_string(shape.banks);
  if (!arithmetic_.hasNegativeRows()) {
    if (largest == 0) return;
    throw IndexingError("the uncorrected adder of " + modulus + " gives words 0 and " + modulus +
                        " the same bank 0, row 0; expected corner=exact, or a modulus whose "
                        "reciprocal has a -1 digit");
  }
  borrows_ = true;
  rowMask_ = 0;
  while (rowMask_ < largest) rowMask_ = rowMask_ << 1 | 1U;
  rows_ = rowMask_ + 1;
}

Location AmiIndexer::fold(const AmiResult& result) const {
  return {result.mod >= shape_.banks ? result.mod - shape_.banks : result.mod,
          result.div & rowMask_};
}

Location AmiIndexer::location(std::uint32_t word) const {
  if (form_ == AmiForm::Array) return fold(arithmetic_.array(word, corner_));
  if (form_ == AmiForm::Canonical) return fold(arithmetic_.expected(word, corner_));
  const std::uint32_t quotient = reciprocal_.quotient(word);
  const std::uint32_t bank = word - quotient * shape_.banks;
  const bool lower = borrows_ && bank >> arithmetic_.lowBits() == 0;
  return {bank, (quotient - (lower ? 1U : 0U)) & rowMask_};
}

void AmiIndexer::locate(const Lanes& word, LaneMask, Lanes& bank, Lanes& row) const {
  const std::uint32_t last = shape_.words - 1;
  if (form_ != AmiForm::Fast) {
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      const Location place = AmiIndexer::location(word[lane] < last ? word[lane] : last);
      bank[lane] = place.bank;
      row[lane] = place.row;
    }
    return;
  }
  kernels::divide(reciprocal_, last, word, bank, row);
  if (!borrows_) return;
  const std::uint32_t low = std::uint32_t{1} << arithmetic_.lowBits();
  for (unsigned lane = 0; lane < kWarpLanes; ++lane)
    row[lane] = (row[lane] - (bank[lane] < low ? 1U : 0U)) & rowMask_;
}

std::string AmiIndexer::text() const {
  std::string text = "ami " + std::to_string(shape_.banks);
  if (form_ == AmiForm::Array) text += " form=array";
  if (form_ == AmiForm::Canonical) text += " form=canonical";
  if (corner_ == AmiCorner::AllOnes) text += " corner=all-ones";
  return text;
}

Cost AmiIndexer::cost() const {
  if (arithmetic_.isPowerOfTwo()) return {"a power of two: wires only", 0, 0};
  return amiCost(
      arithmetic_,
      "Diamond et al., Arbitrary Modulus Indexing, MICRO 2014, section III.A: the array folds into "
      "base + offset in the same cycle; assumed so up to 24-bit digits, 1 cycle beyond");
}

namespace {

std::unique_ptr<Indexer> buildAmi(Arguments& arguments, const Shape& shape) {
  Shape own = shape;
  own.banks = arguments.number("modulus", 1, AmiArithmetic::kMaxModulus);
  const AmiForm form = choose<AmiForm>(
      arguments, "form", "fast, array or canonical",
      {{"fast", AmiForm::Fast}, {"array", AmiForm::Array}, {"canonical", AmiForm::Canonical}});
  const AmiCorner corner =
      choose<AmiCorner>(arguments, "corner", "exact or all-ones",
                        {{"exact", AmiCorner::Exact}, {"all-ones", AmiCorner::AllOnes}});
  arguments.expectNoMore();
  return std::make_unique<AmiIndexer>(own, form, corner);
}

}  // namespace

extern const Family kAmi{"ami", "ami M [form=fast|array|canonical] [corner=exact|all-ones]",
                         "ami 33", "DIV and MOD of any modulus of 1 to 4096", buildAmi};

}  // namespace fermata::indexing
