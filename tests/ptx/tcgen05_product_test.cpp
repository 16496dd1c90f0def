// Products of tcgen05.mma of every kind against plain matrices, with factors in every layout, of
// one CTA and of pairs.
#include "tests/ptx/tensor_products.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

const Form kKinds[] = {
    of("f16", "f16", "f16", "f32", 128, 48),      of("f16", "f16", "f16", "f16", 128, 16),
    of("f16", "bf16", "bf16", "f32", 64, 24),     of("tf32", "tf32", "tf32", "f32", 128, 32),
    of("tf32", "tf32", "tf32", "f32", 64, 8),     of("i8", "s8", "u8", "s32", 128, 32),
    of("i8", "u8", "s8", "s32", 64, 24),          of("f8f6f4", "e4m3", "e5m2", "f32", 128, 16),
    of("f8f6f4", "e5m2", "e4m3", "f16", 64, 8),   of("f8f6f4", "e2m3", "e3m2", "f32", 128, 32),
    of("f8f6f4", "e2m1", "e4m3", "f32", 128, 16), of("f8f6f4", "e3m2", "e2m1", "f32", 64, 40)};

}  // namespace

void check(const Form& f) {
  Case one(f), wanted(f);
  for (unsigned row = 0; row < f.m; ++row) {
    for (unsigned n = 0; n < f.n; ++n) {
      // Lanes 36 and 48 of the first CTA are disabled.
      const TensorWord place = placeOf(f, row, n);
      if (f.disables && place.cta == 0 && (place.lane == 36 || place.lane == 48)) continue;
      wanted.at(row, n) = one.expected(row, n);
    }
  }
  runOnTensorMemories(byOneThread(one.text(), f.pair), one.windows, one.words);
  unsigned wrong = 0;
  for (unsigned cta = 0; cta < f.ctas(); ++cta) {
    for (unsigned k = 0; k < wanted.words[cta].words.size(); ++k)
      wrong += wanted.words[cta].words[k] != one.words[cta].words[k] ? 1 : 0;
  }
  BOOST_TEST(wrong == 0U);
}

void checkAll(const std::vector<Form>& forms) {
  for (const Form& form : forms) {
    BOOST_TEST_CONTEXT(form)
    check(form);
  }
}

Form of(const std::string& kind, const std::string& a, const std::string& b, const std::string& sum,
        unsigned m, unsigned n, unsigned swizzle) {
  Form f{};
  f.kind = kind;
  f.a = a;
  f.b = b;
  f.sum = sum;
  f.m = m;
  f.n = n;
  f.swizzle = swizzle;
  f.adds = true;
  return f;
}

BOOST_AUTO_TEST_SUITE(tensor_products)

BOOST_AUTO_TEST_CASE(every_kind_agrees_with_plain_matrices) {
  std::vector<Form> forms;
  for (Form form : kKinds) {
    for (const bool inTensor : {false, true}) {
      form.inTensor = inTensor;
      form.adds = true;
      form.negatedA = form.negatedB = form.clamps = false;
      forms.push_back(form);
      form.adds = form.sum == "s32";
      (form.sum == "s32" ? form.clamps : inTensor ? form.negatedA : form.negatedB) = true;
      forms.push_back(form);
    }
  }
  checkAll(forms);
}

BOOST_AUTO_TEST_CASE(every_layout_agrees_with_plain_matrices) {
  std::vector<Form> forms;
  for (const unsigned swizzle : {0U, 32U, 64U, 128U, 1U}) {
    for (unsigned transposes = swizzle == 1 ? 3 : 0; transposes < 4; ++transposes) {
      for (Form form : {of("f16", "f16", "f16", "f32", 128, transposes == 0 ? 256 : 144, swizzle),
                        of("tf32", "tf32", "tf32", "f32", 64, 40, swizzle),
                        of("i8", "s8", "s8", "s32", 128, 96, swizzle)}) {
        form.transposedA = (transposes & 1) != 0;
        form.transposedB = (transposes & 2) != 0;
        forms.push_back(form);
      }
    }
    if (swizzle != 1) forms.push_back(of("f8f6f4", "e2m1", "e2m3", "f32", 128, 64, swizzle));
  }
  checkAll(forms);
}

BOOST_AUTO_TEST_CASE(scales_of_blocks_agree_with_plain_matrices) {
  std::vector<Form> forms;
  for (const unsigned id : {0U, 3U}) {
    Form form = of("mxf8f6f4", "e4m3", "e2m1", "f32", 128, 72, 128);
    form.blocks = 1;
    form.scaleId = id;
    forms.push_back(form);
  }
  Form form = of("mxf4", "e2m1", "e2m1", "f32", 128, 256, 64);
  form.blocks = 2;
  form.scaleId = 2;
  forms.push_back(form);
  form = of("mxf4nvf4", "e2m1", "e2m1", "f32", 128, 8);
  form.blocks = 4;
  form.nvScales = true;
  forms.push_back(form);
  form.nvScales = false;
  form.inTensor = true;
  form.negatedA = true;
  forms.push_back(form);
  checkAll(forms);
}

