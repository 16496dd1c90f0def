// Timing of ldmatrix and stmatrix: one phase per matrix, conflicts as of any 128-bit access.
#include "tests/support/csv_columns.h"
#include "tests/support/program.h"

using namespace fermata::test;

namespace {

/// Stores and loads four matrices, two and one; rows are `pitch` bytes apart.
constexpr const char* kKernel = R"(.version 7.8
.target sm_90
.address_size 64
.visible .entry k(.param .u32 pitch)
{
	.reg .b32 %r<9>;
	.shared .align 16 .b8 tile[8192];
	ld.param.u32 %r1, [pitch];
	mov.u32 %r2, %tid.x;
	mov.u32 %r3, tile;
	mad.lo.u32 %r4, %r2, %r1, %r3;
	stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r4], {%r1, %r2, %r3, %r4};
	ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r5, %r6, %r7, %r8}, [%r4];
	ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r5, %r6}, [%r4];
	ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r5}, [%r4];
	ret;
}
)";
constexpr const char* kLaunch =
    "description = 'rows of matrices'\nkernel = 'k.ptx'\n[parameters]\npitch = 128\n"
    "[[launch]]\nentry = 'k'\ngrid = 1\nblock = 32\narguments = [{ u32 = 'pitch' }]\n";

/// Returns "opcode excessive of all wavefronts" for each instruction on matrices.
std::string accesses(const fs::path& table) {
  const std::string csv = readFile(table);
  const auto opcodes = column(csv, "opcode");
  const auto excessive = column(csv, "wavefronts_excessive"), all = column(csv, "wavefronts");
  std::string text;
  for (std::size_t i = 0; i < opcodes.size(); ++i) {
    if (has(opcodes[i], "matrix.sync"))
      text += opcodes[i] + " " + excessive[i] + " of " + all[i] + "\n";
  }
  return text;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(matrix_accesses, Folder)

BOOST_AUTO_TEST_CASE(conflicts_are_counted_searched_and_recorded) {
  write("k.ptx", kKernel);
  write("k.toml", kLaunch);
  const auto run = [&](const std::string& what) {
    runProgram(
        "run gtx480 " + what + " --set verify=true --set crossbar.extra_passes_128=0 --out r", path)
        .ok();
    return accesses(path / "r" / "instructions.csv");
  };
  // Rows 128 bytes apart lie in the same four banks: each phase of 8 rows takes 8 passes.
  const std::string bad = run("k.toml --record bad.csv");
  BOOST_TEST(bad == R"(stmatrix.sync.aligned.m8n8.x4.shared.b16 28 of 32
ldmatrix.sync.aligned.m8n8.x4.shared.b16 28 of 32
ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 14 of 16
ldmatrix.sync.aligned.m8n8.x1.shared.b16 7 of 8
)");
  const std::string good = run("k.toml --param pitch=144");
  BOOST_TEST(good == R"(stmatrix.sync.aligned.m8n8.x4.shared.b16 0 of 4
ldmatrix.sync.aligned.m8n8.x4.shared.b16 0 of 4
ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 0 of 2
ldmatrix.sync.aligned.m8n8.x1.shared.b16 0 of 1
)");
  BOOST_TEST(run("bad.csv") == bad);
  runProgram("search --platform gtx480 k.toml --class xor --method exhaustive --csv", path)
      .says("xor,exhaustive,xor k1=3 k2=0 mask=3,77,0,");
}

// An H100 takes a pass for each matrix (results/silicon/matrix.csv): lane groups that ldmatrix.x1
// and .x2 do not use are not idle ones of a 128-bit load. A trace says so, too.
BOOST_AUTO_TEST_CASE(an_h100_takes_a_pass_for_each_matrix) {
  write("k.ptx", kKernel);
  write("k.toml", kLaunch);
  const auto run = [&](const std::string& what) {
    runProgram("run sm_90 " + what + " --out r", path).ok();
    return accesses(path / "r" / "instructions.csv");
  };
  const std::string own = run("k.toml --param pitch=144 --record good.csv");
  BOOST_TEST(own == R"(stmatrix.sync.aligned.m8n8.x4.shared.b16 0 of 4
ldmatrix.sync.aligned.m8n8.x4.shared.b16 0 of 4
ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 0 of 2
ldmatrix.sync.aligned.m8n8.x1.shared.b16 0 of 1
)");
  BOOST_TEST(run("good.csv") == own);
}

BOOST_AUTO_TEST_SUITE_END()
