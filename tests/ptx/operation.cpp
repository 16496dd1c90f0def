#include "tests/ptx/operation.h"

#include <cctype>

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

constexpr Word kUntouched = 0x5a5a5a5a5a5a5a5aULL;

/// Returns the bytes of a register of the type.
unsigned bytesOf(const std::string& type) {
  return widthOf(type) == 8 ? 4 : widthOf(type) / 8;
}

/// Returns the register of this number and of the type's width.
std::string registerOf(const std::string& type, unsigned number) {
  const unsigned bytes = bytesOf(type);
  const std::string prefix = type == "pred"   ? "%p"
                             : type[0] == 'f' ? (bytes == 8 ? "%fd" : "%f")
                             : bytes == 8     ? "%rd"
                             : bytes == 2     ? "%rs"
                                              : "%r";
  return prefix + std::to_string(number);
}

/// An instruction, taken apart.
struct Form {
  std::string opcode, result, immediates;
  std::vector<std::string> sources;  ///< their types
  std::vector<std::string> types;    ///< of four operands; an operand that is absent has b64

  explicit Form(const std::string& text) {
    const std::size_t space = text.find(' ');
    opcode = text.substr(0, space);
    std::istringstream operands(text.substr(space));
    for (std::string one; std::getline(operands >> std::ws, one, ',');) {
      if (std::isdigit(static_cast<unsigned char>(one[0])) != 0)
        immediates += ", " + one;
      else if (result.empty())
        result = one;
      else
        sources.push_back(one);
    }
    types = sources;
    types.resize(4, "b64");
  }
};

/// Returns code that loads this thread's sources, computes, and stores 8 bytes per thread.
std::string body(const Form& form, const std::string& guard) {
  std::string text = "mad.wide.u32 %rd1, %r92, 32, %rd90; mad.wide.u32 %rd2, %r92, 8, %rd91;\n";
  std::string operands;
  const auto access = [](const char* how, const std::string& type) {
    return std::string(how) + ".global.b" + std::to_string(8 * bytesOf(type)) + " ";
  };
  for (unsigned k = 0; k < form.sources.size(); ++k) {
    const std::string& type = form.sources[k];
    const std::string number = std::to_string(10 + k), at = std::to_string(8 * k);
    if (type == "pred") {
      text += "ld.global.u32 %r" + number + ", [%rd1+" + at + "]; and.b32 %r" + number + ", %r" +
              number + ", 1; setp.ne.u32 %p" + number + ", %r" + number + ", 0;\n";
    } else {
      text += access("ld", type) + registerOf(type, 10 + k) + ", [%rd1+" + at + "];\n";
    }
    operands += ", " + registerOf(type, 10 + k);
  }
  text += "and.b32 %r80, %r90, 5; setp.eq.u32 %p80, %r80, 4;\n";
  const bool predicate = form.result == "pred";
  const std::string result = registerOf(form.result, 5);
  text +=
      predicate ? "setp.eq.u32 %p5, 0, 1;\n" : access("ld", form.result) + result + ", [%rd2];\n";
  text += guard + form.opcode + " " + result + operands + form.immediates + ";\n";
  if (predicate)
    return text + "selp.u32 %r6, 1, 0, %p5; cvt.u64.u32 %rd6, %r6; st.global.u64 [%rd2], %rd6;";
  return text + access("st", form.result) + "[%rd2], " + result + ";";
}

bool closeEnough(Word got, Word wanted, std::uint32_t ulp) {
  if (got == wanted) return true;
  const auto a = static_cast<std::int32_t>(got);
  const auto b = static_cast<std::int32_t>(wanted);
  if (ulp == 0 || (a < 0) != (b < 0)) return false;
  return static_cast<std::uint32_t>(a > b ? a - b : b - a) <= ulp;
}

void run(const Operation& operation, const Form& form, const std::vector<Word>& inputs,
         unsigned block, bool guarded) {
  const std::size_t threads = inputs.size() / 4;
  const std::string text = kernelText("setp.ge.u32 %p81, %r92, %r91; @%p81 exit;\n" +
                                      body(form, guarded ? "@%p80 " : ""));
  Bench bench(text, "k");
  const Word in = bench.buffer(inputs);
  const Word out = bench.buffer(std::vector<Word>(threads, kUntouched));
  bench.parameter(in).parameter(out).parameter(static_cast<std::uint32_t>(threads));
  bench.launch.block.x = block;
  bench.launch.grid.x = static_cast<std::uint32_t>((threads + block - 1) / block);
  bench.run();
  const auto results = bench.values<Word>(out, threads);
  const bool predicate = form.result == "pred";
  const unsigned bytes = predicate ? 8 : bytesOf(form.result);
  const Word mask = bytes == 8 ? ~Word{0} : (Word{1} << (8 * bytes)) - 1;
  for (std::size_t k = 0; k < threads; ++k) {
    const Word* s = &inputs[4 * k];
    const bool on = !guarded || ((k % block) & 5U) == 4;
    const Word untouched = predicate ? 0 : kUntouched & mask;
    Word wanted = untouched;
    if (on) wanted = operation.oracle(form.types, s) & mask;
    if (on && widthOf(form.result) == 8)  // extended in its register
      wanted = static_cast<Word>(valueOf(form.result, wanted)) & mask;
    if (closeEnough(results[k] & mask, wanted, on ? operation.ulp : 0)) continue;
    BOOST_ERROR(operation.form << (guarded ? " guarded" : "") << std::hex << ": a 0x" << s[0]
                               << " b 0x" << s[1] << " c 0x" << s[2] << " d 0x" << s[3]
                               << " gives 0x" << (results[k] & mask) << ", expected 0x" << wanted);
    return;
  }
}

