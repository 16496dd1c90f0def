#include <fermata/stimuli/ptx/arithmetic_names.h>

namespace fermata::ptx {

namespace {

struct ArithmeticName {
  std::string_view mnemonic;
  Arithmetic arithmetic;
};
constexpr ArithmeticName kArithmeticNames[] = {
    {"add", Arithmetic::Sum},         {"sub", Arithmetic::Sum},
    {"addc", Arithmetic::Sum},        {"subc", Arithmetic::Sum},
    {"mul", Arithmetic::Product},     {"mul24", Arithmetic::Product},
    {"mad", Arithmetic::MultiplyAdd}, {"mad24", Arithmetic::MultiplyAdd},
    {"fma", Arithmetic::MultiplyAdd}, {"madc", Arithmetic::MultiplyAdd},
    {"min", Arithmetic::Extremum},    {"max", Arithmetic::Extremum},
    {"shfl", Arithmetic::Exchange},   {"movmatrix", Arithmetic::Exchange},
    {"div", Arithmetic::Quotient},    {"rem", Arithmetic::Quotient},
    {"rcp", Arithmetic::Function},    {"sqrt", Arithmetic::Function},
    {"rsqrt", Arithmetic::Function},  {"sin", Arithmetic::Function},
    {"cos", Arithmetic::Function},    {"lg2", Arithmetic::Function},
    {"ex2", Arithmetic::Function},    {"tanh", Arithmetic::Function},
    {"wgmma", Arithmetic::Product}};

}  // namespace

Arithmetic arithmeticOf(std::string_view opcode) {
  const std::string_view mnemonic = opcode.substr(0, opcode.find('.'));
  for (const ArithmeticName& name : kArithmeticNames) {
    if (name.mnemonic == mnemonic) return name.arithmetic;
  }
  return Arithmetic::Move;
}

}  // namespace fermata::ptx
