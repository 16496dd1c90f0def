// Registers per thread of machine code: each rule of the estimate, beside what ptxas 13.0 takes.
#include <fermata/stimuli/ptx/basic_blocks.h>
#include <fermata/stimuli/ptx/machine_code.h>

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

const std::string kHead =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n";
const std::string kRegisters =
    "{\n.reg .pred %p<9>; .reg .b32 %r<99>; .reg .f32 %f<99>; .reg .f64 %fd<9>;\n"
    ".reg .b64 %rd<99>; .shared .align 4 .b8 tile[4096];\n"
    "ld.param.u64 %rd8, [p];\nmov.u32 %r9, %tid.x;\nmul.wide.u32 %rd9, %r9, 4;\n"
    "add.s64 %rd0, %rd8, %rd9;\n";

unsigned registersOf(const std::string& body) {
  const std::string text =
      kHead + ".visible .entry k(.param .u64 p, .param .u32 n)\n" + kRegisters + body + "ret;\n}\n";
  return parse(text, "k.ptx")->kernel("k").machineCode().registersPerThread;
}

/// Returns a body that holds `count` words in registers around `inner`.
std::string holding(unsigned count, const std::string& inner) {
  const auto each = [&](const std::string& before, const std::string& behind) {
    std::string text;
    for (unsigned k = 0; k < count; ++k)
      text += before + std::to_string(4 * k) + behind + std::to_string(k + 10) + ";\n";
    return text;
  };
  std::string loads;
  for (unsigned k = 0; k < count; ++k) {
    loads += "ld.volatile.global.b32 %r" + std::to_string(k + 10) + ", [%rd0+" +
             std::to_string(4 * k) + "];\n";
  }
  return loads + inner + each("st.volatile.global.b32 [%rd0+", "], %r");
}

struct Held {
  const char* opcode;
  const char* type;
  const char* operands;  ///< of the instruction
  unsigned words;        ///< the most that ptxas holds around it in `registers`
  unsigned registers = 40;
};
std::ostream& operator<<(std::ostream& out, const Held& held) {
  return out << held.opcode;
}
// ptxas 13.0, sm_80. One word more takes 8 registers more.
const Held kHeld[] = {
    {"add.f32", "f32", "%f1, %f2, %f3", 33},    {"div.rn.f32", "f32", "%f1, %f2, %f3", 25},
    {"rcp.rn.f32", "f32", "%f1, %f2", 28},      {"sqrt.rn.f32", "f32", "%f1, %f2", 29},
    {"ex2.approx.f32", "f32", "%f1, %f2", 34},  {"add.u32", "u32", "%r1, %r2, %r3", 33},
    {"div.u32", "u32", "%r1, %r2, %r3", 30},    {"rem.s32", "u32", "%r1, %r2, %r3", 27},
    {"add.f64", "f64", "%fd1, %fd2, %fd3", 31}, {"div.rn.f64", "f64", "%fd1, %fd2, %fd3", 25, 48},
    {"sqrt.rn.f64", "f64", "%fd1, %fd2", 21},   {"add.u64", "u64", "%rd1, %rd2, %rd3", 31},
    {"div.u64", "u64", "%rd1, %rd2, %rd3", 24}, {"mul.hi.u64", "u64", "%rd1, %rd2, %rd3", 27},
};

std::string around(const Held& held, unsigned words) {
  const std::string operands = held.operands;
  const std::string bank = operands.substr(0, operands.find('1'));
  std::string inner;
  for (const char* number : {"2", "3"}) {
    if (operands.find(bank + number) != std::string::npos)
      inner +=
          "ld.volatile.global." + std::string(held.type) + " " + bank + number + ", [%rd0+1000];\n";
  }
  inner += std::string(held.opcode) + " " + operands + ";\n";
  inner += "st.volatile.global." + std::string(held.type) + " [%rd0+2000], " + bank + "1;\n";
  return holding(words, inner);
}

