// Large pages of the host for the program's heap.
#include <fermata/platforms/program/large_pages.h>
#include "tests/support/test.h"

#include <malloc.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

/// Returns the flags of the part of the heap that has this byte; empty: it is not in the heap.
std::string flagsOf(const void* byte) {
  const auto address = reinterpret_cast<std::uintptr_t>(byte);
  std::ifstream maps("/proc/self/smaps");
  bool here = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    std::istringstream words(line);
    if (words >> std::hex >> begin >> dash >> end && dash == '-')
      here = address >= begin && address < end && line.find("[heap]") != std::string::npos;
    if (here && line.rfind("VmFlags:", 0) == 0) return line;
  }
  return {};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(large_pages)

// A block that the heap had no room for before. An allocator that is not the host's (a
// sanitizer's) knows no mallopt() and is left alone.
BOOST_AUTO_TEST_CASE(what_the_heap_takes_is_asked_for) {
  fermata::platforms::growHeapByLargePages();
  if (::mallopt(M_TOP_PAD, 0) == 0 ||
      !std::filesystem::exists("/sys/kernel/mm/transparent_hugepage"))
    return;
  std::vector<std::uint8_t> block(20 << 20);
  BOOST_TEST(flagsOf(block.data() + (16 << 20)).find(" hg") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
