// Device memory: allocations of the host and of kernels (malloc, free) come and go, and reuse the
// places of freed ones.

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

constexpr std::uint64_t kArena = DeviceMemory::kArenaEnd - DeviceMemory::kArenaBase;

using Address = std::uint64_t;

const std::string kItems = R"(
.extern .func (.param .b64 func_retval0) malloc(.param .b64 malloc_param_0);
.extern .func free(.param .b64 free_param_0);
)";
/// Allocates %rd5 bytes, address in %rd6; kFree frees %rd6.
const std::string kMalloc =
    "{ .param .b64 p; .param .b64 r; st.param.b64 [p+0], %rd5; call.uni (r), malloc, (p); "
    "ld.param.b64 %rd6, [r+0]; }";
const std::string kFree = "{ .param .b64 p; st.param.b64 [p+0], %rd6; call.uni free, (p); }";
const std::string kTo = "mad.wide.u32 %rd1, %r92, 8, %rd91;";

std::vector<Address> launched(Bench& bench, const std::vector<Address>& out) {
  const Address at = bench.buffer(out, "out");
  bench.launch.parameters.clear();
  bench.parameter(at).parameter(at).parameter(0U);
  bench.run();
  return bench.values<Address>(at, out.size());
}

std::string failure(const std::string& body) {
  return errorOf([&] { runBody<Address>(kTo + body, 32, {}, kItems); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(device_memory)

BOOST_AUTO_TEST_CASE(a_gap_lies_behind_each_allocation) {
  for (const auto& [gap, apart] : {std::pair{0U, 512U}, {1U, 768U}, {256U, 768U}, {1000U, 1536U}}) {
    DeviceMemory memory(false, Reach::Arena, gap);
    const Address first = memory.allocate(300, "a");
    BOOST_TEST(memory.allocate(1, "b") == first + apart);
  }
  // Side by side, an access behind the first meets the second; one across both meets none.
  DeviceMemory memory(false, Reach::Arena, 0);
  const Address first = memory.allocate(512, "a");
  memory.allocate(4, "b");
  BOOST_TEST(memory.find(first + 512, 4)->name == "b");
  BOOST_TEST(memory.find(first + 508, 8) == nullptr);
  BOOST_TEST(memory.find(first + 516, 4) == nullptr);
}

// Compares random allocations with a plain list: they are aligned, disjoint and zero, and keep the
// bytes written to them. In the end all memory is free again.
BOOST_AUTO_TEST_CASE(random_allocations_and_frees) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    std::mt19937 random(seed);
    DeviceMemory memory, again;
    struct Mine {
      std::uint64_t base;
      std::size_t bytes;
      std::uint8_t mark;
    };
    std::vector<Mine> mine;
    for (int step = 0; step < 4000; ++step) {
      if (random() % 100 < 55 || mine.empty()) {
        const std::size_t bytes = 1 + random() % (random() % 4 == 0 ? 100000 : 600);
        const std::uint64_t base = memory.allocate(bytes, "x");
        BOOST_TEST_REQUIRE(again.allocate(bytes, "x") == base);
        BOOST_TEST_REQUIRE(base % DeviceMemory::kAlignment == 0U);
        BOOST_TEST_REQUIRE(*memory.host(base) == 0);
        BOOST_TEST_REQUIRE(*memory.host(base + bytes - 1) == 0);
        for (const Mine& other : mine)
          BOOST_TEST_REQUIRE(
              (base >= other.base + other.bytes + 256 || other.base >= base + bytes + 256));
        const auto mark = static_cast<std::uint8_t>(1 + random() % 255);
        *memory.host(base) = *memory.host(base + bytes - 1) = mark;
        mine.push_back({base, bytes, mark});
      } else {
        const std::size_t k = random() % mine.size();
        BOOST_TEST_REQUIRE(*memory.host(mine[k].base + mine[k].bytes - 1) == mine[k].mark);
        memory.release(mine[k].base);
        again.release(mine[k].base);
        BOOST_TEST_REQUIRE(memory.find(mine[k].base) == nullptr);
        mine.erase(mine.begin() + static_cast<std::ptrdiff_t>(k));
      }
    }
    for (const Mine& each : mine) memory.release(each.base);
    BOOST_TEST(memory.freeBytes() == kArena);
    BOOST_TEST(memory.hasRoom(kArena - 256));
    BOOST_TEST(memory.allocate(1, "first") == DeviceMemory::kArenaBase);
  }
}

// Untouched pages cost nothing; freed memory can be allocated again.
BOOST_AUTO_TEST_CASE(two_gigabytes_again_and_again) {
  DeviceMemory memory;
  for (int k = 0; k < 50; ++k) {
    const std::uint64_t base = memory.allocate(std::size_t{1} << 31, "large");
    const std::uint64_t small = memory.allocate(100, "small");
    *memory.host(base + (std::uint64_t{1} << 30)) = 7;
    BOOST_TEST(!memory.hasRoom(std::size_t{1} << 31));
    memory.release(base);
    memory.release(small);
  }
  BOOST_TEST(memory.freeBytes() == kArena);
}

// Beyond the arena, where that is asked for: addresses have more than 32 bits.
BOOST_AUTO_TEST_CASE(allocations_beyond_the_arena) {
  constexpr std::size_t kLarge = std::size_t{40} << 30;
  BOOST_TEST(!DeviceMemory().hasRoom(kLarge));
  DeviceMemory memory(false, Reach::Wide);
  BOOST_TEST(memory.allocate(100, "small") == DeviceMemory::kArenaBase);
  for (int k = 0; k < 3; ++k) {
    const std::uint64_t base = memory.allocate(kLarge, "large");
    BOOST_TEST(base == DeviceMemory::kWideBase);
    BOOST_TEST(*memory.host(base + kLarge - 1) == 0);
    *memory.host(base + kLarge - 1) = *memory.host(base) = 7;
    BOOST_TEST(memory.find(base + kLarge) == nullptr);
    BOOST_TEST(memory.allocate(kLarge, "other") == base + kLarge + 256);
    memory.release(base);
    memory.release(base + kLarge + 256);
  }
  expect(memory.describe(DeviceMemory::kWideBase + 4), {"4 bytes into 'large'", "was freed"});
  expect(errorOf([&] { (void)memory.allocate(std::size_t{1} << 40, "all"); }),
         {"device memory is full: 'all' needs 1099511627776 bytes"});
}

BOOST_AUTO_TEST_CASE(memory_of_its_owner) {
  DeviceMemory memory;
  std::vector<std::uint32_t> host(64, 5);
  const auto at = reinterpret_cast<std::uint64_t>(host.data());
  memory.adopt(at, 256, host.data(), "managed");
  Bench bench(
      kernelText("mad.wide.u32 %rd1, %r92, 4, %rd91; atom.global.add.u32 %r1, [%rd1], %r90; ld.u32 "
                 "%r2, [%rd1+128]; add.u32 %r2, %r2, %r1; st.u32 [%rd1+128], %r2;"));
  bench.memory.adopt(at, 256, host.data(), "managed");
  bench.parameter(at).parameter(at).parameter(0U);
  bench.run();
  for (std::uint32_t k = 0; k < 32; ++k) {
    BOOST_TEST(host[k] == 5 + k);
    BOOST_TEST(host[k + 32] == 10U);
  }
  const auto refused = [&](std::uint64_t base, std::size_t bytes) {
    return errorOf([&] { memory.adopt(base, bytes, host.data(), "other"); });
  };
  expect(refused(at + 252, 8), {"meets another allocation"});
  expect(refused(at - 4, 8), {"meets another allocation"});
  expect(refused(at + 16, 8), {"meets another allocation"});
  expect(refused(0x1000, 8), {"cannot be device memory"});
  expect(refused(at + 1024, 0), {"cannot be device memory"});
  expect(refused(~std::uint64_t{0} - 3, 8), {"cannot be device memory"});
  memory.release(at);
  BOOST_TEST(host[0] == 5U);
  expect(memory.describe(at + 8), {"8 bytes into 'managed' (256 bytes"});
  expect(memory.describe(at + 8), {"which was freed"});
  memory.adopt(at, 128, host.data(), "managed");
  BOOST_TEST(memory.find(at, 128) != nullptr);
}

// Adopted memory in the arena blocks its place for allocations.
BOOST_AUTO_TEST_CASE(memory_of_its_owner_in_the_arena) {
  DeviceMemory memory;
  std::vector<std::uint8_t> host(1000);
  const std::uint64_t at = DeviceMemory::kArenaBase + 512;
  memory.adopt(at, host.size(), host.data(), "own");
  BOOST_TEST(memory.allocate(256, "before") == DeviceMemory::kArenaBase);
  BOOST_TEST(memory.allocate(256, "behind") == at + 1024 + 256);
  const auto refused = [&](std::uint64_t base, std::size_t bytes) {
    return errorOf([&] { memory.adopt(base, bytes, host.data(), "other"); });
  };
  expect(refused(at + 8192 + 4, 8), {"does not fit the arena"});
  expect(refused(at + 1024, 8), {"does not fit the arena"});
  expect(refused(DeviceMemory::kArenaEnd - 256, 512), {"does not fit the arena"});
  memory.release(at);
  BOOST_TEST(memory.allocate(1000, "again") == at);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(heap)

// A launch may read and free memory of an earlier launch; every thread has its own bytes.
BOOST_AUTO_TEST_CASE(lasts_from_launch_to_launch) {
  Bench make(kernelText(kTo + "cvt.u64.u32 %rd5, %r90; add.u64 %rd5, %rd5, 4;" + kMalloc +
                            "st.u32 [%rd6], %r90; st.global.u64 [%rd1], %rd6;",
                        kItems));
  const std::vector<Address> made = launched(make, std::vector<Address>(32));
  for (std::uint32_t k = 0; k < 32; ++k) {
    BOOST_TEST(made[k] % 16 == 0U);
    std::uint32_t value = 99;
    make.memory.read(made[k], &value, 4);
    BOOST_TEST(value == k);
    BOOST_TEST(make.memory.find(made[k], k + 4) != nullptr);
    BOOST_TEST(make.memory.find(made[k], k + 5) == nullptr);
  }
  const auto second =
      parse(kernelText(kTo + "ld.global.u64 %rd6, [%rd1]; ld.u32 %r1, [%rd6];" + kFree +
                           "cvt.u64.u32 %rd7, %r1; st.global.u64 [%rd1], %rd7;",
                       kItems),
            "free.ptx");
  make.launch.kernel = &second->kernel("k");
  const std::vector<Address> values = launched(make, made);
  for (std::uint32_t k = 0; k < 32; ++k) {
    BOOST_TEST(values[k] == k);
    BOOST_TEST(make.memory.find(made[k]) == nullptr);
  }
}

// A heap of 8 MiB in pieces of 1 MiB: eight threads get one, whatever was freed before.
BOOST_AUTO_TEST_CASE(has_a_limit) {
  const std::string megabyte = "mov.u64 %rd5, 1048576;" + kMalloc;
  const auto got = runBody<Address>(
      kTo + megabyte + kFree + megabyte + "st.global.u64 [%rd1], %rd6;", 32, {}, kItems);
  BOOST_TEST(std::count(got.begin(), got.end(), Address{0}) == 24);
  RunOptions small;
  small.executor.heapBytes = 100;
  const auto none = runBody<Address>(kTo + "cvt.u64.u32 %rd5, %r90; mul.lo.u64 %rd5, %rd5, %rd5;" +
                                         kMalloc + kFree + "st.global.u64 [%rd1], %rd6;",
                                     32, small, kItems);
  // Blocks of 1, 4, 9, 16 and 25 bytes take 96 of the 100 bytes.
  for (std::uint32_t k = 0; k < 32; ++k) BOOST_TEST((none[k] != 0) == (k >= 1 && k <= 5), k);
  const auto huge = runBody<Address>(
      kTo + "mov.u64 %rd5, -1;" + kMalloc + kFree + "st.global.u64 [%rd1], %rd6;", 32, {}, kItems);
  BOOST_TEST(std::count(huge.begin(), huge.end(), Address{0}) == 32);
}

BOOST_AUTO_TEST_CASE(mistakes_name_the_lane) {
  const std::string one = "mov.u64 %rd5, 8;" + kMalloc;
  expect(failure(one + "setp.ne.u32 %p1, %r90, 5; @%p1 exit;" + kFree + kFree),
         {"which malloc has not given or which was freed before", "0 bytes into 'malloc' (8 bytes",
          "which was freed", "lane 5"});
  expect(failure("mov.u64 %rd6, %rd91;" + kFree), {"0 bytes into 'out'"});
  expect(failure(one + "add.u64 %rd6, %rd6, 4;" + kFree), {"4 bytes into 'malloc'"});
  expect(failure(one + kFree + "ld.u32 %r1, [%rd6+4];"),
         {"4 bytes into 'malloc' (8 bytes", "which was freed"});
  expect(failure(one + "st.u32 [%rd6+8], 1;"), {"0 bytes past the end of 'malloc'"});
  expect(failure("mov.u64 %rd5, 0;" + kMalloc + kFree + "st.u32 [%rd6], 1;"),
         {"address 0x0 is out of bounds"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
