// fermata search of layouts, in the programmer's words: what is printed for the kernel is computed
// here on the layout itself, lane by lane, and has the conflicts that are printed beside it.
#include <functional>
#include <random>
#include <set>
#include <sstream>

#include "tests/support/csv_columns.h"
#include "tests/support/program.h"

using namespace fermata::test;

namespace {

constexpr std::uint64_t kBanks = 32;
constexpr std::uint64_t kWord = 4;

/// A layout of two modes or three, and the instruction that reads it.
struct Case {
  std::string platform;
  std::vector<std::uint64_t> shape;
  std::vector<std::uint64_t> stride;
  std::string atom;
  std::uint64_t bytes = 4;    ///< per lane
  std::uint64_t element = 4;  ///< bytes
  std::uint64_t rows = 0;     ///< of a matrix instruction's operand
  std::uint64_t depth = 0;

  std::string text() const {
    const auto tuple = [](const std::vector<std::uint64_t>& numbers) {
      std::string list;
      for (const std::uint64_t one : numbers)
        list += (list.empty() ? "(" : ",") + std::to_string(one);
      return list + ")";
    };
    return tuple(shape) + ":" + tuple(stride);
  }
  std::string command() const {
    return "search --platform " + platform + " --layout '" + text() + "' --atom " + atom +
           " --element " + std::to_string(element);
  }
  std::uint64_t size() const {
    std::uint64_t product = 1;
    for (const std::uint64_t one : shape) product *= one;
    return product;
  }
  std::uint64_t index(std::uint64_t i) const {
    std::uint64_t sum = 0;
    for (std::size_t mode = 0; mode < shape.size(); ++mode) {
      sum += i % shape[mode] * stride[mode];
      i /= shape[mode];
    }
    return sum;
  }
  /// Returns the index that each lane asks for, warp by warp.
  std::vector<std::uint64_t> indices() const {
    std::vector<std::uint64_t> all;
    if (rows == 0) {
      for (std::uint64_t i = 0; i < size(); ++i) all.push_back(index(i));
      return all;
    }
    const std::uint64_t chunk = bytes / element;
    for (std::uint64_t lane = 0; lane < 64; ++lane) {
      const std::uint64_t row = lane % rows;
      const std::uint64_t column = lane / rows * chunk;
      all.push_back(index(row + rows * column));
    }
    return all;
  }
  /// Words that a padding or a swizzle keeps whole.
  std::uint64_t unit() const { return std::max<std::uint64_t>(1, bytes / kWord); }
};

using Index = std::function<std::uint64_t(std::uint64_t)>;
using Bank = std::function<std::uint64_t(std::uint64_t)>;

/// Returns the passes beyond one of each lane group: 32 lanes of 32 bits, 16 of 64, 8 of 128.
std::uint64_t conflicts(const Case& one, const Index& index, const Bank& bank) {
  const std::uint64_t together = one.bytes <= 4 ? 32 : one.bytes == 8 ? 16 : 8;
  const std::vector<std::uint64_t> lanes = one.indices();
  std::uint64_t sum = 0;
  for (std::size_t first = 0; first < lanes.size(); first += together) {
    std::set<std::uint64_t> words;
    for (std::size_t lane = first; lane < std::min(first + together, lanes.size()); ++lane) {
      const std::uint64_t byte = index(lanes[lane]) * one.element;
      for (std::uint64_t k = 0; k < one.unit(); ++k) words.insert(byte / kWord + k);
    }
    std::map<std::uint64_t, std::uint64_t> load;
    std::uint64_t most = 0;
    for (const std::uint64_t word : words) most = std::max(most, ++load[bank(word)]);
    sum += most - 1;
  }
  return sum;
}

std::uint64_t asIs(std::uint64_t value) {
  return value;
}
std::uint64_t mod32(std::uint64_t word) {
  return word % kBanks;
}

Index padded(std::uint64_t row, std::uint64_t more) {
  return [=](std::uint64_t i) { return i + i / row * more; };
}

/// Returns the fewest conflicts of all paddings of the layout's strides that keep vectors whole.
std::uint64_t leastOfPaddings(const Case& one) {
  std::uint64_t least = conflicts(one, asIs, mod32);
  const std::uint64_t unit = one.unit() * kWord / one.element;  // in elements
  for (std::size_t mode = 0; mode < one.shape.size(); ++mode) {
    const std::uint64_t row = one.stride[mode];
    if (one.shape[mode] == 1 || row == 0 || row % unit != 0) continue;
    for (std::uint64_t more = unit; more < kBanks * kWord / one.element; more += unit)
      least = std::min(least, conflicts(one, padded(row, more), mod32));
  }
  return least;
}

/// Returns the layout with another leading dimension, as a programmer would declare it.
Case withLeadingDimension(Case one, std::uint64_t from, std::uint64_t to) {
  for (std::uint64_t& stride : one.stride) {
    if (stride >= from) stride = stride / from * to;
  }
  return one;
}

/// A row of the table "the best of each kind".
struct Kind {
  std::string mapping;
  std::uint64_t left = 0;
  std::string words;
};

std::map<std::string, Kind> kindsOf(const std::string& text) {
  std::map<std::string, Kind> kinds;
  std::vector<std::size_t> at;
  bool inside = false;
  for (const std::string& line : linesOf(text)) {
    if (begins(line, "where") && has(line, "  kind  ")) {
      inside = true;
    } else if (inside && begins(line, "----")) {
      for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '-' && (i == 0 || line[i - 1] == ' ')) at.push_back(i);
      }
    } else if (inside && line.size() > 8 && at.size() == 7) {
      const auto cell = [&](std::size_t column) {
        const std::size_t end = column + 1 < at.size() ? at[column + 1] : line.size();
        const std::string padded = line.substr(at[column], end - at[column]);
        const std::size_t first = padded.find_first_not_of(' ');
        return padded.substr(first, padded.find_last_not_of(' ') - first + 1);
      };
      const std::string kind = cell(1);
      if (kind != "XOR hash" && kind != "modulus" && kind != "swizzle" && kind != "padding") break;
      const bool kernel = kind == "swizzle" || kind == "padding";
      BOOST_TEST(cell(0) == (kernel ? "in the kernel" : "in hardware"));
      kinds[kind] = {cell(2), std::stoull(cell(3)), cell(6)};
    }
  }
  return kinds;
}

