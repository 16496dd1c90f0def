// What nvcc accepts and clang-16 does not: the compiler reads it in clang's spelling.
#include <boost/test/unit_test.hpp>

#include "tests/support/program.h"

namespace {

using namespace fermata::test;

/// A macro behind a literal without a space, in a header, beside literals that look alike.
constexpr const char* kHeader = R"(
#pragma once
#include <cinttypes>
#define TEXT "x"
/* extern "C"__global__ */
inline const char* raw() { return R"x("C"__global__ %laneid)x"; }
extern "C"__global__ void lanes(unsigned* out);
inline const char* format() { return "%" PRIu64 " %laneid" TEXT; }
)";

/// One % before the names of special registers, where assembly has operands; two before others.
constexpr const char* kProgram = R"(
#include "lanes.h"
#include <cstdio>
#include <cstring>
static __device__ unsigned laneOf() {
  unsigned lane, again;
  asm volatile("mov.u32 %0, %laneid;" : "=r"(lane));
  asm volatile("{ .reg .u32 t;\n\t"  // a comment, and two literals
               "mov.u32 t, %%laneid; mov.u32 %[to], t; }" : [to] "=r"(again));
  return lane == again ? lane : 99;
}
static __device__ unsigned long long __globaltimer() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  return t;
}
extern "C"__global__ void lanes(unsigned* out) {
  const unsigned long long before = __globaltimer();
  out[threadIdx.x] = laneOf() + (__globaltimer() < before ? 100 : 0);
}
int main() {
  unsigned* out;
  cudaMallocManaged(&out, 128);
  lanes<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  for (unsigned i = 0; i < 32; ++i)
    if (out[i] != i) return 1;
  puts(strcmp(raw(), "\"C\"__global__ %laneid") == 0 && format()[0] == '%' ? "right" : "wrong");
}
)";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(spellings, Folder)

BOOST_AUTO_TEST_CASE(a_program_in_nvccs_spelling_runs) {
  write("lanes.h", kHeader);
  write("app.cu", kProgram);
  const Outcome made = runProgram("cc app.cu -o app", path);
  BOOST_TEST_REQUIRE(made.code == 0, made.text);
  const Outcome run = runProgram("exec --quiet --platform gtx480 -- ./app", path);
  BOOST_TEST(run.code == 0, run.text);
  BOOST_TEST(run.text == "right\n");
}

BOOST_AUTO_TEST_CASE(messages_name_the_users_file_and_line) {
  write("app.cu", "extern \"C\"__global__ void k(int* a) {\n  *a = missing;\n}\nint main() {}\n");
  const Outcome made = runProgram("cc app.cu -o app", path);
  BOOST_TEST(made.code != 0);
  BOOST_TEST(made.text.find("app.cu:2:8: error") != std::string::npos, made.text);
  BOOST_TEST(made.text.find(".text") == std::string::npos, made.text);
}

BOOST_AUTO_TEST_SUITE_END()
