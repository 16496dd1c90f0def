// Code that cannot be hashed is refused, with its place.
#include "tests/software_hash/support.h"

namespace {

using namespace fermata::software_hash;
using namespace fermata::software_hash::test;
using fermata::test::Refusal;
using fermata::test::refuses;

const std::vector<Refusal> kTexts = {
    {"", "software hash ''"},
    {"ami 33", "software hash 'ami 33': a kernel computes its hash by shifts and logic; expected"},
    {"seznec 6", "linear over GF(2)"},
    {"add", "linear over GF(2)"},
    {"spiral", "'spiral':1: "},
    {"xor k1=0 k2=5", "mask"},
    {"xor k1=0 k2=99 mask=1", "k2"},
    {"xor k1=0 k2=5 mask=32", "mask"},
    {"xor k1=0 k2=0 mask=31", "collide"},
    {"pairs 0,1,2,3,0^1", "collide"},
    {"bits 0,1,2,3,3", "collide"},
};

// Kernel bodies that begin on line 13 of the file; the tile has 2048 bytes.
const std::vector<Refusal> kBodies = {
    {"atom.shared.add.u64 %rd1, [%r1], 1;", "test.ptx:13:1: 'atom.shared.add.u64' updates 8 bytes"},
    {"\n  @%p1 atom.shared.cas.b64 %rd1, [%r1], %rd2, %rd3;",
     "test.ptx:14:8: 'atom.shared.cas.b64'"},
    {"cvta.shared.u32 %r1, tile;\nld.u32 %r2, [%r1];",
     "test.ptx:14:1: 'ld.u32' is generic and might access shared memory, whose generic address "
     "'cvta.shared.u32' makes at line 13"},
    {"mov.u32 %r2, tile; cvta.shared.u32 %r1, %r2;\nred.add.u32 [%r1], 1;",
     "test.ptx:14:1: 'red.add.u32'"},
    {"cp.async.ca.shared.global [tile], [%rd1], 4;",
     "test.ptx:13:1: 'cp.async.ca.shared.global' goes to shared memory by an address of its own"},
    {"mbarrier.arrive.shared.b64 _, [tile];", "test.ptx:13:1: 'mbarrier.arrive.shared.b64'"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd1, %rd2, 1, 1, "
     "1, 0, 0;",
     "'wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16' goes to shared memory by an address of "
     "its own"},
    {"tcgen05.cp.cta_group::1.128x256b [%r1], %rd1;", "'tcgen05.cp.cta_group::1.128x256b' goes to"},
    {"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [tile], 32;",
     "goes to shared memory"},
    {"ld.u32 %r2, [tile+4];",
     "test.ptx:13:1: 'ld.u32' is generic, so its address cannot be hashed"},
    {"ldmatrix.sync.aligned.m8n8.x1.b16 {%r2}, [%r1];",
     "test.ptx:13:1: 'ldmatrix.sync.aligned.m8n8.x1.b16' accesses rows of matrices"},
    {"wmma.load.c.sync.aligned.row.m8n8k4.shared.f64 {%rd1, %rd2}, [%r1];",
     "accesses rows of matrices, whose words the hash would part"},
    {"cvta.shared.u32 %r1, tile;\nwmma.load.c.sync.aligned.row.m8n8k4.f64 {%rd1, %rd2}, [%r1];",
     "is generic and might access shared memory"},
};

BOOST_AUTO_TEST_SUITE(refusals)

BOOST_DATA_TEST_CASE(of_a_hash_say_why, bdata::make(kTexts), bad) {
  refuses([&] { SoftwareHash hash(request(bad.input)); }, bad.says);
}

BOOST_DATA_TEST_CASE(of_an_access_name_its_place, bdata::make(kBodies), bad) {
  const std::string text = kernelText(bad.input, ".shared .align 4 .b8 tile[2048];");
  refuses([&] { rewriteText(text, kHashes[2]); }, bad.says);
}

BOOST_AUTO_TEST_CASE(do_not_meet_generic_accesses_to_other_memory) {
  const std::string plain = kernelText("ld.u32 %r1, [%r50]; st.shared.u32 [tile], %r1;",
                                       ".shared .align 4 .b8 tile[2048];");
  BOOST_TEST(errorOf([&] { rewriteText(plain, kHashes[2]); }) == "none");
  const std::string unused = kernelText(
      "cvta.shared.u32 %r1, tile; cvta.to.shared.u32 %r2, %r1; ld.shared.u32 %r3, [%r2];"
      "ld.global.u32 %r4, [%r50];",
      ".shared .align 4 .b8 tile[2048];");
  BOOST_TEST(errorOf([&] { rewriteText(unused, kHashes[2]); }) == "none");
}

BOOST_AUTO_TEST_CASE(name_the_kernel_whose_window_is_too_large) {
  const std::string use = "st.shared.u32 [tile], 1;";
  const std::string full = kernelText(use, ".shared .align 4 .b8 tile[49152];");
  BOOST_TEST(errorOf([&] { rewriteText(full, "xor k1=0 k2=5 mask=31"); }) == "none");
  refuses([&] { rewriteText(full, "xor k1=8 k2=0 mask=0"); },
          "test.ptx:5:17: the hash 'xor k1=8 k2=0 mask=0' spreads the 49152 bytes of shared memory "
          "of 'k' over ",
          "expected at most the 49152 of the scratchpad");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
