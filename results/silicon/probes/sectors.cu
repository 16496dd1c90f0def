// What a load of global memory finds in the L1 after another access of its line: cycles of one
// thread's load, the median of 64 lines that were not there before.
#include "probe.cuh"

namespace {

constexpr unsigned kLines = 64;
constexpr unsigned kWordsApart = 1024;

__device__ unsigned load(const unsigned* at) {
  unsigned value;
  asm volatile("ld.global.u32 %0,[%1];" : "=r"(value) : "l"(at) : "memory");
  return value;
}
__device__ void store(unsigned* at) {
  asm volatile("st.global.u32 [%0],%1;" ::"l"(at), "r"(1) : "memory");
}
/// Holds the thread until the value is there.
__device__ void await(unsigned value) {
  asm volatile("{ .reg .pred p; setp.eq.u32 p,%0,0x7fffffff; @p trap; }" ::"r"(value) : "memory");
}
__device__ void wait() {
  const unsigned start = clockNow();
  while (clockNow() - start < 3000) continue;
}

/// `before`: 0 nothing, 1 a load, 2 a store, 3 a load and a store, 4 a load and an atomic, 5 stores
/// of the whole sector. The timed load is `words` behind it.
__global__ void find(unsigned* cycles, unsigned* lines, unsigned before, unsigned words,
                     unsigned* sink) {
  unsigned sum = 0;
  for (unsigned k = 0; k < kLines; ++k) {
    unsigned* const line = lines + k * kWordsApart;
    if (before == 1 || before == 3 || before == 4) sum += load(line);
    wait();
    if (before == 2 || before == 3) store(line);
    if (before == 4) asm volatile("red.global.add.u32 [%0],1;" ::"l"(line) : "memory");
    for (unsigned w = 0; w < 8 && before == 5; ++w) store(line + w);
    wait();
    const unsigned start = clockNow();
    const unsigned value = load(line + words);
    await(value);
    const unsigned end = clockNow();
    sum += value;
    cycles[k] = end - start;
  }
  *sink = sum;
}

/// Counts the loads of the second round over `lines` lines that miss.
__global__ void again(unsigned* misses, const unsigned* words, unsigned lines, unsigned* sink) {
  unsigned sum = 0;
  for (unsigned k = 0; k < lines; ++k) sum += load(words + k * 32);
  wait();
  unsigned count = 0;
  for (unsigned k = 0; k < lines; ++k) {
    const unsigned start = clockNow();
    const unsigned value = load(words + k * 32);
    await(value);
    const unsigned end = clockNow();
    sum += value;
    count += end - start > 120 ? 1 : 0;
  }
  *misses = count;
  *sink = sum;
}

}  // namespace

int main(int argc, char** argv) {
  const Bench bench;
  auto* const sink = reinterpret_cast<unsigned*>(bench.sink);
  unsigned* lines;
  CHECK(cudaMalloc(&lines, kLines * kWordsApart * 4 + (1 << 20)));
  std::FILE* file = openCsv(argc, argv, "sectors.csv", "machine,before,bytes_behind,cycles");
  const char* const names[] = {
      "nothing", "load", "store", "load and store", "load and atomic", "stores of the sector"};
  for (unsigned before = 0; before < 6; ++before) {
    for (const unsigned words : {0U, 1U, 8U, 16U, 24U, 32U}) {
      CHECK(cudaMemset(lines, 0, kLines * kWordsApart * 4));
      find<<<1, 1>>>(bench.table, lines, before, words, sink);
      CHECK(cudaDeviceSynchronize());
      std::vector<unsigned> cycles(bench.table, bench.table + kLines);
      std::nth_element(cycles.begin(), cycles.begin() + kLines / 2, cycles.end());
      std::fprintf(file, "%s,%s,%u,%u\n", machineName(), names[before], words * 4,
                   cycles[kLines / 2]);
    }
  }
  std::fclose(file);
  file = openCsv(argc, argv, "l1_size.csv", "machine,shared_bytes,lines,misses");
  for (const unsigned shared : {0U, 8U, 16U, 32U, 64U, 100U, 132U, 164U, 196U, 227U}) {
    CHECK(cudaFuncSetAttribute(again, cudaFuncAttributeMaxDynamicSharedMemorySize, shared * 1024));
    for (unsigned lines_ = 64; lines_ <= 2240; lines_ += 64) {
      again<<<1, 1, shared * 1024>>>(bench.table, lines, lines_, sink);
      CHECK(cudaDeviceSynchronize());
      std::fprintf(file, "%s,%u,%u,%u\n", machineName(), shared * 1024, lines_, bench.table[0]);
    }
  }
  std::fclose(file);
}
