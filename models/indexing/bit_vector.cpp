// perm: the bank is m consecutive address bits. xor: the bank is such a vector XORed with a masked
// second vector (van den Braak et al., IEEE TC 2016, sections 4.1 and 4.2). k and k1 are 0 to n-m,
// k2 is 0 to n-1, mask is 0 to 2^m-1. Bits of the second vector above the address are 0.
#include <fermata/models/indexing/configurable_cost.h>
#include <fermata/models/indexing/families.h>
#include <fermata/models/indexing/linear.h>

namespace fermata::indexing {
namespace {

std::unique_ptr<Indexer> buildBitVectorPermutation(Arguments& arguments, const Shape& shape) {
  const unsigned m = bankBits(shape, "perm");
  const unsigned n = addressBits(shape, m);
  const std::uint32_t k = arguments.numberOption("k", 0, n - m, bitCounts(n, m));
  arguments.expectNoMore();
  gf2::Matrix bank{n, {}};
  for (unsigned i = 0; i < m; ++i) bank.rows.push_back(std::uint32_t{1} << (k + i));
  return std::make_unique<LinearIndexer>(shape, std::move(bank), "perm k=" + std::to_string(k),
                                         configurableCost());
}

std::unique_ptr<Indexer> buildBitVectorXor(Arguments& arguments, const Shape& shape) {
  const unsigned m = bankBits(shape, "xor");
  const unsigned n = addressBits(shape, m);
  const std::uint32_t k1 = arguments.numberOption("k1", 0, n - m, bitCounts(n, m));
  const std::uint32_t k2 = arguments.numberOption("k2", 0, n == 0 ? 0 : n - 1, bitCounts(n, m));
  const std::uint32_t mask = arguments.numberOption("mask", 0, shape.banks - 1, bitCounts(n, m));
  arguments.expectNoMore();
  gf2::Matrix bank{n, {}};
  for (unsigned i = 0; i < m; ++i) {
    std::uint32_t row = std::uint32_t{1} << (k1 + i);
    if ((mask >> i & 1U) != 0 && k2 + i < n) row ^= std::uint32_t{1} << (k2 + i);
    bank.rows.push_back(row);
  }
  const std::string text = "xor k1=" + std::to_string(k1) + " k2=" + std::to_string(k2) +
                           " mask=" + std::to_string(mask);
  return std::make_unique<LinearIndexer>(shape, std::move(bank), text, configurableCost());
}

}  // namespace

extern const Family kBitVectorPermutation{
    "perm", "perm k=K", "perm k=3", "bank = m address bits from bit K", buildBitVectorPermutation};
extern const Family kBitVectorXor{"xor", "xor k1=A k2=B mask=C", "xor k1=0 k2=5 mask=31",
                                  "bank = bits from A, XOR the masked bits from B",
                                  buildBitVectorXor};

}  // namespace fermata::indexing