/// Returns the layout of 64 lanes that read `ways` elements of each row of 32.
std::string conflictLayout(unsigned ways) {
  return "'(" + std::to_string(ways) + "," + std::to_string(64 / ways) + "):(32,1)'";
}

Bank bankOf(const std::string& mapping) {
  unsigned banks = 0;
  if (std::sscanf(mapping.c_str(), "ami %u", &banks) == 1)
    return [banks](std::uint64_t word) { return word % banks; };
  BOOST_REQUIRE(begins(mapping, "matrix "));
  std::vector<std::uint64_t> rows;
  std::istringstream list(mapping.substr(7));
  for (std::string row; std::getline(list, row, ',');)
    rows.push_back(std::stoull(row, nullptr, 16));
  return [rows](std::uint64_t word) {
    std::uint64_t bank = 0;
    for (std::size_t bit = 0; bit < rows.size(); ++bit)
      bank |= std::uint64_t{__builtin_parityll(word & rows[bit]) != 0} << bit;
    return bank;
  };
}

/// Recounts what the words for the kernel leave.
std::uint64_t conflictsOfWords(const Case& one, const Kind& kind) {
  unsigned shift = 0;
  unsigned mask = 0;
  std::uint64_t row = 0;
  std::uint64_t more = 1;
  if (std::sscanf(kind.words.c_str(), "i ^ ((i >> %u) & %x)", &shift, &mask) == 2)
    return conflicts(
        one, [=](std::uint64_t i) { return i ^ (i >> shift & mask); }, mod32);
  if (std::sscanf(kind.words.c_str(), "leading dimension %lu", &more) == 1) {
    BOOST_REQUIRE(std::sscanf(kind.mapping.c_str(), "pad row=%lu", &row) == 1);
    return conflicts(withLeadingDimension(one, row * kWord / one.element, more), asIs, mod32);
  }
  BOOST_REQUIRE(std::sscanf(kind.words.c_str(), "i + i / %lu * %lu", &row, &more) >= 1);
  return conflicts(one, padded(row, more), mod32);
}

