// Small traces of machine code as text, and their rows as the timing model gets them.
#pragma once

#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/traces/sass/sass_workload.h>
#include "tests/support/says.h"
#include "tests/support/test.h"

namespace fermata::test {

/// Header of a trace of one block of 64 threads, unless other values are given.
struct Head {
  std::string version = "5";
  std::string architecture = "80";
  std::string grid = "(1,1,1)";
  std::string block = "(64,1,1)";
  std::string shared = "8192";
  std::string registers = "32";
  std::string more;

  std::string text() const {
    return "-kernel name = _Z1kv\n-kernel id = 1\n-grid dim = " + grid + "\n-block dim = " + block +
           "\n-shmem = " + shared + "\n-nregs = " + registers +
           "\n-binary version = " + architecture +
           "\n-cuda stream id = 0\n-shmem base_addr = 0x00007f0000000000\n-local mem base_addr = "
           "0x00007e0000000000\n-nvbit version = 1.7\n-accelsim tracer version = " +
           version + "\n" + more + "\n#traces format = prose\n\n";
  }
};

inline std::size_t linesIn(const std::string& rows) {
  return static_cast<std::size_t>(std::count(rows.begin(), rows.end(), '\n'));
}
/// Returns one warp of a block.
inline std::string warpText(unsigned warp, const std::string& rows) {
  return "warp = " + std::to_string(warp) + "\ninsts = " + std::to_string(linesIn(rows)) + "\n" +
         rows + "\n";
}
inline std::string blockText(const std::string& place, const std::string& warps) {
  return "#BEGIN_TB\n\nthread block = " + place + "\n\n" + warps + "#END_TB\n\n";
}
/// Returns a trace whose only warp has these rows.
inline std::string traceOf(const std::string& rows, const Head& head = {}) {
  return head.text() + blockText("0,0,0", warpText(0, rows));
}

inline std::string opcodeFile() {
  return FERMATA_SOURCE_DIR "/stimuli/traces/sass/sass_opcodes.toml";
}
inline const sass::OpcodeTable& opcodes() {
  static const sass::OpcodeTable table(opcodeFile());
  return table;
}

inline std::unique_ptr<sass::SassWorkload> openText(const std::string& text,
                                                    const sass::TraceSettings& settings = {}) {
  sass::SassOptions options;
  options.settings = settings;
  auto kernel = sass::readKernel(sass::bytesOf(text), "k.traceg", opcodes(), settings);
  return std::make_unique<sass::SassWorkload>(std::move(kernel), opcodes(), options);
}

/// One executed row.
struct Executed {
  StaticInstruction instruction;
  WarpInstruction row;
  WarpInstruction target;  ///< store of a copy; no lanes: none
  std::string opcode;
  unsigned block = 0, warp = 0;

  std::uint64_t at(unsigned lane) const { return row.address[lane]; }
};

/// Runs every warp to its end, one after another.
inline std::vector<Executed> runAll(sass::SassWorkload& workload) {
  std::vector<Executed> all;
  workload.setWarpSlots(64);
  while (const Grid* grid = workload.nextGrid()) {
    for (unsigned cta = 0; cta < grid->ctas; ++cta) {
      workload.startCta(cta, 0);
      for (unsigned warp = 0; warp < grid->warpsPerCta(); ++warp) {
        while (const StaticInstruction* const next = workload.peek(warp)) {
          Executed one;
          one.instruction = *next;
          one.opcode = workload.instructionText(grid->program, next->pc).opcode;
          one.block = cta;
          one.warp = warp;
          one.target.active = 0;
          workload.execute(warp, one.row);
          if (next->beginsCopy() && one.row.copy != WarpInstruction::kNoCopy)
            workload.storeCopy(warp, one.row.copy, one.target);
          all.push_back(one);
        }
      }
      workload.endCta(0);
    }
  }
  return all;
}

inline std::vector<Executed> rowsOf(const std::string& rows, const Head& head = {}) {
  const auto workload = openText(traceOf(rows, head));
  return runAll(*workload);
}
inline Executed rowOf(const std::string& row, const Head& head = {}) {
  const std::vector<Executed> rows = rowsOf(row + "\n", head);
  BOOST_TEST_REQUIRE(rows.size() == 1U);
  return rows.front();
}

/// Returns the error of a trace.
inline std::string refusalOf(const std::string& text, const sass::TraceSettings& settings = {}) {
  return errorOf<InputError>([&] {
    const auto workload = openText(text, settings);
    runAll(*workload);
  });
}

}  // namespace fermata::test
