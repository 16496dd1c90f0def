// Arithmetic by the opcode's name.
#include <fermata/stimuli/ptx/arithmetic_names.h>

#include "tests/support/test.h"

using namespace fermata;

namespace {

struct Opcode {
  const char* text;
  Arithmetic arithmetic;
};
std::ostream& operator<<(std::ostream& out, const Opcode& o) {
  return out << o.text;
}
const Opcode kOpcodes[] = {{"add.s32", Arithmetic::Sum},
                           {"sub.f64", Arithmetic::Sum},
                           {"mul.wide.s32", Arithmetic::Product},
                           {"mad.lo.s32", Arithmetic::MultiplyAdd},
                           {"fma.rn.f32", Arithmetic::MultiplyAdd},
                           {"min.u32", Arithmetic::Extremum},
                           {"shfl.sync.bfly.b32", Arithmetic::Exchange},
                           {"div.approx.f32", Arithmetic::Quotient},
                           {"ex2.approx.f32", Arithmetic::Function},
                           {"rcp.rn.f64", Arithmetic::Function},
                           {"mov.u32", Arithmetic::Move},
                           {"setp.lt.s32", Arithmetic::Move},
                           {"shl.b32", Arithmetic::Move},
                           {"not", Arithmetic::Move}};

}  // namespace

BOOST_AUTO_TEST_SUITE(arithmetic_names)

BOOST_DATA_TEST_CASE(of_opcodes, bdata::make(kOpcodes), opcode) {
  BOOST_TEST((fermata::ptx::arithmeticOf(opcode.text) == opcode.arithmetic));
}

BOOST_AUTO_TEST_SUITE_END()
