// tcgen05: allocation, loads and stores of every shape, copies from shared memory, shifts. Where a
// register lies is written down as CuTe's layouts are: strides of the bits of thread and register.
#include <random>

#include "tests/ptx/tensor_memory.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

/// A shape: an access of `x1` registers and `lanes` lanes of `bits` bits.
struct Shape {
  const char* name;
  unsigned x1, lanes, bits;
};
const Shape kShapes[] = {{"32x32b", 1, 32, 32},
                         {"16x64b", 1, 16, 64},
                         {"16x128b", 2, 16, 128},
                         {"16x256b", 4, 16, 256},
                         {"16x32bx2", 1, 16, 32}};
std::ostream& operator<<(std::ostream& out, const Shape& shape) {
  return out << shape.name;
}

struct Bit {
  unsigned lane, column;  ///< column of 32 bits, counted from the address
};
/// Returns where a register begins, of a shape with `width` bits per lane in all.
Bit placeOf(const Shape& shape, unsigned width, unsigned thread, unsigned reg, unsigned split) {
  const std::string name = shape.name;
  if (name == "32x32b") return {thread, reg};
  if (name == "16x32bx2") return {thread % 16, reg + (thread < 16 ? 0 : split)};
  unsigned bit = 0;
  if (name == "16x64b")
    bit = thread % 2 * 8 * width + thread / 2 % 2 * 32 + thread / 4 * width + reg * 64;
  if (name == "16x128b")
    bit = thread % 4 * 32 + thread / 4 * width + reg % 2 * 8 * width + reg / 2 * 128;
  if (name == "16x256b")
    bit = thread % 4 * 64 + thread / 4 * width + reg % 2 * 32 + reg / 2 % 2 * 8 * width +
          reg / 4 * 256;
  return {bit / width, bit % width / 32};
}

TensorWords randomWords(unsigned seed) {
  TensorWords words;
  std::mt19937 random(seed);
  for (std::uint32_t& word : words.words) word = random();
  return words;
}

std::string registers(unsigned first, unsigned count) {
  std::string text = "{";
  for (unsigned k = 0; k < count; ++k) text += (k == 0 ? "%v" : ", %v") + std::to_string(first + k);
  return text + "}";
}

struct Access {
  Shape shape;
  unsigned times, column, lane, split;
  bool packs;
  unsigned count() const { return shape.x1 * times; }
  std::string opcode(bool load) const {
    return std::string(load ? "tcgen05.ld" : "tcgen05.st") + ".sync.aligned." + shape.name + ".x" +
           std::to_string(times) +
           (!packs ? ""
            : load ? ".pack::16b"
                   : ".unpack::16b") +
           ".b32 ";
  }
  /// Returns the operands behind the registers: address and split.
  std::string address() const { return "[%r20+" + std::to_string(column) + "]"; }
  std::string tail() const {
    return std::string(shape.name) == "16x32bx2" ? ", " + std::to_string(split) : "";
  }
  std::string base() const { return "add.u32 %r20, %r7, " + std::to_string(lane << 16U) + "; "; }
  /// Calls visit(thread, register, lane, column) for each register; with packs, the column is the
  /// first of two.
  template <class Visit>
  void each(Visit visit) const {
    for (unsigned thread = 0; thread < 128; ++thread) {
      for (unsigned reg = 0; reg < count(); ++reg) {
        Bit at = placeOf(shape, shape.bits * times, thread % 32, reg, packs ? 0 : split);
        unsigned to = packs ? 2 * at.column : at.column;
        if (packs && !tail().empty() && thread % 32 >= 16) to += split;
        visit(thread, reg, thread / 32 * 32 + lane + at.lane, column + to);
      }
    }
  }
};

void checkLoad(const Access& access) {
  TensorWords words = randomWords(3);
  std::string text = access.base() + access.opcode(true) + registers(0, access.count()) + ", " +
                     access.address() + access.tail() +
                     "; tcgen05.wait::ld.sync.aligned; mad.wide.u32 %rd2, %r90, 4, %rd91; ";
  for (unsigned k = 0; k < access.count(); ++k)
    text += "st.global.b32 [%rd2+" + std::to_string(512 * k) + "], %v" + std::to_string(k) + "; ";
  const auto out = runOnTensorMemory(text, {}, words, false, 128 * access.count());
  unsigned wrong = 0;
  access.each([&](unsigned thread, unsigned reg, unsigned lane, unsigned column) {
    const std::uint32_t wanted =
        !access.packs ? words.at(lane, column)
                      : (words.at(lane, column) & 0xffffU) | words.at(lane, column + 1) << 16;
    wrong += out[128 * reg + thread] != wanted ? 1 : 0;
  });
  BOOST_TEST(wrong == 0U);
}

