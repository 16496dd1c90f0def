// Sparse products of tcgen05.mma, and products whose a is shifted, against plain matrices.
#include "tests/ptx/tensor_products.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

Form sparse(const std::string& kind, const std::string& a, const std::string& b,
            const std::string& sum, unsigned m, unsigned n, unsigned swizzle = 0) {
  Form form = of(kind, a, b, sum, m, n, swizzle);
  form.sparse = true;
  return form;
}

std::string errorOfForm(
    const Form& form, const std::string& before = "",
    const std::function<void(Case&)>& change = [](Case&) {}) {
  Case one(form);
  change(one);
  std::string text = one.text();
  text.insert(text.find("tcgen05"), before);
  return errorOf(
      [&] { runOnTensorMemories(byOneThread(text, form.pair), one.windows, one.words); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sparse_tensor_products)

BOOST_AUTO_TEST_CASE(every_kind_agrees_with_plain_matrices) {
  std::vector<Form> forms;
  for (Form form :
       {sparse("f16", "f16", "f16", "f32", 128, 48), sparse("f16", "bf16", "bf16", "f32", 64, 24),
        sparse("f16", "f16", "f16", "f16", 128, 16), sparse("tf32", "tf32", "tf32", "f32", 128, 32),
        sparse("tf32", "tf32", "tf32", "f32", 64, 8), sparse("i8", "s8", "u8", "s32", 128, 32),
        sparse("i8", "u8", "s8", "s32", 64, 24), sparse("f8f6f4", "e4m3", "e5m2", "f32", 128, 16),
        sparse("f8f6f4", "e2m1", "e3m2", "f16", 64, 40)}) {
    for (const bool inTensor : {false, true}) {
      form.inTensor = inTensor;
      form.negatedA = inTensor && form.sum != "s32";
      form.adds = !form.adds;
      forms.push_back(form);
    }
  }
  checkAll(forms);
}

BOOST_AUTO_TEST_CASE(every_layout_agrees_with_plain_matrices) {
  std::vector<Form> forms;
  for (const unsigned swizzle : {0U, 32U, 64U, 128U, 1U}) {
    for (unsigned transposes = swizzle == 1 ? 3 : 0; transposes < 4; ++transposes) {
      if (swizzle == 32 && (transposes & 2) == 0) continue;  // b has 64 bytes of k
      for (Form form : {sparse("f16", "f16", "f16", "f32", 128, 144, swizzle),
                        sparse("tf32", "tf32", "tf32", "f32", 64, 40, swizzle),
                        sparse("i8", "s8", "s8", "s32", 128, 96, swizzle)}) {
        form.transposedA = (transposes & 1) != 0;
        form.transposedB = (transposes & 2) != 0;
        forms.push_back(form);
      }
    }
  }
  checkAll(forms);
}

BOOST_AUTO_TEST_CASE(selectors_choose_a_column_of_the_metadata) {
  std::vector<Form> forms;
  for (unsigned selector = 0; selector < 4; ++selector) {
    for (Form form : {sparse("f16", "f16", "f16", "f32", 128, 16),
                      sparse("tf32", "tf32", "tf32", "f32", 64, 8)}) {
      form.selector = selector;
      forms.push_back(form);
    }
  }
  checkAll(forms);
}

BOOST_AUTO_TEST_CASE(scales_count_for_blocks_of_k) {
  std::vector<Form> forms;
  Form form = sparse("mxf8f6f4", "e4m3", "e2m1", "f32", 128, 72, 128);
  form.blocks = 1;
  forms.push_back(form);
  form = sparse("mxf4", "e2m1", "e2m1", "f32", 128, 256, 64);
  form.blocks = 2;
  form.scaleId = 2;
  forms.push_back(form);
  form = sparse("mxf4nvf4", "e2m1", "e2m1", "f32", 128, 8);
  form.blocks = 4;
  form.nvScales = true;
  form.inTensor = true;
  forms.push_back(form);
  checkAll(forms);
}

// A CTA of a pair of 128 rows has 64, in half of its lanes.
BOOST_AUTO_TEST_CASE(pairs_and_products_that_keep_b_agree_with_plain_matrices) {
  std::vector<Form> forms;
  for (const unsigned m : {128U, 256U}) {
    for (Form form : {sparse("f16", "f16", "f16", "f32", m, 64, 128),
                      sparse("i8", "s8", "s8", "s32", m, 32, 64)}) {
      form.pair = true;
      form.firstLane = m == 128 ? 16 : 0;
      forms.push_back(form);
      form.inTensor = true;
      forms.push_back(form);
    }
  }
  for (const unsigned m : {32U, 64U, 128U}) {
    for (Form form : {sparse("f16", "f16", "f16", "f32", m, 64, 128),
                      sparse("i8", "u8", "s8", "s32", m, 128)}) {
      form.keepsB = true;
      forms.push_back(form);
    }
  }
  Form upper = sparse("f16", "f16", "f16", "f32", 64, 16);
  upper.firstLane = 16;
  upper.inTensor = true;
  forms.push_back(upper);
  checkAll(forms);
}

BOOST_AUTO_TEST_CASE(rows_of_a_are_shifted) {
  std::vector<Form> forms;
  for (Form form : {of("f16", "f16", "f16", "f32", 128, 16), of("i8", "s8", "s8", "s32", 128, 32),
                    sparse("f8f6f4", "e4m3", "e4m3", "f32", 128, 16),
                    sparse("tf32", "tf32", "tf32", "f32", 128, 16)}) {
    form.shiftsRows = form.inTensor = true;
    forms.push_back(form);
  }
  Form pair = of("f16", "f16", "f16", "f32", 256, 32, 64);
  pair.shiftsRows = pair.inTensor = pair.pair = true;
  forms.push_back(pair);
  checkAll(forms);
}

BOOST_AUTO_TEST_CASE(bad_uses_are_refused) {
  const Form plain = sparse("f16", "f16", "f16", "f32", 128, 16);
  BOOST_TEST(errorOfForm(plain) == "");
  expect(errorOfForm(plain, "and.b32 %r20, %r20, -5; "),
         {"an instruction descriptor of a dense product; expected 1 in its bit 2"});
  expect(errorOfForm(plain, "add.u32 %r26, %r26, 1048576; "),
         {"128 rows from lane 16 of tensor memory on; expected lane 0"});
  expect(errorOfForm(plain, "add.u32 %r26, %r26, 96; "), {"column 512 of tensor memory is beyond"});
  expect(errorOfForm(plain, "", [](Case& one) { one.words[0].at(2, kColumnOfMetadata) &= ~15U; }),
         {"metadata 0b0000 of chunk 0 of row 2 of a; expected two different places"});
  expect(errorOfForm(sparse("tf32", "tf32", "tf32", "f32", 128, 16), "",
                     [](Case& one) { one.words[0].at(8, kColumnOfMetadata) |= 15U; }),
         {"metadata 0b1111 of chunk 4 of row 0 of a; expected 0b0100 or 0b1110"});
  expect(errorOfForm(sparse("i8", "s8", "s8", "s32", 128, 32), "or.b32 %r20, %r20, 2; "),
         {"sparsity selector 2 for .kind::i8; expected 0"});
  expect(errorOfForm(sparse("f16", "f16", "f16", "f32", 128, 16, 32)),
         {"a swizzle of 32 bytes for rows of 64 bytes of k"});
  Form few = of("f16", "f16", "f16", "f32", 64, 16);
  few.shiftsRows = few.inTensor = true;
  expect(errorOfForm(few), {"a product of 64 rows whose a is shifted; expected 128 or 256"});

  const std::string mma = "tcgen05.mma.sp.cta_group::1.kind::f16";
  BOOST_TEST(parseError(kernelText(mma + " [%r1], %rd1, %rd2, [%r3], %r2, %p1;")) == "");
  refuses(mma + " [%r1], %rd1, %rd2, %r2, %p1;", "5 operands");
  refuses(mma + " [%r1], %rd1, %rd2, [%r3+4], %r2, %p1;", "expected an address without an offset");
  refuses(mma + ".ashift [%r1], %rd1, %rd2, [%r3], %r2, %p1;",
          "'.ashift' is of an a in tensor memory");
  refuses(mma + ".ashift.collector::a::use [%r1], [%r4], %rd2, [%r3], %r2, %p1;",
          "'.ashift' has no .collector::a::fill or use");
  refuses("tcgen05.mma.ws.cta_group::1.kind::f16.ashift [%r1], [%r4], %rd2, %r2, %p1;",
          "'.ashift' is of products without .ws");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
