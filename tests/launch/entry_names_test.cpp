// Kernels named as in C++, though compilers have mangled their names.
#include <fermata/stimuli/launch/entry_names.h>

#include "tests/launch/support.h"

namespace fermata::launch {
namespace {

// Names that clang-16 gives to: saxpy(float*, unsigned long), tk<3, 4u, true>(float*, int),
// ns::kernel<float, 4>(float*), ns::kernel<unsigned long long, 4>(unsigned long long*), (anonymous
// namespace)::anon(float*), em<(Mode)1>(int*), ch<(char)97>(int*), lo<-3l, 7ul>(int*),
// other::saxpy(int), twice(int), twice(float).
const std::vector<std::string> kEntries = {
    "plain",
    "i",
    "_Z5saxpyPfm",
    "_Z2tkILi3ELj4ELb1EEvPfi",
    "_ZN2ns6kernelIfLi4EEEvPT_",
    "_ZN2ns6kernelIyLi4EEEvPT_",
    "_ZN12_GLOBAL__N_14anonEPf",
    "_Z2emIL4Mode1EEvPi",
    "_Z2chILc97EEvPi",
    "_Z2loILln3ELm7EEvPi",
    "_ZN5other5saxpyEi",
    "_Z5twicei",
    "_Z5twicef",
    "_ZN2ns4onlyEv",
};

const SourceLocation kWhere{"f.toml", 3, 9};

std::string find(const std::string& name) {
  return findEntry(kEntries, name, "k.ptx", kWhere);
}

BOOST_AUTO_TEST_SUITE(entry_names)

BOOST_AUTO_TEST_CASE(a_name_finds_its_entry) {
  const std::pair<const char*, const char*> cases[] = {
      {"plain", "plain"},
      {"i", "i"},
      {"_Z5saxpyPfm", "_Z5saxpyPfm"},
      {"saxpy", "_Z5saxpyPfm"},  // not other::saxpy: a whole name goes first
      {"other::saxpy", "_ZN5other5saxpyEi"},
      {"saxpy(int)", "_ZN5other5saxpyEi"},
      {"tk", "_Z2tkILi3ELj4ELb1EEvPfi"},
      {"tk<3,4,1>", "_Z2tkILi3ELj4ELb1EEvPfi"},
      {"tk< 3, 4u, true >", "_Z2tkILi3ELj4ELb1EEvPfi"},
      {"ns::kernel<float, 4>", "_ZN2ns6kernelIfLi4EEEvPT_"},
      {"kernel<float,4>", "_ZN2ns6kernelIfLi4EEEvPT_"},
      {"kernel<unsigned long long, 4>", "_ZN2ns6kernelIyLi4EEEvPT_"},
      {"ns::kernel<float, 4>(float*)", "_ZN2ns6kernelIfLi4EEEvPT_"},
      {"anon", "_ZN12_GLOBAL__N_14anonEPf"},
      {"em<1>", "_Z2emIL4Mode1EEvPi"},
      {"ch<97>", "_Z2chILc97EEvPi"},
      {"lo<-3, 7>", "_Z2loILln3ELm7EEvPi"},
      {"twice(int)", "_Z5twicei"},
      {"twice(float)", "_Z5twicef"},
      {"only", "_ZN2ns4onlyEv"},
  };
  for (const auto& [name, entry] : cases) BOOST_TEST(find(name) == entry, name);
}

BOOST_AUTO_TEST_CASE(types_are_the_same_however_written) {
  const std::vector<std::string> entries = {"_Z1kIjEvPT_", "_Z1kIhEvPT_", "_Z1kImEvPT_"};
  const auto name = [&](const std::string& text) { return findEntry(entries, text, "k", {}); };
  BOOST_TEST(name("k<unsigned>") == entries[0]);  // k<unsigned int>(unsigned int*)
  BOOST_TEST(name("k<unsigned int>") == entries[0]);
  BOOST_TEST(name("k<unsigned  char>") == entries[1]);
  BOOST_TEST(name("k<unsigned long>") == entries[2]);
}

BOOST_AUTO_TEST_CASE(two_of_a_name_are_listed) {
  const std::string kernels = refusal([] { find("kernel"); });
  BOOST_TEST(has(kernels,
                 "f.toml:3:9: 'kernel' is the name of 2 kernels in 'k.ptx'; expected one of "
                 "ns::kernel<float, 4>(float*) (_ZN2ns6kernelIfLi4EEEvPT_), "
                 "ns::kernel<unsigned long long, 4>(unsigned long long*) "
                 "(_ZN2ns6kernelIyLi4EEEvPT_)"),
             kernels);
  BOOST_TEST(!has(kernels, "saxpy"));
  refuses([] { find("twice"); }, "twice(int) (_Z5twicei), twice(float)");
}

BOOST_AUTO_TEST_CASE(no_such_name_lists_all) {
  const std::string message = refusal([] { find("saxp"); });
  BOOST_TEST(has(message,
                 "f.toml:3:9: no kernel 'saxp' in 'k.ptx'; expected one of plain, i, "
                 "saxpy(float*, unsigned long) (_Z5saxpyPfm)"),
             message);
  BOOST_TEST(!has(message, "instantiates"));
  refuses([] { find("tk<5>"); }, "template __global__ void tk<5>(parameters)");
  for (const char* name : {"", "int", "(", ">", "<", "::", "s::kernel<float,4>", "kernel<float>"}) {
    refusal([&] { find(name); });
  }
  refuses([] { findEntry({}, "k", "k.ptx", {}); }, "a template has none");
  const std::vector<std::string> many(30, "a");
  refuses([&] { findEntry(many, "k", "k.ptx", {}); }, " and 10 more");
}

// A .cu and a .ptx, from the launch file to the rows of the results.
BOOST_FIXTURE_TEST_CASE(launch_files_name_templates, Scratch) {
  write("k.cu", R"(
namespace ns {
template <class T, int N> __global__ void fill(T* out) { out[threadIdx.x] = N; }
template __global__ void fill<int, 3>(int*);
template __global__ void fill<int, 5>(int*);
}
__global__ void add(int* out, int v) { out[threadIdx.x] += v; }
)");
  const std::string text =
      "kernel = 'k.cu'\n[parameters]\nn = 5\n[buffers.out]\ntype = 's32'\ncount = 32\n"
      "[[launch]]\nentry = 'fill<int, {n}>'\ngrid = 1\nblock = 32\narguments = [{ buffer = 'out' "
      "}]\n[[launch]]\nentry = 'add'\ngrid = 1\nblock = 32\narguments = [{ buffer = 'out' }, { s32 "
      "= 100 }]\n[[launch]]\nentry = '_Z3addPii'\ngrid = 1\nblock = 32\narguments = [{ buffer = "
      "'out' }, { s32 = 1000 }]\n";
  const auto workload = open(*this, text);
  BOOST_TEST(workload->programCount() == 2U);
  BOOST_TEST(workload->kernelName(0) == "fill<int,5>");
  BOOST_TEST(workload->kernelName(1) == "add");
  workload->runFunctionally();
  BOOST_TEST(elementsOf<std::int32_t>(workload->contents("out"))[31] == 1105);
  refuses([&] { open(*this, text, {{"n", "4"}}); }, "test.toml:8:9: no kernel 'fill<int, 4>'");
  write("m.ptx",
        ".version 4.2\n.target sm_20\n.address_size 64\n.visible .entry "
        "_Z9MatrixMulILi32EEvPfS0_S0_ii(.param .u64 a)\n{\n  ret;\n}\n");
  const auto foreign = open(*this,
                            "kernel = 'm.ptx'\n[buffers.a]\ntype = 'f32'\ncount = 1\n"
                            "[[launch]]\nentry = 'MatrixMul<32>'\ngrid = 1\nblock = "
                            "32\narguments = [{ buffer = 'a' }]\n");
  foreign->runFunctionally();
  BOOST_TEST(foreign->kernelName(0) == "MatrixMul<32>");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace fermata::launch
