#include "tests/ptx/operation.h"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>

#include "tests/ptx/support.h"

namespace fermata::ptx::test {
namespace {

constexpr std::uint64_t kUntouched = 0x5a5a5a5a5a5a5a5aULL;

unsigned bytesOfName(const std::string& type) {
  return static_cast<unsigned>(std::stoul(type.substr(1))) / 8;
}

std::string registerOf(const std::string& type, unsigned number) {
  const unsigned bytes = bytesOfName(type);
  const std::string prefix = type[0] == 'f' ? (bytes == 8 ? "%fd" : "%f")
                             : bytes == 8   ? "%rd"
                             : bytes == 2   ? "%rs"
                                            : "%r";
  return prefix + std::to_string(number);
}

std::string storageOf(const std::string& type) {
  return "b" + std::to_string(8 * bytesOfName(type));
}

/// Returns code that loads this thread's sources, computes, and stores 8 bytes per thread.
std::string body(const Operation& operation, const std::string& guard) {
  std::string text = "mad.wide.u32 %rd1, %r92, 32, %rd90; mad.wide.u32 %rd2, %r92, 8, %rd91;\n";
  std::string operands;
  for (unsigned k = 0; k < operation.sources.size(); ++k) {
    const std::string& type = operation.sources[k];
    const std::string at = "[%rd1+" + std::to_string(8 * k) + "]";
    if (type == "pred") {
      text += "ld.global.u32 %r" + std::to_string(10 + k) + ", " + at + "; and.b32 %r" +
              std::to_string(10 + k) + ", %r" + std::to_string(10 + k) + ", 1; setp.ne.u32 %p" +
              std::to_string(10 + k) + ", %r" + std::to_string(10 + k) + ", 0;\n";
      operands += ", %p" + std::to_string(10 + k);
      continue;
    }
    text += "ld.global." + storageOf(type) + " " + registerOf(type, 10 + k) + ", " + at + ";\n";
    operands += ", " + registerOf(type, 10 + k);
  }
  text += "and.b32 %r80, %r90, 5; setp.eq.u32 %p80, %r80, 4;\n";
  const bool predicate = operation.result == "pred";
  const std::string result = predicate ? "%p5" : registerOf(operation.result, 5);
  if (predicate) {
    text += "setp.eq.u32 %p5, 0, 1;\n";
  } else {
    text += "ld.global." + storageOf(operation.result) + " " + result + ", [%rd2];\n";
  }
  text += guard + operation.opcode + " " + result + operands + operation.suffix + ";\n";
  if (predicate)
    return text + "selp.u32 %r6, 1, 0, %p5; cvt.u64.u32 %rd6, %r6; st.global.u64 [%rd2], %rd6;";
  return text + "st.global." + storageOf(operation.result) + " [%rd2], " + result + ";";
}

bool closeEnough(std::uint64_t got, std::uint64_t wanted, std::uint32_t ulp) {
  if (got == wanted) return true;
  const auto a = static_cast<std::int32_t>(got);
  const auto b = static_cast<std::int32_t>(wanted);
  if (ulp == 0 || (a < 0) != (b < 0)) return false;
  return static_cast<std::uint32_t>(a > b ? a - b : b - a) <= ulp;
}

void run(const Operation& operation, const std::vector<std::uint64_t>& inputs, unsigned block,
         bool guarded) {
  const std::size_t threads = inputs.size() / 4;
  const std::string text = kernelText("setp.ge.u32 %p81, %r92, %r91; @%p81 exit;\n" +
                                      body(operation, guarded ? "@%p80 " : ""));
  Bench bench(text, "k");
  const std::uint64_t in = bench.buffer(inputs);
  const std::uint64_t out = bench.buffer(std::vector<std::uint64_t>(threads, kUntouched));
  bench.parameter(in).parameter(out).parameter(static_cast<std::uint32_t>(threads));
  bench.launch.block.x = block;
  bench.launch.grid.x = static_cast<std::uint32_t>((threads + block - 1) / block);
  bench.run();
  const auto results = bench.values<std::uint64_t>(out, threads);
  const bool predicate = operation.result == "pred";
  const unsigned bytes = predicate ? 8 : bytesOfName(operation.result);
  const std::uint64_t mask = bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * bytes)) - 1;
  for (std::size_t k = 0; k < threads; ++k) {
    const std::uint64_t* s = &inputs[4 * k];
    const bool on = !guarded || ((k % block) & 5U) == 4;
    const std::uint64_t untouched = predicate ? 0 : kUntouched & mask;
    const std::uint64_t wanted = on ? operation.oracle(s[0], s[1], s[2], s[3]) & mask : untouched;
    if (closeEnough(results[k] & mask, wanted, on ? operation.ulp : 0)) continue;
    BOOST_ERROR(operation.opcode << (guarded ? " guarded" : "") << std::hex << ": a 0x" << s[0]
                                 << " b 0x" << s[1] << " c 0x" << s[2] << " d 0x" << s[3]
                                 << " gives 0x" << (results[k] & mask) << ", expected 0x"
                                 << wanted);
    return;
  }
}

}  // namespace

