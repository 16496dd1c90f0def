// Loads that pass the L1 are told by their opcodes.
#include <fermata/stimuli/ptx/cache_words.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

using fermata::ptx::passesL1;
namespace bdata = boost::unit_test::data;

BOOST_AUTO_TEST_SUITE(cache_words)

BOOST_DATA_TEST_CASE(loads_that_see_other_multiprocessors_pass,
                     bdata::make({"ld.global.cg.u32", "ld.global.cv.v4.f32",
                                  "ld.volatile.global.u32", "ld.relaxed.gpu.global.u32",
                                  "ld.acquire.sys.global.u64", "ld.relaxed.cluster.global.b32",
                                  "ld.mmio.relaxed.sys.global.u32", "cp.async.cg.shared.global",
                                  "ld.volatile.u32"}),
                     opcode) {
  BOOST_TEST(passesL1(opcode));
}

BOOST_DATA_TEST_CASE(
    others_use_it,
    bdata::make({"ld.global.u32", "ld.global.ca.u32", "ld.global.nc.v2.f32", "ld.weak.global.u32",
                 "ld.relaxed.cta.global.u32", "ld.acquire.cta.global.u32",
                 "ld.global.L1::no_allocate.u32", "cp.async.ca.shared.global", "st.global.cg.u32",
                 "st.volatile.global.u32", "ldu.global.u32", "atom.global.add.u32"}),
    opcode) {
  BOOST_TEST(!passesL1(opcode));
}

BOOST_AUTO_TEST_SUITE_END()
