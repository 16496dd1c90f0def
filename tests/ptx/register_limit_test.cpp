// Registers per thread within the limits that an entry states.
#include <fermata/stimuli/ptx/machine_code.h>
#include <fermata/stimuli/ptx/register_limit.h>

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

struct Bounds {
  const char* target;
  const char* directives;
  unsigned registers;
};
std::ostream& operator<<(std::ostream& out, const Bounds& bounds) {
  return out << bounds.target << ' ' << bounds.directives;
}

// ptxas 13.0 for a kernel of as many live registers.
const Bounds kBounds[] = {
    {"sm_80", "", 255},
    {"sm_80", ".maxntid 256", 255},
    {"sm_80", ".maxntid 512,1,1", 128},
    {"sm_80", ".maxntid 1024,1,1", 64},
    {"sm_80", ".reqntid 1024,1,1", 64},
    {"sm_80", ".maxntid 100,1,1 .minnctapersm 8", 64},
    {"sm_80", ".maxntid 256,1,1 .minnctapersm 4", 64},
    {"sm_80", ".maxntid 256,1,1 .minnctapersm 8", 32},
    {"sm_80", ".maxntid 96,1,1 .minnctapersm 7", 80},
    {"sm_80", ".maxntid 256,1,1 .minnctapersm 16", 255},  // fits no SM: ignored
    {"sm_75", ".maxntid 256,1,1 .minnctapersm 4", 64},
    {"sm_75", ".maxntid 256,1,1 .minnctapersm 8", 255},
    {"sm_80", ".minnctapersm 20", 255},
    {"sm_80", ".maxnreg 40", 40},
    {"sm_80", ".maxnreg 41", 41},
    {"sm_80", ".maxnreg 8", 24},
    {"sm_80", ".maxntid 256,1,1 .minnctapersm 4 .maxnreg 40", 40},
    {"sm_20", ".maxntid 256,1,1 .minnctapersm 4", 32},
};

/// Returns an entry that loads `live` words, waits, and stores them.
std::string entryOf(const Bounds& bounds, unsigned live) {
  std::string text = std::string(".version 8.0\n.target ") + bounds.target +
                     "\n.address_size 64\n.visible .entry k(.param .u64 p)\n" + bounds.directives +
                     "\n{\n.reg .b64 %a; .reg .f32 %f<" + std::to_string(live) +
                     ">;\nld.param.u64 %a, [p];\n";
  const auto each = [&](const std::string& before, const std::string& behind) {
    for (unsigned k = 0; k < live; ++k) text += before + std::to_string(k) + behind + "\n";
  };
  each("ld.global.f32 %f", ", [%a];");
  text += "bar.sync 0;\n";
  each("st.global.f32 [%a], %f", ";");
  return text + "ret;\n}\n";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(register_limits)

BOOST_AUTO_TEST_CASE(registers_that_fit_an_sm) {
  const std::vector<std::pair<unsigned, unsigned>> expected = {
      {1024, 64}, {1000, 64}, {992, 64}, {512, 128}, {288, 224}, {256, 255}, {32, 255}, {1, 255}};
  for (const auto& [threads, registers] : expected)
    BOOST_TEST(registersThatFit(threads) == registers, threads);
}

BOOST_DATA_TEST_CASE(directives_limit_the_registers, bdata::make(kBounds), bounds) {
  const auto module = parse(entryOf(bounds, 300), "k.ptx");
  const Kernel& kernel = module->kernel("k");
  BOOST_TEST(kernel.registersPerThread() == bounds.registers);
  const MachineCode& code = kernel.machineCode();
  BOOST_TEST(code.registersPerThread == bounds.registers);
  BOOST_TEST(code.registersPerThread + code.spilled > 300U);
}

BOOST_AUTO_TEST_CASE(fewer_registers_are_as_they_were) {
  const auto module = parse(entryOf({"sm_80", ".maxnreg 64", 0}, 20), "k.ptx");
  const auto plain = parse(entryOf({"sm_80", "", 0}, 20), "k.ptx");
  BOOST_TEST(module->kernel("k").registersPerThread() == plain->kernel("k").registersPerThread());
  BOOST_TEST(module->kernel("k").machineCode().spilled == 0U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
