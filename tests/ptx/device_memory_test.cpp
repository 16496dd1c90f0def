// Device memory: allocations come and go, and reuse the places of freed ones.
#include <boost/test/unit_test.hpp>
#include <random>

#include "tests/ptx/support.h"

namespace fermata::ptx::test {
namespace {

constexpr std::uint64_t kArena = DeviceMemory::kArenaEnd - DeviceMemory::kArenaBase;

}  // namespace

BOOST_AUTO_TEST_SUITE(device_memory)

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

BOOST_AUTO_TEST_CASE(memory_of_its_owner) {
  DeviceMemory memory;
  std::vector<std::uint32_t> host(64, 5);
  const auto at = reinterpret_cast<std::uint64_t>(host.data());
  memory.adopt(at, 256, host.data(), "managed");
  Bench bench(
      kernelText("mad.wide.u32 %rd1, %r92, 4, %rd91; atom.global.add.u32 %r1, [%rd1], %r90; "
                 "ld.u32 %r2, [%rd1+128]; add.u32 %r2, %r2, %r1; st.u32 [%rd1+128], %r2;"),
      "k");
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

}  // namespace fermata::ptx::test
