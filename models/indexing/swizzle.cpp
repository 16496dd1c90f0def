// swizzle and tma: the XOR swizzles of CUTLASS and of the tensor memory accelerator. They act on
// byte addresses: bits m to m+b-1 XOR the bits s above them (NVIDIA CUTLASS, cute/swizzle.hpp); the
// bank is the result modulo the banks. tma 32, 64 and 128 are b = 1, 2 and 3 with m = 4, s = 3
// (CUDA driver interface, CUtensorMapSwizzle): chunks of 16 bytes XOR the 128-byte rows that they
// lie in.
#include <fermata/models/indexing/configurable_cost.h>
#include <fermata/models/indexing/families.h>
#include <fermata/models/indexing/linear.h>

namespace fermata::indexing {
namespace {

constexpr std::uint32_t kAddressBits = 32;  ///< bits of a byte address

struct Swizzle {
  std::uint32_t bits = 0;   ///< b
  std::uint32_t base = 0;   ///< m
  std::uint32_t shift = 0;  ///< s
};

unsigned log2(std::uint32_t powerOfTwo) {
  unsigned bits = 0;
  while (std::uint32_t{1} << bits < powerOfTwo) ++bits;
  return bits;
}

/// A swizzle turns the words of a row of the banks among themselves. So a window that starts with a
/// row keeps its rows, and its banks may follow from the offsets in it.
class SwizzleIndexer final : public LinearIndexer {
 public:
  using LinearIndexer::LinearIndexer;

  bool countsFromWindow(std::uint32_t unit) const override { return unit % shape_.banks == 0; }
  void locateIn(std::uint32_t window, const Lanes& word, LaneMask active, Lanes& bank,
                Lanes& row) const override {
    Lanes offset;
    Lanes unused;
    for (unsigned i = 0; i < kWarpLanes; ++i) offset[i] = word[i] < window ? 0 : word[i] - window;
    locate(offset, active, bank, unused);
    locate(word, active, unused, row);
  }
};

/// Address bits beyond the memory are 0.
std::unique_ptr<Indexer> buildLinear(const Swizzle& swizzle, const Shape& shape, std::string text) {
  const unsigned k = bankBits(shape, "swizzle");
  const unsigned n = addressBits(shape, k);
  const unsigned first = swizzle.base - log2(shape.wordBytes);
  gf2::Matrix bank{n, {}};
  for (unsigned bit = 0; bit < k; ++bit) {
    std::uint32_t row = std::uint32_t{1} << bit;
    const unsigned source = bit + swizzle.shift;
    if (bit >= first && bit - first < swizzle.bits && source < n) row ^= std::uint32_t{1} << source;
    bank.rows.push_back(row);
  }
  return std::make_unique<SwizzleIndexer>(shape, std::move(bank), std::move(text),
                                          configurableCost());
}

std::unique_ptr<Indexer> buildSwizzle(Arguments& arguments, const Shape& shape) {
  Swizzle swizzle;
  swizzle.bits = arguments.numberOption("b", 0, kAddressBits - 1);
  swizzle.base = arguments.numberOption("m", 0, kAddressBits - 1 - swizzle.bits);
  swizzle.shift = arguments.numberOption("s", 0, kAddressBits - 1);
  arguments.expectNoMore();
  if (swizzle.shift < swizzle.bits) {
    throw IndexingError(
        "swizzle with b=" + std::to_string(swizzle.bits) +
            " and s=" + std::to_string(swizzle.shift) +
            ": bits would be XORed with bits that are XORed themselves; expected s of b or more",
        arguments.option("s").column);
  }
  if (std::uint32_t{1} << swizzle.base < shape.wordBytes) {
    throw IndexingError("swizzle with m=" + std::to_string(swizzle.base) + " splits the words of " +
                            std::to_string(shape.wordBytes) + " bytes; expected m of " +
                            std::to_string(log2(shape.wordBytes)) + " or more",
                        arguments.option("m").column);
  }
  return buildLinear(swizzle, shape,
                     "swizzle b=" + std::to_string(swizzle.bits) + " m=" +
                         std::to_string(swizzle.base) + " s=" + std::to_string(swizzle.shift));
}

std::unique_ptr<Indexer> buildTma(Arguments& arguments, const Shape& shape) {
  const Token mode = arguments.rest();
  const std::uint32_t bytes = arguments.number("mode", 32, 128);
  arguments.expectNoMore();
  if (bytes != 32 && bytes != 64 && bytes != 128)
    throw IndexingError("a mode of " + std::to_string(bytes) + " bytes; expected 32, 64 or 128",
                        mode.column);
  if (shape.wordBytes > 16) {
    throw IndexingError("tma moves chunks of 16 bytes, which would split the words of " +
                            std::to_string(shape.wordBytes) + " bytes",
                        mode.column);
  }
  return buildLinear({log2(bytes / 16), 4, 3}, shape, "tma " + std::to_string(bytes));
}

}  // namespace

extern const Family kSwizzle{
    "swizzle", "swizzle b=B m=M s=S (CuTe's Swizzle<B,M,S>, on byte addresses)",
    "swizzle b=3 m=4 s=3", "byte address bits M to M+B-1 XOR those S above, then modulo",
    buildSwizzle};
extern const Family kTma{"tma", "tma 32|64|128", "tma 128",
                         "the swizzle of a TMA mode: 16-byte chunks XOR 128-byte rows", buildTma};

}  // namespace fermata::indexing