std::vector<std::uint64_t> edgeValues(const std::string& type) {
  if (type == "f32tame")
    return {bits(1.0F),  bits(-1.0F),           bits(3.0F), bits(0.1F),
            bits(-1e6F), bits(1.0F + 0x1p-23F), bits(7.5F), bits(-0.3333F)};
  if (type == "f64tame")
    return {bits(1.0),  bits(-1.0),          bits(3.0), bits(0.1),
            bits(-1e3), bits(1.0 + 0x1p-52), bits(7.5), bits(-0.3333)};
  if (type == "f32") {
    return {0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000,
            0xffc12345, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff,
            0x3f7fffff, 0x3f800001, 0x40490fdb, 0x4b800000, 0x4f000000, 0xcf000000, 0x5f000000,
            0x3effffff, 0x3f000000, 0xbf000001, 0x3fc00000, 0x40200000, 0x7e800001};
  }
  if (type == "f32x2") {  // each f32 beside another one
    const std::vector<std::uint64_t> singles = edgeValues("f32");
    std::vector<std::uint64_t> pairs;
    for (std::size_t k = 0; k < singles.size(); ++k)
      pairs.push_back(singles[k] << 32 | singles[(7 * k + 3) % singles.size()]);
    return pairs;
  }
  if (type == "f64") {
    return {0,
            bits(-0.0),
            bits(1.0),
            bits(-1.0),
            bits(1e300),
            bits(-1e300),
            bits(1e-310),
            bits(0.5),
            bits(1.5),
            bits(2.5),
            bits(-2.5),
            0x7ff0000000000000,
            0xfff0000000000000,
            0x7ff8000000000000,
            1,
            bits(3.1415926535897931),
            bits(1e10),
            bits(-3e9),
            bits(1e20),
            bits(3.4028235677973366e38),
            bits(1.0 + 0x1p-24),
            bits(0x1p-150)};
  }
  if (type == "u8" || type == "s8") return {0, 1, 127, 128, 129, 255};
  if (type == "u16" || type == "s16" || type == "b16")
    return {0,      1,      2,      7,      15,     16,     17,     0x7fff, 0x8000,
            0x8001, 0xffff, 0xfffe, 0x5555, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7bff,
            0x0400, 0x83ff, 0x7c01, 0x3f80, 0x7f80, 0xff80, 0x7f7f, 0x0080, 0x807f};
  if (type == "u64" || type == "s64" || type == "b64") {
    return {0,
            1,
            2,
            31,
            32,
            33,
            63,
            64,
            65,
            0x7fffffff,
            0x80000000,
            0xffffffff,
            0x100000000,
            0x7fffffffffffffff,
            0x8000000000000000,
            0x8000000000000001,
            0xffffffffffffffff,
            0xfffffffffffffffe,
            0x5555555555555555};
  }
  return {0,          1,          2,          3,          7,          8,         15,
          16,         17,         31,         32,         33,         255,       256,
          0x7fff,     0x8000,     0xffff,     0x10000,    0x7fffff,   0x800000,  0xffffff,
          0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe, 0x55555555};
}

std::vector<std::uint64_t> randomValues(const std::string& type, std::size_t count,
                                        std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> values(count);
  if (type == "f32tame" || type == "f64tame") {  // tame: 2^-10 to 2^10, all mantissa bits
    for (std::uint64_t& value : values) {
      const double x = std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())),
                                  static_cast<int>(random() % 20) - 72);
      value = type == "f32tame" ? bits(static_cast<float>(x)) : bits(x);
    }
    return values;
  }
  const unsigned bytes = type == "f32x2" ? 8 : bytesOfName(type);
  for (std::uint64_t& value : values) {
    value = random() >> (random() % 2 == 0 ? 0 : random() % (8 * bytes));
    if (bytes < 8) value &= (std::uint64_t{1} << (8 * bytes)) - 1;
  }
  return values;
}

void checkOperation(const Operation& operation, const std::string& valueType) {
  std::vector<std::uint64_t> inputs;
  const std::vector<std::uint64_t> edges = edgeValues(valueType);
  const auto push = [&](std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
    inputs.insert(inputs.end(), {a, b, c, d});
  };
  std::mt19937_64 random(7);
  for (const std::uint64_t a : edges) {
    for (const std::uint64_t b : edges)
      push(a, b, edges[random() % edges.size()], edges[random() % edges.size()]);
  }
  const auto values = randomValues(valueType, 4 * 512, 11);
  inputs.insert(inputs.end(), values.begin(), values.end());
  run(operation, inputs, 32, false);
  run(operation, inputs, 45, false);
  run(operation, inputs, 64, true);
}

}  // namespace fermata::ptx::test
