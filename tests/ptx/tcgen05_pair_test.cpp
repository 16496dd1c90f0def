// Tensor memory of pairs of CTAs (.cta_group::2): products, copies and shifts reach both, and both
// get the same columns.
#include "tests/ptx/tensor_products.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

Form pairOf(Form form) {
  form.pair = true;
  return form;
}

/// Columns of each CTA that a copy or shift of a pair has changed, and how.
struct Moved {
  explicit Moved(const std::string& action) {
    std::mt19937 random(3);
    for (unsigned cta = 0; cta < 2; ++cta) {
      for (auto& byte : windows[cta]) byte = static_cast<std::uint8_t>(random());
      for (std::uint32_t& word : words[cta].words) word = random();
    }
    before = words;
    runOnTensorMemories(byOneThread(action, true), windows, words);
  }
  std::uint32_t windowWord(unsigned cta, std::size_t at) const {
    std::uint32_t word = 0;
    std::memcpy(&word, &windows[cta][at], 4);
    return word;
  }

  std::vector<std::vector<std::uint8_t>> windows{2, std::vector<std::uint8_t>(4096)};
  std::vector<TensorWords> words{2}, before;
};

/// Runs a kernel of clusters of `size` CTAs; returns what is wrong with it.
std::string errorOfClusters(const std::string& body, unsigned size) {
  RunOptions options;
  options.grid = options.cluster.emplace(Dim3{size, 1, 1});
  return errorOf([&] {
    runBody<Word>(
        "mov.u32 %r1, slot; mov.u32 %r2, %cluster_ctarank; setp.eq.u32 %p1, %r2, 0; " + body, 1,
        options, ".shared .align 4 .b32 slot; .shared .align 1024 .b8 tile[4096];");
  });
}

const std::string kAllocate = "tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%r1], 64; ";
const std::string kSync = "barrier.cluster.arrive; barrier.cluster.wait; ";

}  // namespace

BOOST_AUTO_TEST_SUITE(tensor_pairs)

// 256 rows lie in the lanes of both CTAs; of 128 rows each has 64, and half of the columns in each
// 64 lanes.
BOOST_AUTO_TEST_CASE(products_of_pairs_agree_with_plain_matrices) {
  std::vector<Form> forms;
  for (const unsigned m : {128U, 256U}) {
    for (const bool inTensor : {false, true}) {
      for (Form form :
           {of("f16", "f16", "f16", "f32", m, 64, 128), of("tf32", "tf32", "tf32", "f32", m, 32),
            of("i8", "s8", "u8", "s32", m, 96, 64), of("f8f6f4", "e2m1", "e4m3", "f32", m, 256)}) {
        form.inTensor = inTensor;
        form.negatedA = form.sum == "f32" && inTensor;
        forms.push_back(pairOf(form));
      }
    }
    Form turned = pairOf(of("f16", "bf16", "bf16", "f32", m, 128, 64));
    turned.transposedA = turned.transposedB = true;
    turned.adds = false;
    forms.push_back(turned);
  }
  checkAll(forms);
}

// Each CTA has the scales of its rows, and those of all columns.
BOOST_AUTO_TEST_CASE(scales_of_pairs_agree_with_plain_matrices) {
  std::vector<Form> forms;
  for (const unsigned m : {128U, 256U}) {
    Form form = pairOf(of("mxf8f6f4", "e4m3", "e2m1", "f32", m, 64, 128));
    form.blocks = 1;
    form.scaleId = 2;
    forms.push_back(form);
    form = pairOf(of("mxf4nvf4", "e2m1", "e2m1", "f32", m, 128));
    form.blocks = 4;
    form.nvScales = true;
    forms.push_back(form);
  }
  checkAll(forms);
}

BOOST_AUTO_TEST_CASE(lanes_of_a_pair_are_left_alone) {
  Form form = pairOf(of("f16", "f16", "f16", "f32", 256, 32));
  form.disables = true;
  form.shift = 3;
  checkAll({form});
}

// Each CTA copies from its own shared memory to its own tensor memory.
BOOST_AUTO_TEST_CASE(copies_reach_both) {
  const std::uint64_t descriptor = 8ULL << 16 | 8ULL << 32 | 1ULL << 46;
  const Moved moved("mov.b64 %rd1, " + std::to_string(descriptor) +
                    "; mov.u32 %r14, tile; shr.u32 %r14, %r14, 4; cvt.u64.u32 %rd2, %r14; "
                    "add.u64 %rd1, %rd1, %rd2; tcgen05.cp.cta_group::2.128x128b [%r6+16], %rd1; ");
  for (unsigned cta = 0; cta < 2; ++cta) {
    for (unsigned lane = 0; lane < 128; ++lane) {
      for (unsigned word = 0; word < 4; ++word) {
        TensorWords found = moved.words[cta];
        BOOST_TEST(found.at(lane, 16 + word) == moved.windowWord(cta, lane * 16 + word * 4));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(shifts_reach_both) {
  Moved moved("tcgen05.shift.cta_group::2.down [%r6+8]; ");
  for (unsigned cta = 0; cta < 2; ++cta) {
    BOOST_TEST(moved.words[cta].at(4, 8) == moved.before[cta].at(5, 8));
    BOOST_TEST(moved.words[cta].at(31, 8) == moved.before[cta].at(31, 8));
    BOOST_TEST(moved.words[cta].at(40, 8) == moved.before[cta].at(40, 8));
  }
}

// The second CTA has columns of its own first. Columns of the pair are free in both.
BOOST_AUTO_TEST_CASE(both_get_the_same_columns) {
  RunOptions options;
  options.grid = options.cluster.emplace(Dim3{2, 1, 1});
  const auto out = runBody<std::uint32_t>(
      "mov.u32 %r1, slot; mov.u32 %r2, %cluster_ctarank; setp.ne.u32 %p1, %r2, 0; @%p1 "
      "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 32; " +
          kSync + kAllocate + "ld.shared.u32 %r3, [%r1]; " + kAllocate +
          "ld.shared.u32 %r4, [%r1]; mad.wide.u32 %rd1, %r2, 8, %rd91; st.global.u32 [%rd1], %r3; "
          "st.global.u32 [%rd1+4], %r4; " +
          kSync,
      4, options, ".shared .align 4 .b32 slot;");
  BOOST_TEST(out == (std::vector<std::uint32_t>{64, 128, 64, 128}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(bad_pairs_are_refused) {
  BOOST_TEST(errorOfClusters(kAllocate + kSync, 2) == "");
  expect(errorOfClusters(kAllocate, 1),
         {"a pair of CTAs in a cluster of 1; expected an even number"});
  expect(errorOfClusters(kAllocate, 3), {"a cluster of 3"});
  const std::string shift = "tcgen05.shift.cta_group::2.down [%r3]; ";
  expect(errorOfClusters(
             kAllocate + kSync + "@!%p1 bra E; mov.u32 %r3, 64; " + shift + "E: " + kSync, 2),
         {"column 64 of tensor memory is not the CTA's"});
  Form form = pairOf(of("f16", "f16", "f16", "f32", 256, 24));
  Case one(form);
  expect(
      errorOf([&] { runOnTensorMemories(byOneThread(one.text(), true), one.windows, one.words); }),
      {"a pair's product of 256 rows and 24 columns; expected 128 or 256 and a multiple of 16"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