/// Returns values that break arithmetic.
std::vector<Word> edgeValues(const std::string& type) {
  if (type == "f32") {
    return {0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000,
            0xffc12345, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff,
            0x3f7fffff, 0x3f800001, 0x40490fdb, 0x4b800000, 0x4f000000, 0xcf000000, 0x5f000000,
            0x3effffff, 0x3f000000, 0xbf000001, 0x3fc00000, 0x40200000, 0x7e800001};
  }
  if (type == "f32x2") {  // each f32 beside another one
    const std::vector<Word> singles = edgeValues("f32");
    std::vector<Word> pairs;
    for (std::size_t k = 0; k < singles.size(); ++k)
      pairs.push_back(singles[k] << 32 | singles[(7 * k + 3) % singles.size()]);
    return pairs;
  }
  if (type == "f64") {
    std::vector<Word> list = {0, 1, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000};
    for (const double x :
         {-0.0, 1.0, -1.0, 1e300, -1e300, 1e-310, 0.5, 1.5, 2.5, -2.5, 3.1415926535897931, 1e10,
          -3e9, 1e20, 3.4028235677973366e38, 1.0 + 0x1p-24, 0x1p-150})
      list.push_back(bits(x));
    return list;
  }
  if (type == "u16" || type == "s16" || type == "b16")
    return {0,      1,      2,      7,      15,     16,     17,     0x7fff, 0x8000,
            0x8001, 0xffff, 0xfffe, 0x5555, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7bff,
            0x0400, 0x83ff, 0x7c01, 0x3f80, 0x7f80, 0xff80, 0x7f7f, 0x0080, 0x807f};
  if (type == "u64" || type == "s64" || type == "b64") {
    std::vector<Word> list = {0, 1, 2, 31, 32, 33, 63, 64, 65, 0x7fffffff, 0x80000000, 0xffffffff};
    list.insert(list.end(),
                {0x100000000, 0x7fffffffffffffff, 0x8000000000000000, 0x8000000000000001,
                 0xffffffffffffffff, 0xfffffffffffffffe, 0x5555555555555555});
    return list;
  }
  return {0,          1,          2,          3,          7,          8,         15,
          16,         17,         31,         32,         33,         255,       256,
          0x7fff,     0x8000,     0xffff,     0x10000,    0x7fffff,   0x800000,  0xffffff,
          0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe, 0x55555555};
}

std::vector<Word> randomValues(const std::string& type, std::size_t count, Word seed) {
  std::mt19937_64 random(seed);
  std::vector<Word> values(count);
  const unsigned bytes = type == "f32x2" ? 8 : bytesOf(type);
  for (Word& value : values) {
    if ((type == "f32" || type == "f64") && random() % 2 == 0) {  // 2^-10 to 2^10, all digits
      const double x = std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())),
                                  static_cast<int>(random() % 20) - 72);
      value = type == "f32" ? bits(static_cast<float>(x)) : bits(x);
      continue;
    }
    value = random() >> (random() % 2 == 0 ? 0 : random() % (8 * bytes));
    if (bytes < 8) value &= (Word{1} << (8 * bytes)) - 1;
  }
  return values;
}

}  // namespace

unsigned widthOf(const std::string& type) {
  return type == "pred" ? 32 : static_cast<unsigned>(std::stoul(type.substr(1)));
}

Wide valueOf(const std::string& type, Word bits) {
  const unsigned width = widthOf(type);
  if (width < 64) bits &= (Word{1} << width) - 1;
  const bool negative = type[0] == 's' && (bits >> (width - 1) & 1U) != 0;
  return static_cast<Wide>(bits) - (negative ? static_cast<Wide>(1) << width : 0);
}

std::string uniform(const std::string& opcode, const std::string& type, unsigned sources) {
  std::string form = opcode + " " + type;
  for (unsigned k = 0; k < sources; ++k) form += ", " + type;
  return form;
}

void checkOperation(const Operation& operation, const std::string& valueType) {
  const Form form(operation.form);
  const std::string type = !valueType.empty() ? valueType : form.sources.at(0);
  std::vector<Word> inputs;
  const std::vector<Word> edges = edgeValues(type);
  std::mt19937_64 random(7);
  for (const Word a : edges) {
    for (const Word b : edges)
      inputs.insert(inputs.end(),
                    {a, b, edges[random() % edges.size()], edges[random() % edges.size()]});
  }
  const auto values = randomValues(type, 4 * 512, 11);
  inputs.insert(inputs.end(), values.begin(), values.end());
  run(operation, form, inputs, 32, false);
  run(operation, form, inputs, 45, false);
  run(operation, form, inputs, 64, true);
}

}  // namespace fermata::ptx::test
