// fermata search prices accesses by the rules of the run: with the platform's own mapping it
// reports the passes that `run` reports, instruction by instruction. Not so where a run's atomics
// depend on its timing; then search says it.
#include "tests/support/csv_columns.h"

#include <map>
#include <tuple>

using namespace fermata::test;

namespace {

/// Returns the text without what stands in quotes: it may have commas.
std::string withoutQuoted(const std::string& csv) {
  std::string text;
  bool quoted = false;
  for (const char c : csv) {
    if (c == '"') quoted = !quoted;
    if (!quoted) text += c;
  }
  return text;
}

/// Passes and ideal passes by kernel and PC.
using Passes = std::map<std::pair<std::string, std::string>, std::pair<long, long>>;

Passes passesOf(const fs::path& file, const std::string& all, const std::string& ideal) {
  const std::string csv = withoutQuoted(readFile(file));
  const auto kernels = column(csv, "kernel"), pcs = column(csv, "pc");
  const auto passes = column(csv, all), idealPasses = column(csv, ideal);
  Passes sums;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (passes[i].empty() || passes[i] == "0") continue;
    auto& sum = sums[{kernels[i], pcs[i]}];
    sum.first += std::stol(passes[i]);
    sum.second += std::stol(idealPasses[i]);
  }
  return sums;
}

/// Each form of atomics that no other warp disturbs: lanes share words, banks, or neither.
constexpr const char* kKernel = R"(.version 7.8
.target sm_80
.address_size 64
.visible .entry k()
{
	.reg .b32 %r<9>;
	.reg .f32 %f<3>;
	.reg .b64 %rd<4>;
	.reg .pred %p<3>;
	.shared .align 16 .b8 words[4096];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, words;
	and.b32 %r3, %r1, 7;
	shl.b32 %r4, %r3, 6;
	add.u32 %r4, %r4, %r2;
	shl.b32 %r5, %r1, 3;
	add.u32 %r5, %r5, %r2;
	setp.lt.u32 %p1, %r1, 9;
	st.shared.u32 [%r4], %r1;
	atom.shared.add.u32 %r6, [%r4], %r1;
	red.shared.add.u32 [%r4], 1;
	red.shared.max.u32 [%r2], %r1;
	atom.shared.cas.b32 %r6, [%r4], %r1, %r3;
	mov.f32 %f1, 0f3F800000;
	red.shared.add.f32 [%r4], %f1;
	atom.shared.add.u64 %rd1, [%r5], 5;
	@%p1 atom.shared.exch.b64 %rd2, [%r5], 5;
	shl.b32 %r7, %r1, 7;
	add.u32 %r7, %r7, %r2;
	@%p1 ld.shared.v2.u32 {%r6, %r8}, [%r7];
	@%p1 st.shared.v2.u32 [%r5], {%r6, %r8};
	ret;
}
)";
constexpr const char* kLaunch =
    "description = 'atomics'\nkernel = 'k.ptx'\n[[launch]]\nentry = 'k'\ngrid = 3\nblock = 32\n";

class SearchedRun : public Folder {
 public:
  void check(const std::string& what, const std::string& platform) {
    const std::string on = what + " --platform " + platform + " --set core.code=ptx --out ";
    runProgram("run " + on + "run", path).ok();
    runProgram("search " + on + "search --class perm --method exhaustive", path).ok();
    BOOST_TEST_CONTEXT(what << " on " << platform) {
      const Passes run =
          passesOf(path / "run" / "instructions.csv", "wavefronts", "wavefronts_ideal");
      const Passes search =
          passesOf(path / "search" / "instructions.csv", "passes", "passes_ideal");
      BOOST_TEST(!run.empty());
      BOOST_TEST((run == search));
    }
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(search_atomics, SearchedRun)

BOOST_AUTO_TEST_CASE(every_form_takes_the_passes_of_the_run) {
  write("k.ptx", kKernel);
  write("k.toml", kLaunch);
  for (const char* platform : {"sm_80", "sm_90", "gtx480", "mi300"}) check("k.toml", platform);
}

BOOST_AUTO_TEST_CASE(kernels_with_atomics_take_the_passes_of_the_run) {
  for (const char* platform : {"sm_80", "sm_90", "gtx480"}) {
    check("atomicbench --param conflicts=32 --param stride=32 --param warps=4", platform);
    check("histogram", platform);
    check("kmeans", platform);
  }
}

BOOST_AUTO_TEST_CASE(a_search_says_where_a_run_depends_on_its_timing) {
  write("k.ptx", kKernel);
  write("k.toml", kLaunch);
  const auto noteOf = [&](const std::string& platform) {
    return runProgram("search k.toml --platform " + platform + " --class perm", path).ok().text;
  };
  BOOST_TEST(has(noteOf("gtx580-atomics"), "shared atomics of gtx580-atomics take locks"));
  BOOST_TEST(has(noteOf("sm_80"), "some shared atomics of sm_80 are loops"));
  BOOST_TEST(has(noteOf("sm_90"), "lane groups without lanes take a pass anyway"));
  BOOST_TEST(!has(noteOf("gtx480"), "note: "));
}

// Machines of today execute machine code, whose accesses join: the search runs what `run` runs.
BOOST_DATA_TEST_CASE(its_runs_are_those_of_run, bdata::make({"gtx480", "sm_70", "sm_90"}),
                     platform) {
  const std::string on = std::string("ldtranspose --platform ") + platform;
  const std::string cycles =
      column(runProgram("run --csv " + on + " 2>/dev/null").text, "cycles")[0];
  const std::string shown =
      cycles.substr(0, cycles.size() - 3) + ',' + cycles.substr(cycles.size() - 3);
  runProgram("search " + on + " --class padding 2>/dev/null")
      .ok("ldtranspose  in the kernel  " + shown + " -> ", "the runs have the conflicts that the search predicts");
}

BOOST_AUTO_TEST_SUITE_END()
