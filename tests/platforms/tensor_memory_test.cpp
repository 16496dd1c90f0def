// Timing of tensor memory and of the products that leave their sums there (tcgen05), on sm_100;
// platforms without them.
#include <algorithm>

#include "tests/support/csv_columns.h"
#include "tests/support/program.h"

using namespace fermata::test;

namespace {

/// Returns a kernel whose first warp allocates `columns` columns, does `work` and frees them. One
/// thread executes work under @%p1; %r1 is the address in tensor memory, %r2 that of an mbarrier.
std::string kernel(const std::string& work, unsigned columns = 512) {
  const std::string all = std::to_string(columns);
  return ".version 8.6\n.target sm_100a\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 "
         "%r<9>; .reg .b64 %rd<9>; .reg .b32 %v<128>; .reg .pred %p<9>;\n.shared .align 1024 .b8 "
         "tile[49152]; .shared .align 8 .b64 bar; .shared .align 4 .b32 slot;\n"
         "mov.u32 %r3, slot; mov.u32 %r2, bar; mov.u32 %r7, tile; mov.u32 %r4, %tid.x; setp.eq.u32 "
         "%p1, %r4, 0;\n"
         "setp.lt.u32 %p4, %r4, 32; @%p1 mbarrier.init.shared.b64 [%r2], 1;\n"
         "@%p4 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r3], " +
         all +
         ";\nbar.sync 0; ld.shared.u32 %r1, [%r3];\nand.b32 %r5, %r4, 96; shl.b32 %r5, %r5, "
         "16; add.u32 %r5, %r5, %r1;\n" +
         work + "\nbar.sync 0;\n@%p4 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, " + all +
         ";\nret;\n}\n";
}

/// Returns `count` products of 128 x `columns`, an arrival and a wait. `mode`: of both descriptors.
std::string products(unsigned columns, unsigned count, std::uint64_t mode, bool transposed = false,
                     unsigned stride = 256) {
  const std::uint64_t a = std::uint64_t{128 / 16} << 16 | std::uint64_t{stride / 16} << 32 |
                          std::uint64_t{1} << 46 | mode << 61;
  const std::uint32_t turned = transposed ? 3U << 15 : 0;
  std::string text = "mov.b64 %rd1, " + std::to_string(a) + "; mov.b64 %rd2, " +
                     std::to_string(a + 16384 / 16) + "; mov.u32 %r6, " +
                     std::to_string(1U << 4 | turned | columns / 8 << 17 | 8U << 24) + ";\n";
  for (unsigned k = 0; k < count; ++k)
    text += "@%p1 tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r6, %p1;\n";
  return text +
         "@%p1 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r2];\n"
         "Q: mbarrier.try_wait.parity.shared.b64 %p2, [%r2], 0, 10000; @!%p2 bra Q;\n";
}

/// Returns such products with a sparse a, in shared memory or in tensor memory.
std::string sparseProducts(unsigned columns, unsigned count, bool inTensor) {
  std::string text = products(columns, count, 2, false, 1024);
  const std::size_t end = text.find(";\n", text.find("mov.u32 %r6"));
  text.insert(end + 2, "or.b32 %r6, %r6, 4;\n");
  const auto replace = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  };
  replace("tcgen05.mma", "tcgen05.mma.sp");
  replace("%rd1, %rd2, %r6", std::string(inTensor ? "[%r8]" : "%rd1") + ", %rd2, [%r5], %r6");
  return "mov.b32 %v0, 0x44444444; add.u32 %r8, %r1, 304; add.u32 %r5, %r5, 300;\n"
         "tcgen05.st.sync.aligned.32x32b.x1.b32 [%r5], {%v0}; tcgen05.wait::st.sync.aligned;\n"
         "add.u32 %r5, %r1, 300; bar.sync 0;\n" +
         text;
}

/// Returns such a kernel for pairs of CTAs, of which the first does `count` products of 256 x
/// `columns`.
std::string pairs(unsigned columns, unsigned count) {
  std::string text = kernel(
      "barrier.cluster.arrive; barrier.cluster.wait; mov.u32 %r8, %cluster_ctarank; "
      "setp.eq.and.u32 %p1, %r8, 0, %p1;\n" +
      products(columns, count, 2, false, 1024) + "barrier.cluster.arrive; barrier.cluster.wait;");
  const auto replace = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  };
  replace("cta_group::1", "cta_group::2");
  replace("shared::cluster.b64 [%r2]", "shared::cluster.multicast::cluster.b64 [%r2], %h1");
  replace("\nmov.u32 %r3, slot;", "\n.reg .b16 %h<2>; mov.b16 %h1, 3; mov.u32 %r3, slot;");
  const std::string rows128 = std::to_string(1U << 4 | columns / 8 << 17 | 8U << 24);
  replace(rows128, std::to_string(1U << 4 | columns / 8 << 17 | 16U << 24));
  return text;
}