void checkStore(const Access& access) {
  TensorWords words = randomWords(5), expected = words;
  // Register k of thread t holds 1000003 t + 7919 k.
  std::string text = access.base();
  for (unsigned k = 0; k < access.count(); ++k)
    text +=
        "mad.lo.u32 %v" + std::to_string(k) + ", %r90, 1000003, " + std::to_string(7919 * k) + "; ";
  const std::string tail = access.tail().empty() ? "" : access.tail().substr(2) + ", ";
  text += access.opcode(false) + access.address() + ", " + tail + registers(0, access.count()) +
          "; tcgen05.wait::st.sync.aligned; ";
  access.each([&](unsigned thread, unsigned reg, unsigned lane, unsigned column) {
    const std::uint32_t value = 1000003 * thread + 7919 * reg;
    expected.at(lane, column) = access.packs ? value & 0xffffU : value;
    if (access.packs) expected.at(lane, column + 1) = value >> 16;
  });
  runOnTensorMemory(text, {}, words, true);
  BOOST_TEST((words.words == expected.words));
}

/// Returns what happens when `action` is run with 64 columns.
std::string errorIn(const std::string& action) {
  return errorOf([&] {
    TensorWords words;
    runOnTensorMemory(action, std::vector<std::uint8_t>(16384), words, false, 1, 64);
  });
}

struct Copy {
  const char* shape;
  unsigned rows, chunks;
  std::vector<unsigned> quarters;  ///< the 32 rows that each quarter of the lanes gets
};

}  // namespace

BOOST_AUTO_TEST_SUITE(tensor_memory)

