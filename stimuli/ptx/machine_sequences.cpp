// The machine instructions of opcodes, as ptxas 13.0 makes them for compute capability 8.0 of
// kernels with the one instruction. Of a division or a root it is the path of ordinary numbers: the
// one for denormal numbers and infinities is a call that is seldom made.
#include <array>

#include <fermata/stimuli/ptx/machine_lowering.h>

namespace fermata::ptx {
namespace {

struct Becomes {
  std::string_view mnemonic;
  std::string_view modifier;  ///< "": any
  std::string_view type;      ///< "": any; "64": u64, s64 or b64
  Sequence sequence;
};

/// The first row that fits counts.
constexpr Becomes kRows[] = {
    // I2F MUFU IADD3 F2I, then IMAD.HI and two corrections
    {"div", "", "u32", "SSISmMMMMIIIIImmii"},
    {"rem", "", "u32", "SSISmMMMMIIIIimmi"},
    {"div", "", "s32", "ISSISMMMMIIIIIIiiiimmmii"},
    {"rem", "", "s32", "ISSISMMMMIIIIIiiiimmii"},
    // a call: the reciprocal in 64 bits, two steps of Newton, two corrections
    {"div", "", "u64", "iBSISMMIMMMMMMMMIMMIMIMMIiMMMMIMMMMIMMMMIMMIMIMIMIIIMIIIIIIIIIIIIMIiIIB"},
    {"rem", "", "u64", "iBSISMMIMMMMMMMMIMMIMIMMIiMMMMIMMMMIMMMMIMMIMIMIMIIIMIIIIIMIIiIIIB"},
    {"div", "", "s64",
     "iBIIIIISISMMIMMMMMMMMIMMIMIMMMIMIIMIMMIMMMMMMMMIMMMMIIMMIIIMIIIIIIIMIIIIIIIMIMIIB"},
    {"rem", "", "s64",
     "iBIIMIISISMMIMMMMMMMMIMMIMIMIMMIMIIMMMIMIMMIMMMMIIMMIMIMMIIIIIIIMIIIIIIMIIB"},
    {"div", "", "u16", "BSsfffIMFSFIFiSIMB"},
    {"rem", "", "u16", "BSsfffIMFSFIFiSIMMB"},
    {"div", "", "s16", "IIBSsfffIMFSFIFiSIMMB"},
    {"rem", "", "s16", "IIBSsfffIMFSFIFiSIMMMB"},
    // MUFU FCHK, five FFMA, a branch to the call for rare numbers
    {"div", "rn", "f32", "SFFFFFsB"},
    {"div", "rz", "f32", "SFFFFFsB"},
    {"div", "rm", "f32", "SFFFFFsB"},
    {"div", "rp", "f32", "SFFFFFsB"},
    {"div", "full", "f32", "iIFFFFSF"},
    {"div", "approx", "f32", "IFSFf"},
    {"sqrt", "rn", "f32", "iSIBFFFF"},
    {"rcp", "rn", "f32", "iiIBSFFF"},
    {"rcp", "approx", "f32", "IIIFSFi"},
    {"rsqrt", "approx", "f32", "IFSF"},
    {"sqrt", "approx", "f32", "IFSF"},
    {"lg2", "approx", "f32", "IFSF"},
    {"ex2", "approx", "f32", "IFSF"},
    {"sin", "approx", "f32", "FS"},
    {"cos", "approx", "f32", "FS"},
    {"div", "rn", "f64", "mSDDDDDDDDfFIB"},
    {"rcp", "rn", "f64", "SIDDDDDiB"},
    {"sqrt", "rn", "f64", "mSIDDDDDDIMDDiB"},
    {"min", "", "f64", "dIIiIm"},
    {"max", "", "f64", "dIIiIm"},
    // pairs of 32 bits
    {"add", "", "64", "II"},
    {"sub", "", "64", "II"},
    {"and", "", "64", "iI"},
    {"or", "", "64", "iI"},
    {"xor", "", "64", "iI"},
    {"not", "", "64", "iI"},
    {"neg", "", "64", "II"},
    {"shl", "", "64", "iI"},
    {"shr", "", "64", "iI"},
    {"setp", "", "64", "II"},
    {"selp", "", "64", "iI"},
    {"min", "", "64", "IIiI"},
    {"max", "", "64", "IIiI"},
    {"abs", "", "64", "IIMiI"},
    {"mul", "hi", "64", "MMMiIIM"},
    {"mul", "lo", "64", "mMMI"},
    {"mad", "lo", "64", "mMMI"},
    {"popc", "", "64", "sSI"},
    {"clz", "", "64", "IISIIM"},
    {"mov", "", "64", "iI"},
    // other pairs of instructions
    {"clz", "", "b32", "SI"},
    {"mul24", "", "", "iIM"},
    {"mad24", "", "", "iIM"},
};
// With .ftz nothing scales denormal numbers.
constexpr Becomes kFlushedRows[] = {
    {"div", "full", "f32", "IfFSF"}, {"div", "approx", "f32", "SF"}, {"rcp", "approx", "f32", "S"},
    {"rsqrt", "approx", "f32", "S"}, {"sqrt", "approx", "f32", "S"}, {"lg2", "approx", "f32", "S"},
    {"ex2", "approx", "f32", "S"},   {"sin", "approx", "f32", "FS"}, {"cos", "approx", "f32", "FS"},
};

bool isType(std::string_view wanted, std::string_view type) {
  if (wanted == "64") return type == "u64" || type == "s64" || type == "b64";
  return wanted.empty() || wanted == type;
}

bool fits(const Becomes& row, std::string_view opcode) {
  return row.mnemonic == opcodeName(opcode) && isType(row.type, opcodeType(opcode)) &&
         (row.modifier.empty() || opcodeHas(opcode, row.modifier));
}

/// True if a conversion is between integers: a move, or one instruction that picks bytes.
bool isOfIntegers(std::string_view opcode) {
  const std::string_view from = opcodeType(opcode);
  const std::string_view to = opcodeType(opcode.substr(0, opcode.size() - from.size() - 1));
  return from[0] != 'f' && to[0] != 'f';
}

/// True if a conversion takes the unit for special functions: all but those of integers, and those
/// between f16 and f32.
bool isConversion(std::string_view opcode) {
  if (opcodeName(opcode) != "cvt" || isOfIntegers(opcode)) return false;
  return !(opcodeHas(opcode, "f16") && opcodeHas(opcode, "f32"));
}

}  // namespace

bool isAmong(std::string_view name, std::initializer_list<std::string_view> names) {
  for (const std::string_view one : names) {
    if (one == name) return true;
  }
  return false;
}

bool isWideInteger(std::string_view opcode) {
  return isAmong(opcodeType(opcode), {"u64", "s64", "b64"});
}

std::string_view opcodeName(std::string_view opcode) {
  return opcode.substr(0, opcode.find('.'));
}

std::string_view opcodeType(std::string_view opcode) {
  return opcode.substr(opcode.rfind('.') + 1);
}

bool opcodeHas(std::string_view opcode, std::string_view modifier) {
  for (std::size_t dot = opcode.find('.'); dot != std::string_view::npos;) {
    const std::size_t next = opcode.find('.', dot + 1);
    if (opcode.substr(dot + 1, next - dot - 1) == modifier) return true;
    dot = next;
  }
  return false;
}

bool isMultiplyAddToo(const KernelCode& code, std::uint32_t pc, std::string_view opcode) {
  const StaticInstruction& one = code.statics[pc];
  const std::string_view name = opcodeName(opcode);
  if (!isAmong(opcodeType(opcode), {"u32", "s32", "b32"})) return false;
  const bool guarded = code.instructions[pc].guard.number != kTruePredicate;
  const unsigned reads = one.readCount - (guarded ? 1 : 0);
  if (name == "shl") return reads == 1;
  const bool carries = opcodeHas(opcode, "cc") || opcodeHas(opcode, "sat");
  return (name == "mov" && reads != 0) || (isAmong(name, {"add", "sub"}) && !carries);
}

Sequence sequenceOf(std::string_view opcode) {
  if (opcodeHas(opcode, "ftz")) {
    for (const Becomes& row : kFlushedRows) {
      if (fits(row, opcode)) return row.sequence;
    }
  }
  for (const Becomes& row : kRows) {
    if (fits(row, opcode)) return row.sequence;
  }
  return {};
}

InstructionClass machineClass(std::string_view opcode, InstructionClass asPtx) {
  const std::string_view mnemonic = opcodeName(opcode);
  if (asPtx == InstructionClass::Integer) {
    if (isAmong(mnemonic, {"mul", "mad", "dp4a", "dp2a"})) return InstructionClass::Multiply;
    if (isAmong(mnemonic, {"popc", "brev", "bfind", "clz"}) || isConversion(opcode))
      return InstructionClass::Special;
  }
  if (asPtx == InstructionClass::Float) {
    if (isAmong(mnemonic, {"min", "max", "setp", "set", "selp", "slct", "testp", "copysign"}))
      return InstructionClass::Integer;
    if (isConversion(opcode)) return InstructionClass::Special;
  }
  return asPtx;
}

}  // namespace fermata::ptx