/// 40 products of %r1, each read twice behind a barrier.
std::string usesOfProducts() {
  std::string text;
  for (unsigned k = 0; k < 40; ++k)
    text += "mul.lo.s32 %r" + std::to_string(k + 10) + ", %r1, " + std::to_string(k + 3) + ";\n";
  text += "bar.sync 0;\n";
  for (const char* operation : {"add", "max"}) {
    for (unsigned k = 0; k < 40; ++k)
      text += std::string(operation) + ".s32 %r2, %r2, %r" + std::to_string(k + 10) + ";\n";
  }
  return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(register_estimate)

BOOST_DATA_TEST_CASE(takes_units_of_8_and_the_scratch_of_sequences, bdata::make(kHeld), held) {
  const unsigned fewer = registersOf(around(held, held.words));
  const unsigned more = registersOf(around(held, held.words + 1));
  BOOST_TEST(fewer > held.registers - 8);
  BOOST_TEST(fewer <= held.registers);
  BOOST_TEST(more > held.registers);
  BOOST_TEST(more <= held.registers + 8);
}

BOOST_AUTO_TEST_CASE(holds_addresses_in_shared_memory_in_one_register) {
  const auto body = [](const std::string& space) {
    std::string text =
        "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd1, %r1, 4;\nmov.u64 %rd2, tile;\n"
        "add.s64 %rd3, %rd0, %rd1;\n";
    for (unsigned k = 0; k < 30; ++k) {
      const std::string at = std::to_string(k + 10);
      text += "ld.volatile." + space + ".u64 %rd" + at + ", [%rd3];\n";
    }
    text += "bar.sync 0;\n";
    for (unsigned k = 0; k < 30; ++k)
      text += "st.volatile." + space + ".u32 [%rd" + std::to_string(k + 10) + "], %r1;\n";
    return text;
  };
  BOOST_TEST(registersOf(body("shared")) + 24U <= registersOf(body("global")));
}

BOOST_AUTO_TEST_CASE(takes_nothing_for_uniform_integers) {
  const auto body = [](const std::string& special) {
    return "mov.u32 %r1, " + special + ";\nmov.u32 %r2, %tid.y;\n" + usesOfProducts() +
           "st.global.u32 [%rd0], %r2;\n";
  };
  BOOST_TEST(registersOf(body("%ctaid.x")) <= 12U);
  BOOST_TEST(registersOf(body("%tid.x")) >= 32U);
}

// Where lanes have parted the uniform datapath is not used.
BOOST_AUTO_TEST_CASE(lanes_that_part_share_no_registers) {
  const auto body = [](const std::string& compared) {
    return "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %tid.y;\nmov.u32 %r3, " + compared +
           ";\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra DONE;\n" + usesOfProducts() +
           "DONE: st.global.u32 [%rd0], %r2;\n";
  };
  BOOST_TEST(registersOf(body("%ctaid.y")) <= 12U);
  BOOST_TEST(registersOf(body("%tid.x")) >= 32U);
}

// Sums of products: loads begin early, as far as 32 registers go.
BOOST_AUTO_TEST_CASE(begins_loads_early_while_registers_are_free) {
  const auto body = [](unsigned count) {
    std::string text = "mov.u32 %r1, %tid.x;\nmov.f32 %f0, 0f00000000;\n";
    for (unsigned k = 0; k < count; ++k) {
      const std::string number = std::to_string(k + 1), at = std::to_string(4 * k);
      text += "ld.shared.f32 %f" + number + ", [%r1+" + at + "];\n";
      text += "fma.rn.f32 %f0, %f" + number + ", %f" + number + ", %f0;\n";
    }
    return text + "st.global.f32 [%rd0], %f0;\n";
  };
  BOOST_TEST(registersOf(body(2)) <= 12U);
  BOOST_TEST(registersOf(body(16)) >= 20U);
  BOOST_TEST(registersOf(body(80)) == 32U);
}

// The calling convention leaves 24 registers to a function of the library.
BOOST_AUTO_TEST_CASE(a_call_of_the_library_takes_24) {
  const std::string call =
      "{ .param .b64 a; .param .b64 b; .param .b32 r;\nst.param.b64 [a], %rd0;\n"
      "st.param.b64 [b], %rd0;\ncall.uni (r), vprintf, (a, b);\n}\n";
  BOOST_TEST(registersOf("") <= 8U);
  BOOST_TEST(registersOf(call) == 24U);
}

// A loop that may wait for other threads is a loop of the control-flow graph like others.
BOOST_AUTO_TEST_CASE(loops_that_may_wait_have_their_edge) {
  const std::string text =
      kHead + ".visible .entry k(.param .u64 p, .param .u32 n)\n" + kRegisters +
      "LOOP: ld.volatile.global.u32 %r1, [%rd0];\nst.global.u32 [%rd0+4], %r1;\n"
      "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra LOOP;\nret;\n}\n";
  const auto module = parse(text, "k.ptx");
  const KernelCode& code = module->kernel("k").code();
  const BasicBlocks blocks = basicBlocks(code, {0, code.entryEnd});
  unsigned back = 0;
  for (std::uint32_t block = 0; block < blocks.exit(); ++block) {
    for (const std::uint32_t to : blocks.next[block]) back += to <= block ? 1 : 0;
  }
  BOOST_TEST(back == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
