// The portable and the fast lane loops give equal bits for every operation, type and mask.

#include <fermata/stimuli/ptx/lane_ops.h>
#include <fermata/stimuli/ptx/warp.h>

#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

/// A warp with a few rows of random values. Rows are wide; narrow operands use half of a row.
class Lanes {
 public:
  explicit Lanes(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    for (std::uint64_t& word : rows_) {
      word = random();
      // Mixes floats in range, zeros, subnormals and infinities with random bits.
      if (random() % 3 == 0)
        word = (random() % 4 == 0 ? 0x7f8000007f800000ULL : 0x3f8000003f800000ULL) ^
               (random() & 0x8000ffff8000ffffULL);
      if (random() % 7 == 0) word = random() & 0x0000003f0000003fULL;
    }
    warp_.base[0] = warp_.base[1] = reinterpret_cast<std::uint8_t*>(rows_.data());
    predicates_ = {kAllLanes, 0, static_cast<LaneMask>(random()), 0, 0};
    warp_.predicates = predicates_.data();
  }
  void run(Handler handler, const Instruction& i, LaneMask mask) { handler(warp_, i, mask); }
  bool operator==(const Lanes& other) const {
    return rows_ == other.rows_ && predicates_ == other.predicates_;
  }

 private:
  alignas(64) std::array<std::uint64_t, 6 * kWarpLanes> rows_;
  std::array<LaneMask, 5> predicates_;
  Warp warp_;
};

Instruction operands() {
  Instruction i;
  i.d = 0;
  i.a = kWideRowBytes;
  i.b = 2 * kWideRowBytes;
  i.c = 3 * kWideRowBytes;
  i.vector[0] = 4 * kWideRowBytes;
  i.offset = 0xca;
  i.p.number = 2;
  i.q.number = 1;
  i.pd = 3;
  i.qd = 4;
  return i;
}

unsigned compare(Handler portable, Handler fast, const Instruction& i, const std::string& name) {
  BOOST_TEST((portable == nullptr) == (fast == nullptr), name);
  if (portable == nullptr) return 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    for (const LaneMask mask :
         {kAllLanes, LaneMask{1}, LaneMask{0x80000000}, LaneMask{0x5a5a1234}}) {
      Lanes one(seed), two(seed);
      one.run(portable, i, mask);
      two.run(fast, i, mask);
      BOOST_TEST((one == two), name << " seed " << seed << " mask " << mask);
    }
  }
  return 1;
}

constexpr std::array<bool, 2> kBoth = {false, true};

}  // namespace

BOOST_AUTO_TEST_SUITE(lane_tables)

BOOST_AUTO_TEST_CASE(agree) {
  const LaneTable& portable = portableLaneTable();
  const LaneTable* fast = fastLaneTable();
  if (fast == nullptr) return;  // this processor or compiler has one table only
  unsigned handlers = 0;
  const Instruction i = operands();
  for (unsigned t = 0; t <= static_cast<unsigned>(Type::Pred); ++t) {
    const auto type = static_cast<Type>(t);
    const std::string name(nameOf(type));
    for (std::uint8_t flags = 0; flags < 4; ++flags) {
      for (const auto rows : {&LaneTable::integerForm, &LaneTable::floatForm}) {
        for (std::size_t k = 0; const Form* form = (portable.*rows)(k); ++k) {
          handlers += compare(form->handler(type, flags), (fast->*rows)(k)->handler(type, flags), i,
                              std::string(form->opcode) + " " + name);
        }
      }
    }
    for (const bool flush : kBoth) {
      for (unsigned c = 0; c <= static_cast<unsigned>(Compare::Nan); ++c) {
        for (unsigned r = 0; r < 3; ++r) {
          const auto relation = static_cast<Compare>(c);
          const auto result = static_cast<CompareResult>(r);
          handlers += compare(portable.compare(relation, result, type, flush),
                              fast->compare(relation, result, type, flush), i,
                              "compare " + std::to_string(c) + " " + name);
        }
      }
    }
    for (unsigned from = 0; from <= static_cast<unsigned>(Type::F64); ++from) {
      for (unsigned r = 0; r <= static_cast<unsigned>(Rounding::Up); ++r) {
        for (const bool saturate : kBoth) {
          const auto rounding = static_cast<Rounding>(r);
          handlers += compare(portable.convert(type, static_cast<Type>(from), rounding, saturate),
                              fast->convert(type, static_cast<Type>(from), rounding, saturate), i,
                              "convert to " + name);
        }
      }
    }
  }
  BOOST_TEST(handlers > 500U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