// With fewer rows than lanes, columns lie in several parts, each in further lanes.
BOOST_AUTO_TEST_CASE(products_that_keep_b_agree_with_plain_matrices) {
  std::vector<Form> forms;
  for (const unsigned m : {32U, 64U, 128U}) {
    for (Form form :
         {of("f16", "f16", "f16", "f32", m, 64, 128), of("i8", "u8", "s8", "s32", m, 256, 32),
          of("f8f6f4", "e4m3", "e2m1", "f32", m, 128)}) {
      form.keepsB = true;
      form.inTensor = m == 128;
      forms.push_back(form);
    }
  }
  checkAll(forms);
}

BOOST_AUTO_TEST_CASE(sums_are_scaled_and_lanes_left_alone) {
  Form form = of("f16", "f16", "f16", "f32", 128, 32);
  form.shift = 5;
  form.disables = true;
  Form halves = of("f16", "f16", "f16", "f16", 64, 16);
  halves.disables = true;
  checkAll({form, halves});
}

// The machine looks at the lower bits of a generic address alone, and ThunderKittens relies on it.
BOOST_AUTO_TEST_CASE(a_commit_takes_generic_and_plain_addresses_of_shared_memory) {
  const std::string named = ".shared::cluster.b64 [%r10]";
  const auto errorOfCommit = [&](const std::string& address) {
    Case one(of("f16", "f16", "f16", "f32", 128, 16));
    std::string text = byOneThread(one.text(), false);
    text.replace(text.find(named), named.size(), ".b64 [%rd12]");
    text.insert(text.find("tcgen05.commit"), "cvt.u64.u32 %rd12, %r10; " + address);
    return errorOf([&] { runOnTensorMemories(text, one.windows, one.words); });
  };
  BOOST_TEST(errorOfCommit("cvta.shared.u64 %rd12, %rd12; ") == "");
  BOOST_TEST(errorOfCommit("") == "");
  expect(errorOfCommit("add.u64 %rd12, %rd12, 12000000; "), {"is out of bounds"});
  expect(errorOfCommit("mov.b64 %rd12, 33554432; "), {"is out of bounds"});  // of local memory
}

BOOST_AUTO_TEST_CASE(bad_uses_are_refused) {
  const auto errorOfForm = [](const Form& form, const std::string& before = "") {
    Case one(form);
    std::string text = one.text();
    text.insert(text.find("tcgen05"), before);
    return errorOf(
        [&] { runOnTensorMemories(byOneThread(text, form.pair), one.windows, one.words); });
  };
  const Form plain = of("f16", "f16", "f16", "f32", 128, 16);
  BOOST_TEST(errorOfForm(plain) == "");
  expect(errorOfForm(of("f16", "f16", "f16", "f32", 128, 24)),
         {"a product of 128 rows and 24 columns; expected 64 or 128 rows and a multiple of 16"});
  expect(errorOfForm(of("f16", "f16", "f16", "f32", 32, 16)), {"a product of 32 rows"});
  expect(errorOfForm(plain, "or.b32 %r20, %r20, 4; "),
         {"an instruction descriptor of a sparse product; expected 0 in its bit 2"});
  expect(errorOfForm(plain, "or.b32 %r20, %r20, 8; "), {"that clamps floats"});
  expect(errorOfForm(plain, "or.b32 %r20, %r20, 256; "), {"with type 2 for .kind::f16"});
  expect(errorOfForm(plain, "or.b32 %r20, %r20, 32; "),
         {"with sums of type 3 for .kind::f16; expected 0 or 1"});
  expect(errorOfForm(plain, "add.u32 %r6, %r6, 65536; "),
         {"128 rows from lane 1 of tensor memory on"});
  expect(errorOfForm(plain, "add.u32 %r6, %r6, 500; "), {"column 512 of tensor memory is beyond"});
  expect(errorOfForm(plain, "mov.b64 %rd2, 70368744194047; "),
         {"of shared memory; expected them in"});
  Form turned = of("f8f6f4", "e2m1", "e4m3", "f32", 128, 16);
  turned.transposedA = true;
  expect(errorOfForm(turned), {"a transposed factor of 4- or 6-bit floats"});

  const std::string mma = "tcgen05.mma";
  const std::string rest = ".cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;";
  BOOST_TEST(parseError(kernelText(mma + rest)) == "");
  refuses(mma + ".ws.cta_group::2.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;", "of one CTA");
  refuses(
      mma + ".ws.cta_group::1.kind::mxf4.block_scale [%r1], %rd1, %rd2, %r2, [%r3], [%r4], %p1;",
      ".ws has no scales of blocks");
  BOOST_TEST(parseError(kernelText(mma + ".ws.cta_group::1.kind::f16.collector::b2::use [%r1], "
                                         "%rd1, %rd2, %r2, %p1;")) == "");
  Form narrow = of("f16", "f16", "f16", "f32", 64, 32);
  narrow.keepsB = true;
  expect(errorOfForm(narrow),
         {"a product of 64 rows and 32 columns that keeps b; expected 32, 64"});
  refuses(mma + ".cta_group::3.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;",
          "expected .cta_group::1 or .cta_group::2");
  refuses(mma + ".cta_group::1.kind::f64 [%r1], %rd1, %rd2, %r2, %p1;", "expected a kind");
  refuses(mma + ".cta_group::1.kind::mxf4 [%r1], %rd1, %rd2, %r2, %p1;",
          "'.block_scale' is of the kinds");
  refuses(mma + ".cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, 16;", "the scale of d");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