BOOST_DATA_TEST_CASE(every_shape_loads_and_stores, boost::unit_test::data::make(kShapes), shape) {
  for (unsigned times = 1; shape.x1 * times <= 128; times *= 2) {
    for (const bool packs : {false, true}) {
      const unsigned columns = shape.bits * times / 32 * (packs ? 2 : 1);
      if (columns > 240) continue;
      BOOST_TEST_CONTEXT(".x" << times << (packs ? " packed" : "")) {
        const Access access{shape,         times,
                            3 * times % 7, shape.lanes == 16 && times % 4 == 1 ? 16U : 0U,
                            columns + 2,   packs};
        checkLoad(access);
        checkStore(access);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(copies_come_from_shared_memory) {
  const Copy copies[] = {{"128x256b", 128, 2, {0, 1, 2, 3}},
                         {"128x128b", 128, 1, {0, 1, 2, 3}},
                         {"64x128b.warpx2::02_13", 64, 1, {0, 1, 0, 1}},
                         {"64x128b.warpx2::01_23", 64, 1, {0, 0, 1, 1}},
                         {"32x128b.warpx4", 32, 1, {0, 0, 0, 0}}};
  std::vector<std::uint8_t> window(16384);
  std::mt19937 random(11);
  for (auto& byte : window) byte = static_cast<std::uint8_t>(random());
  const auto wordAt = [&](unsigned address) {
    std::uint32_t word = 0;
    std::memcpy(&word, &window[address], 4);
    return word;
  };
  for (const Copy& copy : copies) {
    BOOST_TEST_CONTEXT(copy.shape) {
      // Without a swizzle: 8 rows of 16 bytes, then the next 8 rows, 272 bytes on; then the others.
      const std::uint64_t descriptor = 1024 / 16 | std::uint64_t{128 / 16} << 16 |
                                       std::uint64_t{272 / 16} << 32 | std::uint64_t{1} << 46;
      TensorWords words = randomWords(13), expected = words;
      for (unsigned lane = 0; lane < 128; ++lane) {
        const unsigned row = copy.quarters[lane / 32] * 32 + lane % 32;
        for (unsigned w = 0; w < 4 * copy.chunks; ++w)
          expected.at(lane, 5 + w) =
              wordAt(1024 + row / 8 * 272 + row % 8 * 16 + w / 4 * 128 + w % 4 * 4);
      }
      runOnTensorMemory(byOneThread("mov.b64 %rd1, " + std::to_string(descriptor) +
                                    "; tcgen05.cp.cta_group::1." + copy.shape + " [%r6+5], %rd1; "),
                        window, words, true);
      BOOST_TEST((words.words == expected.words));
    }
  }
}

BOOST_AUTO_TEST_CASE(four_rows_go_to_a_lane_of_each_quarter) {
  std::vector<std::uint8_t> window(1024);
  for (unsigned k = 0; k < window.size(); ++k)
    window[k] = static_cast<std::uint8_t>(k * 7 + k / 64);
  TensorWords words = randomWords(17), expected = words;
  for (unsigned row = 0; row < 4; ++row) {
    for (unsigned w = 0; w < 8; ++w)
      std::memcpy(&expected.at(32 * row + 31, 8 + w), &window[row * 16 + w / 4 * 128 + w % 4 * 4],
                  4);
  }
  const std::uint64_t descriptor = std::uint64_t{128 / 16} << 16 | std::uint64_t{1} << 46;
  runOnTensorMemory(
      byOneThread("add.u32 %r20, %r6, 2031624; mov.b64 %rd1, " + std::to_string(descriptor) +
                  "; tcgen05.cp.cta_group::1.4x256b [%r20], %rd1; "),
      window, words, true);
  BOOST_TEST((words.words == expected.words));
}

BOOST_AUTO_TEST_CASE(a_shift_moves_lanes_down) {
  TensorWords words = randomWords(19), expected = words;
  for (unsigned column = 4; column < 12; ++column) {
    for (unsigned lane = 32; lane < 63; ++lane)
      expected.at(lane, column) = words.at(lane + 1, column);
  }
  runOnTensorMemory(
      byOneThread("add.u32 %r20, %r6, 2097156; tcgen05.shift.cta_group::1.down [%r20]; "), {},
      words, true);
  BOOST_TEST((words.words == expected.words));
}

BOOST_AUTO_TEST_CASE(columns_are_freed_and_given_again) {
  const std::string alloc = "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], ";
  const std::string ofGeneric =
      "mov.u64 %rd1, slot; cvta.shared.u64 %rd1, %rd1; "
      "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%rd1], ";
  const std::string free = "tcgen05.dealloc.cta_group::1.sync.aligned.b32 ";
  const auto taken = [](unsigned k) {
    return " ld.shared.u32 %r2, [%r1]; @%p1 st.global.u32 [%rd91+" + std::to_string(4 * k) +
           "], %r2; ";
  };
  const auto out = runBody<std::uint32_t>("mov.u32 %r1, slot; setp.eq.u32 %p1, %r90, 0; " + alloc +
                                              "32;" + taken(0) + alloc + "128;" + taken(1) + alloc +
                                              "64;" + taken(2) + free + "%r2, 64; " + alloc +
                                              "32;" + taken(3) + ofGeneric + "256;" + taken(4),
                                          5, {}, ".shared .align 4 .b32 slot;");
  BOOST_TEST(out == (std::vector<std::uint32_t>{0, 128, 64, 32, 256}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(bad_uses_are_refused) {
  const std::string load = "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%v0}, ";
  BOOST_TEST(errorIn(load + "[%r7];") == "");
  expect(errorIn(load + "[%r7+64];"), {"column 64 of tensor memory is not the CTA's"});
  expect(errorIn(load + "[%r7+512];"), {"column 512 of tensor memory is beyond the last, 511"});
  expect(errorIn(load + "[%r6];"), {"lane 0 of tensor memory, of which warp "});
  expect(errorIn("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r5], 48;"),
         {"48 columns of tensor memory; expected 32, 64, 128, 256 or 512"});
  expect(errorIn("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned; "
                 "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r5], 32;"),
         {"an allocation behind tcgen05.relinquish_alloc_permit"});
  expect(errorIn("setp.lt.u32 %p5, %r90, 9; @%p5 " + load + "[%r7];"), {"expected all 32 lanes"});
  const std::string copy = "tcgen05.cp.cta_group::1.32x128b.warpx4 [%r6], %rd1;";
  expect(errorIn("mov.b64 %rd1, 0; " + copy), {"with 0 in bits 46 to 48; expected 1"});
  expect(errorIn("mov.b64 %rd1, 6917599396385259520; " + copy), {"swizzle 3"});
  expect(errorIn("mov.b64 %rd1, 70368744178688; add.u64 %rd1, %rd1, 1023; " + copy),
         {"of shared memory; expected them in"});
  refuses("tcgen05.alloc.sync.aligned.shared::cta.b32 [%r1], 32;",
          "expected .cta_group::1 or .cta_group::2");
  refuses("tcgen05.ld.sync.aligned.8x32b.x1.b32 {%r1}, [%r2];", "expected .32x32b");
  refuses("tcgen05.ld.sync.aligned.16x256b.x64.b32 {%r1}, [%r2];", "expected .x1 to .x32");
  refuses("tcgen05.cp.cta_group::1.64x128b [%r1], %rd1;", ".64x128b.warpx2::02_13");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