void checkKinds(const Case& one) {
  BOOST_TEST_CONTEXT(one.command()) {
    const std::string text = runProgram(one.command()).ok().text;
    const std::uint64_t before = conflicts(one, asIs, mod32);
    if (before == 0) return runProgram(one.command()).says("there is no conflict"), void();
    std::map<std::string, Kind> kinds = kindsOf(text);
    BOOST_REQUIRE_EQUAL(kinds.size(), 4U);
    for (const char* machine : {"XOR hash", "modulus"}) {
      const Kind& kind = kinds[machine];
      if (kind.mapping == "none better") continue;
      BOOST_TEST(conflicts(one, asIs, bankOf(kind.mapping)) == kind.left);
    }
    for (const char* kernel : {"swizzle", "padding"}) {
      const Kind& kind = kinds[kernel];
      BOOST_TEST((kind.mapping == "none better" ? before : conflictsOfWords(one, kind)) ==
                 kind.left);
    }
    BOOST_TEST(kinds["padding"].left == leastOfPaddings(one));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(search_words)

BOOST_AUTO_TEST_CASE(what_is_printed_has_the_conflicts_printed_beside_it) {
  const Case cases[] = {
      {"sm_80", {8, 4}, {64, 8}, "ldmatrix.x4", 16, 2},
      {"sm_80", {8, 4}, {32, 8}, "ldmatrix.x4", 16, 2},
      {"sm_80", {8, 2, 2}, {64, 8, 512}, "stmatrix.x2", 16, 2},
      {"sm_80", {32, 4}, {32, 1}, "ld.32", 4, 4},
      {"sm_80", {32, 2}, {64, 1}, "ld.16", 2, 2},
      {"sm_80", {32, 2}, {128, 1}, "st.8", 1, 1},
      {"sm_80", {32, 2}, {32, 1}, "atom.32", 4, 4},
      {"sm_80", {32, 2}, {16, 1}, "atom.64", 8, 8},
      {"sm_80", {8, 4}, {64, 8}, "cp.async.16", 16, 2},
      {"sm_80", {32, 2}, {33, 32}, "ld.32", 4, 4},
      {"sm_80", {4, 8}, {8, 160}, "ld.128", 16, 2},
      {"mi300", {32, 8}, {64, 1}, "mfma.32x32x8", 8, 2, 32, 8},
      {"mi300", {16, 16}, {32, 1}, "mfma.16x16x16", 8, 2, 16, 16},
      {"mi300", {32, 2}, {32, 1}, "mfma.32x32x2", 4, 4, 32, 2},
  };
  for (const Case& one : cases) checkKinds(one);
}

BOOST_AUTO_TEST_CASE(random_layouts_are_answered_rightly) {
  std::mt19937 random(9);
  const auto below = [&](std::uint64_t limit) { return random() % limit; };
  for (unsigned round = 0; round < 24; ++round) {
    const std::uint64_t bytes = std::uint64_t{2} << below(4);  // 2 to 16
    const std::uint64_t vector = bytes / 2;                    // elements of 2 bytes
    const std::uint64_t rows = std::uint64_t{4} << below(4);   // 4 to 32
    const std::uint64_t pitch = vector * (1 + below(40)) * (bytes == 2 ? 2 : 1);
    checkKinds({"sm_80",
                {rows, 32 / rows, 2},
                {pitch, vector, pitch * rows},
                "st." + std::to_string(8 * bytes),
                bytes,
                2});
  }
}

// Rows of 33 and 32 words: no larger stride is a multiple of the smaller, so that only an index can
// say the padding. The strides of a layout alone are padded: rows of 31 words are not looked at.
BOOST_AUTO_TEST_CASE(only_strides_of_the_layout_are_padded) {
  runProgram("search --layout '(32,2):(32,1)' --atom ld.32")
      .says("padding searched: 1 to 31 words behind the strides of the layout: rows of 32 words",
            "leading dimension 33, not 32\n  C       i + i / 32\n");
  runProgram("search --layout '(16,2,2):(64,32,48)' --atom ld.32 --class padding")
      .says("rows of 32, 48, 64 words", "  C       i + i / ")
      .lacks("leading dimension");
  runProgram("search --layout '(32):(65)' --atom ld.8 --element 1 --class padding,ami")
      .says("no padding: no stride of the layout is a row of whole words");
  // The rows of a kernel are not known.
  runProgram("search --platform gtx480 transpose --param tile=32 --class padding,xor --no-apply")
      .says("  rows of 32 elements: leading dimension 33\n  C       i + i / 32\n");
}

// A lane of a wide atom asks for all its bytes at once: they stay together without --vector.
BOOST_AUTO_TEST_CASE(vectors_of_an_atom_stay_whole) {
  const std::string search = "search --platform sm_80 --layout '(8,4):(64,8)' --element 2 ";
  runProgram(search + "--atom ldmatrix.x4 --class padding")
      .says("multiples of 4", "pad row=32 words=4");
  runProgram(search + "--atom ld.32 --class padding").says("pad row=32 words=1").lacks("multiples");
}

BOOST_AUTO_TEST_CASE(lanes_of_96_bits_have_the_groups_that_were_measured) {
  // Eight lanes of three words, 512 bytes apart: each group meets in three banks.
  const auto before = [](const std::string& platform) {
    return column(
               runProgram("search --layout 32:128 --atom ld.96 --class padding --csv --platform " +
                          platform)
                   .ok()
                   .text,
               "conflicts_before")
        .at(0);
  };
  BOOST_TEST(before("mi300") == "28");
  BOOST_TEST(before("rdna3") == "28");
  runProgram("search --layout 32:128 --atom ld.96 --platform mi350")
      .refused("--atom: ld.96 on a machine whose groups of 128 bits have 16 lanes");
}

// kzwrime/gpu_shm_microbench, table of the MI50 (GCN 5), ms: lane t reads element t % w * 32 + t /
// w, in many waves. A pass takes 87 ms of it. The groups of 128 bits are not eight lanes side by
// side: 8 and 16 ways would take 64 passes. Those of 64 bits are not the ones of Composable
// Kernel's debug script: 8 ways would take 16.
BOOST_AUTO_TEST_CASE(reads_of_an_mi50_take_the_passes_that_their_times_say) {
  const std::map<unsigned, std::vector<double>> times{
      {4, {186.33, 350.64, 699.11, 1394.66, 2784.43}},
      {8, {357.44, 668.62, 1339.57, 2690.85, 5359.26}},
      {16, {715.56, 1333.72, 2667.13, 2668.34, 2666.15}}};
  const auto passes = [](const std::string& platform, unsigned bytes, unsigned ways) {
    const std::string list = conflictLayout(ways) + " --atom ld." + std::to_string(8 * bytes) +
                             " --element " + std::to_string(bytes) +
                             " --class perm --csv --platform " + platform;
    return std::stoul(
               column(runProgram("search --layout " + list).ok().text, "conflicts_before").at(0)) +
           bytes / 2;  // a pass for each group of a wave64
  };
  for (const std::string platform : {"hawaii", "mi300"}) {
    for (const auto& [bytes, row] : times) {
      for (unsigned i = 0; i < row.size(); ++i) {
        BOOST_TEST_CONTEXT(platform << ", " << bytes << " bytes, " << (1U << i) << " ways") {
          const double measured = row[i] / 87;
          BOOST_TEST(std::abs(double(passes(platform, bytes, 1U << i)) / measured - 1) < 0.08);
        }
      }
    }
  }
  const std::string script =
      "mi300 --set 'crossbar.groups_64=0-3,12-15,20-27|32-35,44-47,52-59|4-11,16-19,28-31|"
      "36-43,48-51,60-63'";
  BOOST_TEST(passes("mi300", 8, 8) == 32U);
  BOOST_TEST(passes(script, 8, 8) == 16U);
}

BOOST_AUTO_TEST_CASE(no_layout_is_taken_for_data) {
  runProgram("search --layout '(4,8):(1,65)' --atom ld.8 --element 1").lacks("data-dependent");
}

BOOST_DATA_TEST_CASE(
    a_wrong_atom_is_refused,
    bdata::make(std::vector<std::string>{
        "--layout 8:8 --atom ld.24", "--layout 8:8 --atom cp.async.12",
        "--layout 8:8 --atom atom.128", "--layout '(32,8):(64,1)' --atom mfma.32x16x8 --element 2",
        "--layout '(32,8):(64,1)' --atom mfma.32x32x8x --element 2",
        "--layout '(32,4):(64,1)' --atom mfma.32x32x8 --element 2",
        "--layout '(32,8):(64,2)' --atom mfma.32x32x8 --element 2",
        "--layout '(32,8):(65,1)' --atom mfma.32x32x8 --element 2",
        "--layout '(16,2):(32,0)' --atom atom.32", "--layout 32:3 --atom ld.96"}) ^
        bdata::make(std::vector<std::string>{
            "unknown atom 'ld.24'; expected ld.8", "unknown atom 'cp.async.12'",
            "unknown atom 'atom.128'", "expected 16x16xK or 32x32xK",
            "unknown atom 'mfma.32x32x8x'", "128 elements; mfma.32x32x8 takes operands of 256",
            "element 32 does not lie 1 behind element 0; mfma.32x32x8 moves 4 neighbours",
            "element 1 lies at byte 130; mfma.32x32x8 takes multiples of 8",
            "layout '(16,2):(32,0)': two lanes update word 0 at once",
            "element 1 lies at byte 12; ld.96 takes multiples of 16"}),
    arguments, message) {
  runProgram("search " + arguments).refused(message);
}

BOOST_AUTO_TEST_SUITE_END()
