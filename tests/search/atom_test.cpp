// Atoms of layouts, and the strides that a padding may stand behind.
#include <fermata/models/search/atom.h>
#include <fermata/models/search/best_padding.h>
#include <fermata/models/search/search.h>
#include "tests/search/support.h"
#include "tests/support/says.h"

namespace fermata::search {
namespace {

using namespace test;

using indexing::IndexingError;

struct Named {
  const char* name;
  unsigned lanes, bytes, alignment;
  MemoryOperation operation;
};

/// A layout of random modes, and its numbers.
struct Random {
  std::vector<std::uint64_t> shape;
  std::vector<std::uint64_t> stride;
  Layout layout;

  explicit Random(std::mt19937& random) : layout(Layout::parse("1:1")) {
    std::string shapes;
    std::string strides;
    for (std::uint32_t mode = 0, modes = 1 + below(random, 3); mode < modes; ++mode) {
      shape.push_back(1 + below(random, 6));
      stride.push_back(below(random, 3) == 0 ? below(random, 40) : 8 * below(random, 9));
      shapes += (mode == 0 ? "(" : ",") + std::to_string(shape.back());
      strides += (mode == 0 ? "(" : ",") + std::to_string(stride.back());
    }
    layout = Layout::parse(shapes + "):" + strides + ")");
  }
  /// Offset of an element if strides of `row` and more are those of rows of `to` elements.
  std::uint64_t offset(std::uint64_t element, std::uint64_t row, std::uint64_t to) const {
    std::uint64_t sum = 0;
    for (std::size_t mode = 0; mode < shape.size(); ++mode) {
      const std::uint64_t own = stride[mode] < row ? stride[mode] : stride[mode] / row * to;
      sum += element % shape[mode] * own;
      element /= shape[mode];
    }
    return sum;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(atoms)

BOOST_AUTO_TEST_CASE(each_has_its_lanes_bytes_and_alignment) {
  constexpr auto kLoad = MemoryOperation::Load;
  constexpr auto kStore = MemoryOperation::Store;
  const Named all[] = {{"ld.8", 32, 1, 1, kLoad},
                       {"st.16", 32, 2, 2, kStore},
                       {"ld.96", 32, 12, 16, kLoad},
                       {"st.128", 32, 16, 16, kStore},
                       {"atom.32", 32, 4, 4, MemoryOperation::Atomic},
                       {"atom.64", 32, 8, 8, MemoryOperation::Atomic},
                       {"ldmatrix.x1", 8, 16, 16, kLoad},
                       {"stmatrix.x4", 32, 16, 16, kStore},
                       {"cp.async.8", 32, 8, 8, kStore},
                       {"mfma.32x32x8", 64, 8, 8, kLoad},
                       {"mfma.16x16x32", 64, 16, 16, kLoad},
                       {"wgmma.m64k16", 32, 16, 16, kLoad},
                       {"tcgen05.n256k16.mn", 32, 16, 16, kLoad},
                       {"tma", 32, 16, 16, kStore}};
  for (const Named& one : all) {
    BOOST_TEST_CONTEXT(one.name) {
      const Atom atom = parseAtom(one.name, 2);
      BOOST_TEST(atom.name == one.name);
      BOOST_TEST(atom.lanes == one.lanes);
      BOOST_TEST(atom.bytes == one.bytes);
      BOOST_TEST(atom.alignment == one.alignment);
      BOOST_TEST((atom.operation == one.operation));
    }
  }
  BOOST_TEST(parseAtom("mfma.32x32x16", 1).bytes == 8U);
  BOOST_TEST(parseAtom("mfma.16x16x4", 4).bytes == 4U);
  for (const char* wrong :
       {"ld.24", "mfma.8x8x8", "mfma.32x32x3", "mfma.16x16x3", "mfma.032x32x8", "mfma.32x32x128",
        "wgmma.m64k8", "wgmma.m128k16", "wgmma.n12k16", "wgmma.n264k16", "wgmma.n64k16.k",
        "wgmma.n064k16", "tcgen05.m32k16", "tma.128", "cp.async.32", "red", ""})
    BOOST_CHECK_THROW(parseAtom(wrong, 2), IndexingError);
}

// AMD Matrix Instruction Calculator, V_MFMA_F32_32X32X8_F16: lane 5 has A[5][0] to A[5][3], lane 37
// A[5][4] to A[5][7].
BOOST_AUTO_TEST_CASE(an_operand_is_read_by_64_lanes) {
  const Atom atom = parseAtom("mfma.32x32x8", 2);
  const auto accesses = layoutWords(Layout::parse("(32,8,2):(40,1,8)"), atom, 2, 4, 4096);
  BOOST_REQUIRE_EQUAL(accesses.size(), 4U);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    BOOST_TEST(accesses[0][lane] == lane * 20);
    BOOST_TEST(accesses[1][lane] == lane * 20 + 2);
    BOOST_TEST(accesses[2][lane] == lane * 20 + 4);
    BOOST_TEST(accesses[3][lane] == lane * 20 + 6);
  }
}

/// Conflicts of 8 lane groups of the atom's accesses.
std::uint64_t factorConflicts(const std::string& layout, const char* atom, const char* mapping) {
  const indexing::Shape shape{32, 8192};
  const auto accesses = layoutWords(Layout::parse(layout), parseAtom(atom, 2), 2, 4, shape.words);
  AccessSets sets;
  for (const auto& access : accesses) {
    for (std::size_t group = 0; group < access.size(); group += 8) {
      std::vector<std::uint32_t> words;
      for (std::size_t lane = group; lane < group + 8; ++lane) {
        for (std::uint32_t k = 0; k < 4; ++k) words.push_back(access[lane] + k);
      }
      addSet(sets, words);
    }
  }
  return conflictsOf(sets, mapping, shape);
}

// Rows of R bytes put the 8 rows of a core matrix into 128 / R of 8 places, each of 4 banks.
BOOST_AUTO_TEST_CASE(a_factor_is_read_without_conflicts_in_the_swizzle_of_its_rows) {
  struct Row {
    unsigned bytes;
    const char* mode;
  };
  for (const Row& row :
       {Row{16, "mod 32"}, Row{32, "tma 32"}, Row{64, "tma 64"}, Row{128, "tma 128"}}) {
    BOOST_TEST_CONTEXT(row.mode) {
      const std::string elements = std::to_string(row.bytes / 2);
      // Steps of 16 bytes along k: within a row, or a box of 64 rows further.
      const std::string layout =
          row.bytes == 16 ? "(64,(8,2)):(8,(1,512))" : "(64,16):(" + elements + ",1)";
      const std::uint64_t cores = 16;
      BOOST_TEST(factorConflicts(layout, "wgmma.m64k16", "mod 32") == cores * (row.bytes / 16 - 1));
      BOOST_TEST(factorConflicts(layout, "wgmma.m64k16", row.mode) == 0U);
    }
  }
  // Rows along n: 16 steps of k, 64 of n.
  BOOST_TEST(factorConflicts("(64,16):(1,64)", "wgmma.n64k16.mn", "mod 32") == 16U * 7);
  BOOST_TEST(factorConflicts("(64,16):(1,64)", "wgmma.n64k16.mn", "tma 128") == 0U);
  BOOST_TEST(factorConflicts("(64,64):(1,64)", "tma", "mod 32") == 0U);
  BOOST_TEST(factorConflicts("(64,64):(1,64)", "tma", "tma 128") == 0U);
}

// A warp reads two blocks of 8 rows, both halves of the 32 bytes.
BOOST_AUTO_TEST_CASE(a_factor_is_read_by_core_matrices) {
  const Atom atom = parseAtom("wgmma.m64k16", 2);
  const auto accesses = layoutWords(Layout::parse("(64,16):(64,1)"), atom, 2, 4, 4096);
  BOOST_REQUIRE(accesses.size() == 4U);
  for (std::uint32_t warp = 0; warp < 4; ++warp) {
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      const std::uint32_t row = 16 * warp + lane / 16 * 8 + lane % 8;
      BOOST_TEST(accesses[warp][lane] == row * 32 + lane / 8 % 2 * 4);
    }
  }
  BOOST_CHECK_THROW(layoutWords(Layout::parse("(64,16):(1,64)"), atom, 2, 4, 4096), IndexingError);
}

// Unused elements behind each row are another leading dimension exactly where leads() says so.
BOOST_AUTO_TEST_CASE(a_leading_dimension_is_one_that_rows_have) {
  std::mt19937 random(71);
  unsigned leading = 0;
  for (unsigned round = 0; round < 4000; ++round) {
    const Random one(random);
    const std::uint64_t together = 1 + below(random, 4);
    for (const std::uint64_t row : one.layout.strides()) {
      bool same = true;
      for (std::size_t mode = 0; mode < one.shape.size(); ++mode) {
        const std::uint64_t stride = one.stride[mode];
        same = same && (one.shape[mode] == 1 || stride < row || stride % row == 0);
      }
      for (std::uint64_t i = 0; same && i < one.layout.size(); ++i) {
        for (std::uint64_t k = 0; k < together; ++k) {
          const std::uint64_t at = one.layout.offset(i) + k;
          same = same && at + at / row * 3 == one.offset(i, row, row + 3) + k;
        }
      }
      BOOST_REQUIRE_EQUAL(one.layout.leads(row, together), same);
      leading += same ? 1 : 0;
    }
  }
  BOOST_TEST(leading > 500U);
}

BOOST_AUTO_TEST_CASE(of_given_rows_the_best_padding_is_found) {
  std::mt19937 random(72);
  const indexing::Shape shape{32, 4096};
  for (unsigned round = 0; round < 60; ++round) {
    const AccessSets sets = mix(random, 2048, 4);
    const std::vector<std::uint64_t> rows{1 + below(random, 64), 8 * (1 + below(random, 64)), 5000};
    const std::uint32_t unit = 1U << below(random, 3);
    PaddingOptions options;
    options.rows = rows;
    options.unit = unit;
    const BestPadding best = bestPadding(conflictCount({sets, shape}), shape, options);
    std::uint64_t least = conflictsOf(sets, "mod 32", shape);
    for (const std::uint64_t row : rows) {
      if (row < 2 || row % unit != 0 || row > 4096) continue;
      for (std::uint32_t words = unit; words < 32; words += unit)
        least = std::min(
            least,
            conflictsOf(sets, "pad row=" + std::to_string(row) + " words=" + std::to_string(words),
                        shape));
    }
    BOOST_REQUIRE_EQUAL(best.conflicts, least);
    BOOST_REQUIRE_EQUAL(conflictsOf(sets, best.text, shape), least);
    BOOST_TEST(best.complete);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::search
