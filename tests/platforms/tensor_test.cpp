// Products of matrices in time: units, intervals in proportion to the work, platforms without them.
#include <boost/test/unit_test.hpp>

#include "tests/support/csv_columns.h"
#include "tests/support/program.h"

namespace {

using fermata::test::Folder;
using fermata::test::has;
using fermata::test::Outcome;
using fermata::test::readFile;
using fermata::test::runProgram;

struct Product {
  const char* what;  ///< shape, layouts, types
  const char* d;
  const char* a;
  const char* b;
  const char* c;
  unsigned interval;  ///< where that of 16x8x16 halves is 16
};
constexpr const char* kTwo = "{%r30, %r31}";
constexpr const char* kFour = "{%r30, %r31, %r32, %r33}";
const Product kProducts[] = {
    {"m16n8k16.row.col.f32.f16.f16.f32", kFour, kFour, kTwo, kFour, 16},
    {"m16n8k8.row.col.f16.f16.f16.f16", kTwo, kTwo, "{%r30}", kTwo, 8},
    {"m16n8k8.row.col.f32.tf32.tf32.f32", kFour, kFour, kTwo, kFour, 16},
    {"m16n8k32.row.col.s32.s8.s8.s32", kFour, kFour, kTwo, kFour, 16},
    {"m8n8k16.row.col.s32.u8.s8.s32", kTwo, "{%r30}", "{%r30}", kTwo, 4},
    {"m8n8k4.row.col.f64.f64.f64.f64", "{%rd2, %rd3}", "{%rd2}", "{%rd2}", "{%rd2, %rd3}", 32},
};

/// `count` products that depend on one another, by each of the warps of a CTA.
std::string kernel(const Product& product, unsigned count) {
  std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %r<40>;\n"
      ".reg .b64 %rd<9>;\n";
  for (unsigned i = 0; i < count; ++i)
    text += std::string("mma.sync.aligned.") + product.what + " " + product.d + ", " + product.a +
            ", " + product.b + ", " + product.c + ";\n";
  return text + "ret;\n}\n";
}
constexpr const char* kUnits =
    " --set pipelines.tensor_units=1 --set tensor.interval=16 --set tensor.latency=40";

struct Bench : Folder {
  unsigned cycles(const std::string& what) const {
    const Outcome run = runProgram("run gtx480 k.toml --out r" + what, path);
    BOOST_TEST_REQUIRE(run.code == 0, run.text);
    const auto all = fermata::test::column(readFile(path / "r" / "runs.csv"), "cycles");
    return static_cast<unsigned>(std::stoul(all.at(0)));
  }
  void kernelOf(const Product& product, unsigned count, unsigned warps) const {
    write("k.ptx", kernel(product, count));
    write("k.toml",
          "description = 'k'\nkernel = 'k.ptx'\n[[launch]]\nentry = 'k'\ngrid = 1\nblock = " +
              std::to_string(32 * warps) + "\n");
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(tensor_units, Bench)

BOOST_AUTO_TEST_CASE(intervals_are_in_proportion_to_the_work) {
  for (const Product& product : kProducts) {
    BOOST_TEST_CONTEXT(product.what) {
      // A warp waits for the result; 16 warps wait for the unit, of which two take half as long.
      kernelOf(product, 20, 1);
      const unsigned chain20 = cycles(kUnits);
      kernelOf(product, 40, 1);
      BOOST_TEST(cycles(kUnits) - chain20 == 20 * (40 - 16 + product.interval));
      kernelOf(product, 20, 16);
      const unsigned full20 = cycles(kUnits);
      kernelOf(product, 40, 16);
      BOOST_TEST(cycles(kUnits) - full20 == 16 * 20 * product.interval);
    }
  }
  std::string two = kUnits;
  two.replace(two.find("units=1"), 7, "units=2");
  kernelOf(kProducts[0], 20, 16);
  const unsigned full20 = cycles(two);
  kernelOf(kProducts[0], 40, 16);
  BOOST_TEST(cycles(two) - full20 == 16 * 20 * 16 / 2);
}

BOOST_AUTO_TEST_CASE(a_trace_keeps_the_work) {
  kernelOf(kProducts[4], 30, 3);
  const std::string all = std::string(kUnits) + " --record t.csv";
  const unsigned recorded = cycles(all);
  BOOST_TEST(has(readFile(path / "t.csv"), ",class=tensor,work=2,reads="));
  const Outcome run = runProgram(std::string("run gtx480 t.csv") + kUnits, path);
  std::string number = std::to_string(recorded);
  for (int at = static_cast<int>(number.size()) - 3; at > 0; at -= 3)
    number.insert(static_cast<std::size_t>(at), ",");
  BOOST_TEST(has(run.text, " " + number + " "), run.text);
}

BOOST_AUTO_TEST_CASE(a_platform_without_units_refuses_the_kernel) {
  kernelOf(kProducts[0], 1, 1);
  for (const std::string platform : {"gtx480", "elastic-gt200"}) {
    const Outcome run = runProgram("run " + platform + " k.toml", path);
    BOOST_TEST(run.code == 2);
    BOOST_TEST(has(run.text,
                   "k.ptx:8: kernel 'k': 'mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32' needs "
                   "tensor units, and pipelines.tensor_units is 0 on " +
                       platform + "; expected a platform that has such units"),
               run.text);
  }
  const Outcome set = runProgram("run gtx480 k.toml --set tensor.latency=3", path);
  BOOST_TEST(set.code == 2);
  BOOST_TEST(has(set.text, "tensor.latency has no effect, for pipelines.tensor_units is 0"),
             set.text);
}

BOOST_AUTO_TEST_SUITE_END()