struct Bench : Folder {
  unsigned long runPairs(const std::string& text, const std::string& more) const {
    write("k.ptx", text);
    write("k.toml",
          "description = 'k'\nkernel = 'k.ptx'\n[[launch]]\nentry = 'k'\ngrid = 2\nblock = 32\n"
          "cluster = 2\n");
    runProgram("run sm_100 k.toml --out r" + more, path).ok();
    return std::stoul(column(readFile(path / "r" / "runs.csv"), "cycles").at(0));
  }
  unsigned long run(const std::string& text, unsigned warps = 1, unsigned ctas = 1,
                    const std::string& more = "") const {
    write("k.ptx", text);
    write("k.toml", "description = 'k'\nkernel = 'k.ptx'\n[[launch]]\nentry = 'k'\ngrid = " +
                        std::to_string(ctas) + "\nblock = " + std::to_string(32 * warps) + "\n");
    runProgram("run sm_100 k.toml --out r" + more, path).ok();
    return std::stoul(column(readFile(path / "r" / "runs.csv"), "cycles").at(0));
  }
  unsigned long replay(const std::string& more = "") const {
    runProgram("run sm_100 t.csv --out again" + more, path).ok();
    return std::stoul(column(readFile(path / "again" / "runs.csv"), "cycles").at(0));
  }
  void checkReplay(unsigned long run, const std::string& more = "") const {
    BOOST_TEST(run == replay(more));
  }
  unsigned long sum(const std::string& name) const {
    unsigned long all = 0;
    for (const std::string& cell : column(readFile(path / "r" / "instructions.csv"), name))
      all += cell.empty() ? 0 : std::stoul(cell);
    return all;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(tensor_memory_timing, Bench)

// 4096 multiply-adds per cycle, and at least 44 cycles. Meanwhile the unit reads 4 KB of a and 32
// bytes per column of b, at 128 bytes per cycle: without a conflict in every layout but that whose
// swizzle moves 32 bytes. For 64 columns the banks take longer than the unit.
BOOST_AUTO_TEST_CASE(products_run_at_the_peak) {
  for (const std::uint64_t mode : {0U, 2U, 4U, 6U}) {
    BOOST_TEST_CONTEXT("swizzle " << mode) {
      const unsigned stride = mode == 0 ? 256 : mode == 2 ? 1024 : mode == 4 ? 512 : 256;
      for (const unsigned columns : {64U, 128U, 256U}) {
        const auto cycles = [&](unsigned count) {
          return run(kernel(products(columns, count, mode, false, stride)));
        };
        const unsigned long few = cycles(10);
        BOOST_TEST(cycles(20) - few == 10 * std::max({44U, columns / 2, 32 + columns / 4}));
        BOOST_TEST(sum("wavefronts_excessive") == 0U);
        BOOST_TEST(sum("wavefronts") == 20 * (32 + columns / 4) + 7U);
      }
    }
  }
  run(kernel(products(128, 10, 1, true, 1024)));
  BOOST_TEST(sum("wavefronts_excessive") == 10 * (32 + 32U));
}

// Each tensor unit of a pair multiplies its 128 rows by all columns, and reads the columns of its
// own shared memory: on SMs of their own, and where both CTAs share the banks of one.
BOOST_AUTO_TEST_CASE(pairs_run_at_the_peak) {
  for (const std::string more :
       {"", " --set chip.sms=2 --set global.memory=caches",
        " --set chip.sms=2 --set global.memory=caches --set chip.epoch=40"}) {
    BOOST_TEST_CONTEXT(more) {
      const unsigned long few = runPairs(pairs(256, 10), more);
      BOOST_TEST(runPairs(pairs(256, 20), more) - few == 10 * 128U);
      BOOST_TEST(sum("wavefronts_excessive") == 0U);
    }
  }
}

// A sparse product has twice the depth in the same time: it reads 64 bytes per column of b. With a
// in shared memory, too, the banks take longer than the unit.
BOOST_AUTO_TEST_CASE(sparse_products_take_the_time_of_their_columns) {
  for (const bool inTensor : {false, true}) {
    for (const unsigned columns : {64U, 256U}) {
      BOOST_TEST_CONTEXT(columns << (inTensor ? " columns, a in tensor memory" : " columns")) {
        const auto cycles = [&](unsigned count) {
          return run(kernel(sparseProducts(columns, count, inTensor)), 4);
        };
        const unsigned long few = cycles(10);
        BOOST_TEST(cycles(20) - few == 10 * std::max(44U, columns / 2 + (inTensor ? 0U : 32U)));
        BOOST_TEST(sum("wavefronts_excessive") == 0U);
      }
    }
  }
}

// A register of a warp has 128 bytes, of which 46 come per cycle, for each of four warps.
BOOST_AUTO_TEST_CASE(loads_take_the_way_of_their_lanes) {
  const auto loads = [](unsigned count) {
    std::string registers;
    for (unsigned k = 0; k < 64; ++k) registers += (k == 0 ? "{%v" : ", %v") + std::to_string(k);
    std::string text;
    for (unsigned k = 0; k < count; ++k)
      text += "tcgen05.ld.sync.aligned.32x32b.x64.b32 " + registers + "}, [%r5];\n";
    return kernel(text + "tcgen05.wait::ld.sync.aligned;\n");
  };
  for (const unsigned warps : {1U, 4U}) {
    const unsigned long few = run(loads(4), warps);
    BOOST_TEST(run(loads(8), warps) - few == 4 * ((64 * 128 + 45) / 46U));
  }
}

// CTAs of an SM compete for columns: the second one waits until the first one frees them.
BOOST_AUTO_TEST_CASE(an_allocation_waits_for_room) {
  const std::string pause = "nanosleep.u32 5000;\n";
  const double one = static_cast<double>(run(kernel(pause)));
  BOOST_TEST(static_cast<double>(run(kernel(pause), 1, 2)) == 2 * one,
             boost::test_tools::tolerance(0.05));
  BOOST_TEST(static_cast<double>(run(kernel(pause, 256), 1, 2)) == one,
             boost::test_tools::tolerance(0.05));
}

BOOST_AUTO_TEST_CASE(columns_are_free_when_their_cta_ends) {
  const std::string kept = kernel("nanosleep.u32 1000; ret;\n");
  const double one = static_cast<double>(run(kept));
  BOOST_TEST(static_cast<double>(run(kept, 1, 3)) == 3 * one, boost::test_tools::tolerance(0.15));
}

// Products of all kinds, copies, shifts, loads and stores. A pair reads both shared memories.
BOOST_AUTO_TEST_CASE(a_replay_takes_the_run_s_cycles) {
  const std::string both =
      "tcgen05.st.sync.aligned.32x32b.x1.b32 [%r5], {%v0};\n"
      "tcgen05.wait::st.sync.aligned; @%p1 tcgen05.shift.cta_group::1.down "
      "[%r1];\n@%p1 tcgen05.cp.cta_group::1.128x128b [%r1], %rd2;\n" +
      products(128, 3, 2, false, 1024) +
      "tcgen05.ld.sync.aligned.16x64b.x2.b32 {%v0, %v1}, [%r5];\n"
      "tcgen05.wait::ld.sync.aligned;\n";
  const std::string copies =
      "mov.b64 %rd2, " +
      std::to_string(std::uint64_t{8} << 16 | std::uint64_t{64} << 32 | std::uint64_t{1} << 46) +
      ";\n";
  checkReplay(run(kernel(copies + both), 4, 1, " --record t.csv"));
  for (const bool inTensor : {false, true})
    checkReplay(run(kernel(sparseProducts(64, 3, inTensor)), 4, 1, " --record t.csv"));
  for (const std::string more : {"", " --set chip.sms=2 --set global.memory=caches"})
    checkReplay(runPairs(pairs(256, 10), more + " --record t.csv"), more);
  const std::string slow = " --set tensor_memory.product_latency=3000";
  BOOST_TEST(replay(slow) == runPairs(pairs(256, 10), slow));
}

// The second of two CTAs waits for columns in a replay as it does in a run, and gets those that
// are free there. A trace of a machine with more room waits on one with less.
BOOST_AUTO_TEST_CASE(a_replay_waits_for_columns) {
  const std::string pause = "nanosleep.u32 5000;\n";
  checkReplay(run(kernel(pause), 1, 2, " --record t.csv"));
  BOOST_TEST(has(readFile(path / "t.csv"), ",,0/512\n"));
  const std::string two = " --set chip.sms=2 --set global.memory=caches";
  const unsigned long alone = run(kernel(pause), 1, 2, two + " --record t.csv");
  BOOST_TEST(replay() > alone + 5000);
  const std::string repeats = " --set scheduler.suspend_waits=false";
  checkReplay(run(kernel(pause), 1, 2, repeats + " --record t.csv"), repeats);
  checkReplay(run(kernel(pause, 256), 1, 2, " --record t.csv"));
  BOOST_TEST(has(readFile(path / "t.csv"), ",,256/256\n"));
}

BOOST_AUTO_TEST_CASE(a_compiled_trace_of_products_replays_the_same) {
  runProgram("run sm_100 tcgemm --param n=384 --record t.csv --out r", path).ok();
  const auto cycles = column(readFile(path / "r" / "runs.csv"), "cycles").at(0);
  for (unsigned k = 0; k < 2; ++k) BOOST_TEST(std::to_string(replay()) == cycles);
  BOOST_TEST(fs::exists(path / "t.csv.compiled"));
}

BOOST_AUTO_TEST_CASE(other_platforms_refuse_the_kernel) {
  run(kernel(products(64, 1, 0)));
  for (const std::string platform : {"sm_80", "sm_90", "sm_120"}) {
    runProgram("run " + platform + " k.toml", path)
        .refused("needs compute capability 10.0 to 10.9; the platform has " +
                 platform.substr(3, platform.size() - 4) + "." + platform.back());
    runProgram("run " + platform + " k.toml --set device.capability=10.0", path)
        .refused(
            "kernel 'k': 'tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32' needs tensor "
            "memory, as sm_100 has, and tensor_memory.load_latency is 0 on " +
            platform + "; expected a platform that has such units");
  }
  runProgram("run sm_90 k.toml --set tensor_memory.load_bytes=3", path)
      .refused("tensor_memory.load_bytes has no effect, for tensor_memory.load_latency is 0");
}

BOOST_AUTO_TEST_SUITE_END()
