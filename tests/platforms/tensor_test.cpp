// Timing of matrix products: units, intervals in proportion to the work, platforms without units.
#include "tests/support/csv_columns.h"
#include "tests/support/program.h"

using namespace fermata::test;

namespace {

struct Product {
  const char* what;  ///< shape, layouts, types
  const char* d;
  const char* a;
  const char* b;
  const char* c;
  unsigned interval;  ///< interval, in cycles, on a platform that gives 16x8x16 halves 16
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

/// Returns a kernel of `count` products per warp, each dependent on the previous.
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
    runProgram("run gtx480 k.toml --out r" + what, path).ok();
    const auto all = column(readFile(path / "r" / "runs.csv"), "cycles");
    return static_cast<unsigned>(std::stoul(all.at(0)));
  }
  void kernelOf(const Product& product, unsigned count, unsigned warps) const {
    write("k.ptx", kernel(product, count));
    write("k.toml",
          "description = 'k'\nkernel = 'k.ptx'\n[[launch]]\nentry = 'k'\ngrid = 1\nblock = " +
              std::to_string(32 * warps) + "\n");
  }
};

/// Returns a kernel of `count` products of one warp group, with factors laid out by `swizzle`
/// (bytes). Of sparse ones b is twice as deep.
std::string groupKernel(unsigned columns, unsigned swizzle, unsigned count, bool sparse = false) {
  const std::uint64_t mode = swizzle == 0 ? 0 : swizzle == 128 ? 1 : swizzle == 64 ? 2 : 3;
  const std::uint64_t stride = swizzle == 0 ? (sparse ? 512 : 256) : 8 * swizzle;
  const std::uint64_t a = 128 / 16 << 16 | stride / 16 << 32 | mode << 62, b = a | 16384 / 16;
  std::string sums;
  for (unsigned i = 0; i < columns / 2; ++i) sums += (i == 0 ? "{%f" : ", %f") + std::to_string(i);
  std::string text =
      ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %r<9>;\n"
      ".reg .b64 %rd<9>; .reg .f32 %f<128>; .reg .pred %p<3>; .shared .align 1024 .b8 "
      "tile[49152];\n"
      "mov.u32 %r0, tile; setp.eq.u32 %p1, %r0, %r0;\nmov.b64 %rd1, " +
      std::to_string(a) + "; mov.b64 %rd2, " + std::to_string(b) + ";\n";
  for (unsigned i = 0; i < count; ++i)
    text += std::string("wgmma.mma_async.") + (sparse ? "sp." : "") + "sync.aligned.m64n" +
            std::to_string(columns) + (sparse ? "k32" : "k16") + ".f32.f16.f16 " + sums +
            "}, %rd1, %rd2, " + (sparse ? "%r0, 0, " : "") + "%p1, 1, 1, 0, 0;\n";
  return text + "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\nret;\n}\n";
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(tensor_units, Bench)

BOOST_AUTO_TEST_CASE(intervals_are_in_proportion_to_the_work) {
  for (const Product& product : kProducts) {
    BOOST_TEST_CONTEXT(product.what) {
      // One warp waits for its result, 16 warps for the unit; with two units they take half as
      // long.
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

// GeForce boards: sums in f32 hold the unit twice as long, with the same latency.
BOOST_AUTO_TEST_CASE(sums_of_floats_may_take_longer) {
  const std::string twice = kUnits + std::string(" --set tensor.float_sums=2");
  for (const Product& product : kProducts) {
    BOOST_TEST_CONTEXT(product.what) {
      const bool floats = has(product.what, ".col.f32.");
      kernelOf(product, 20, 16);
      const unsigned full20 = cycles(twice);
      kernelOf(product, 40, 16);
      BOOST_TEST(cycles(twice) - full20 == 16 * 20 * product.interval * (floats ? 2 : 1));
      kernelOf(product, 20, 1);
      const unsigned chain20 = cycles(twice);
      BOOST_TEST(chain20 == cycles(kUnits));
    }
  }
  kernelOf(kProducts[0], 20, 16);
  runProgram("run gtx480 k.toml --out r --record t.csv" + twice, path).ok();
  runProgram("run gtx480 t.csv --out r2" + twice, path).ok();
  BOOST_TEST(column(readFile(path / "r" / "runs.csv"), "cycles") ==
                 column(readFile(path / "r2" / "runs.csv"), "cycles"),
             tt::per_element());
}

// 512 multiply-adds per cycle and unit: 64 columns in 32 cycles. Meanwhile the group reads 2 KB of
// a and 32 bytes per column of b, at 128 bytes per cycle: without a conflict in every layout. Of
// fewer columns reading sets the pace, as on an H100: 16 cycles and one for each four columns.
BOOST_AUTO_TEST_CASE(products_of_a_warp_group_run_at_the_peak) {
  const auto run = [&](unsigned columns, unsigned swizzle, unsigned count) {
    kernelOf(kProducts[0], 1, 4);
    write("k.ptx", groupKernel(columns, swizzle, count));
    runProgram("run sm_90 k.toml --out r --record t.csv", path).ok();
    const auto sum = [&](const std::string& name) {
      unsigned long all = 0;
      for (const std::string& cell : column(readFile(path / "r" / "instructions.csv"), name))
        all += std::stoul(cell);
      return all;
    };
    BOOST_TEST(sum("wavefronts") == count * (16 + columns / 4));
    BOOST_TEST(sum("wavefronts_excessive") == 0U);
    return std::stoul(column(readFile(path / "r" / "runs.csv"), "cycles").at(0));
  };
  for (const unsigned swizzle : {0U, 32U, 64U, 128U}) {
    BOOST_TEST_CONTEXT("swizzle " << swizzle) {
      BOOST_TEST(run(8, swizzle, 20) - run(8, swizzle, 10) == 10 * 18U);
      BOOST_TEST(run(16, swizzle, 20) - run(16, swizzle, 10) == 10 * 20U);
      BOOST_TEST(run(32, swizzle, 20) - run(32, swizzle, 10) == 10 * 24U);
      BOOST_TEST(run(48, swizzle, 20) - run(48, swizzle, 10) == 10 * 28U);
      BOOST_TEST(run(64, swizzle, 20) - run(64, swizzle, 10) == 10 * 32U);
      BOOST_TEST(run(128, swizzle, 20) - run(128, swizzle, 10) == 10 * 64U);
      BOOST_TEST(run(256, swizzle, 20) - run(256, swizzle, 10) == 10 * 128U);
    }
  }
  for (const unsigned columns : {48U, 256U}) {
    const unsigned long recorded = run(columns, 128, 10);
    BOOST_TEST(has(readFile(path / "t.csv"), ",class=tensor,space=shared,work=" +
                                                 std::to_string(columns) + ",float_sums=1,reads="));
    runProgram("run sm_90 t.csv --out r2", path).ok();
    BOOST_TEST(column(readFile(path / "r2" / "runs.csv"), "cycles").at(0) ==
               std::to_string(recorded));
  }
  runProgram("run sm_80 k.toml", path)
      .refused("needs compute capability 9.0 and no later one; the platform has 8.0");
  runProgram("run sm_80 k.toml --set device.capability=9.0", path)
      .refused(
          "k.ptx:10: kernel 'k': 'wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16' is of a "
          "warp group, and tensor.group_interval is 0 on sm_80; expected a platform that has "
          "such units");
}

// A sparse product is of 32 columns of b in the time of 16. It reads 64 bytes per column of b: of
// 256 columns 144 cycles pass for 18 KB, longer than the product takes. Two groups: products of one
// wait for each other's reads.
BOOST_AUTO_TEST_CASE(sparse_products_of_a_warp_group_take_half_as_long) {
  const auto run = [&](unsigned columns, unsigned swizzle, unsigned count) {
    kernelOf(kProducts[0], 1, 8);
    write("k.ptx", groupKernel(columns, swizzle, count, true));
    runProgram("run sm_90 k.toml --out r", path).ok();
    unsigned long all = 0;
    for (const std::string& cell : column(readFile(path / "r" / "instructions.csv"), "wavefronts"))
      all += std::stoul(cell);
    BOOST_TEST(all == 2 * count * 4 * (4 + columns / 8));
    return std::stoul(column(readFile(path / "r" / "runs.csv"), "cycles").at(0));
  };
  for (const unsigned swizzle : {0U, 64U, 128U}) {
    BOOST_TEST_CONTEXT("swizzle " << swizzle) {
      BOOST_TEST(run(64, swizzle, 20) - run(64, swizzle, 10) == 20 * 48U);
      BOOST_TEST(run(256, swizzle, 20) - run(256, swizzle, 10) == 20 * 144U);
    }
  }
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
  run.says(" " + number + " ");
}

BOOST_AUTO_TEST_CASE(a_platform_without_units_refuses_the_kernel) {
  kernelOf(kProducts[0], 1, 1);
  for (const std::string platform : {"gtx480", "elastic-gt200"}) {
    runProgram("run " + platform + " k.toml", path)
        .refused(
            "k.ptx:8: kernel 'k': 'mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32' needs "
            "tensor units, and pipelines.tensor_units is 0 on " +
            platform + "; expected a platform that has such units");
  }
  runProgram("run gtx480 k.toml --set tensor.latency=3", path)
      .refused("tensor.latency has no effect, for pipelines.tensor_units is 0");
}

BOOST_AUTO_TEST_SUITE_END()
