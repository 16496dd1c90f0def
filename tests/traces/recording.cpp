// The recorder's output; it appears whole or not at all.
#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/patterns/patterns.h>
#include "tests/support/says.h"
#include "tests/support/scripted_workload.h"
#include "tests/traces/fake_workload.h"
#include "tests/traces/trace_files.h"

using namespace fermata;
using namespace fermata::test;

BOOST_FIXTURE_TEST_SUITE(recording, InScratch)

BOOST_AUTO_TEST_CASE(a_small_trace_reads_as_documented) {
  const auto pattern = patterns::openPattern(
      "pattern-stride", {{"threads", "40"}, {"ctas", "1"}, {"repeat", "1"}, {"stride", "2"}});
  recordTo(*pattern, scratch.file("trace.csv"), RunOptions());
  const std::string text = bytesOf(scratch.file("trace.csv"));
  const std::string head =
      "fermata-trace,1\n"
      "cta,warp,pc,lanes,operand,space,bytes\n"
      "program,index=0,name=pattern-stride,instructions=21\n"
      "text,program=0,pc=0,opcode=mov.u32\n";
  BOOST_TEST(text.substr(0, head.size()) == head);
  const std::string rows =
      "grid,program=0,kernel=pattern-stride,ctas=1,threads=40,registers=16,shared=320,"
      "scoreboard=104\n"
      "start,0\n";
  BOOST_TEST(has(text, rows));
  BOOST_TEST(has(text,
                 "instruction,program=0,pc=4,class=memory,space=shared,operation=load,"
                 "bytes=4,reads=0,writes=40\n"));
  BOOST_TEST(has(text, "\n0,0,2,,0+4\n"));
  BOOST_TEST(has(text, "\n0,1,3\n"));
  BOOST_TEST(has(text, "\n0,1,4,,256+8\n"));
  BOOST_TEST(has(text, "\nexit,0,1\n"));
  // index, two rounds of the fill, barrier, access and exit: 8 instructions for each of two warps.
  BOOST_TEST(text.substr(text.rfind("end,")) == "end,16\n");
}

BOOST_AUTO_TEST_CASE(the_same_run_gives_the_same_bytes) {
  for (const char* const name : {"a.csv", "b.csv", "a.csv.zst", "b.csv.zst"}) {
    FakeWorkload fake;
    recordTo(fake, scratch.file(name), anyOrder());
  }
  BOOST_TEST(bytesOf(scratch.file("a.csv")) == bytesOf(scratch.file("b.csv")));
  BOOST_TEST((bytesOf(scratch.file("a.csv.zst")) == bytesOf(scratch.file("b.csv.zst"))));
}

BOOST_AUTO_TEST_CASE(without_finish_nothing_is_left_and_an_older_file_stays) {
  put(scratch.file("trace.csv"), "old");
  {
    FakeWorkload fake;
    traces::TraceRecorder recorder(fake, scratch.file("trace.csv"));
    recorder.setWarpSlots(64);
    recorder.nextGrid();
    recorder.startCta(0, 0);
    BOOST_TEST(scratch.entries() == 2U);
    BOOST_TEST(bytesOf(scratch.file("trace.csv")) == "old");
    BOOST_CHECK_THROW(recorder.finish(), std::logic_error);
  }
  BOOST_TEST(scratch.entries() == 1U);
  BOOST_TEST(bytesOf(scratch.file("trace.csv")) == "old");
}

BOOST_AUTO_TEST_CASE(finish_replaces_an_older_file) {
  put(scratch.file("trace.csv"), "old");
  const auto pattern = patterns::openPattern("genindex", {{"repeat", "2"}});
  recordTo(*pattern, scratch.file("trace.csv"), RunOptions());
  BOOST_TEST(scratch.entries() == 1U);
  BOOST_TEST(bytesOf(scratch.file("trace.csv")).substr(0, 13) == "fermata-trace");
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_created_is_refused) {
  FakeWorkload fake;
  BOOST_CHECK_EXCEPTION(traces::TraceRecorder(fake, scratch.file("missing/trace.csv")),
                        files::OutputRefused, beginsWith("cannot write"));
}

namespace {

/// A workload of one warp with one instruction; the test changes it and its execution.
struct OneInstruction : ScriptedWorkload {
  StaticInstruction& instruction;
  WarpInstruction executed{};

  OneInstruction()
      : ScriptedWorkload(1, 8),
        instruction(addMemory(MemorySpace::Shared, MemoryOperation::Load, 4, {}).what) {
    grid.kernel = "bad";
    grid.sharedBytesPerCta = 64;
    grid.registerCount = 4;
    executed.active = 0xff;
    executed.space = MemorySpace::Shared;
    executed.bytesPerLane = 4;
    executed.address.fill(60);
  }
  void execute(unsigned slot, WarpInstruction& out) override {
    ScriptedWorkload::execute(slot, out);
    out = executed;
  }
  InstructionText instructionText(unsigned, std::uint32_t) const override { return {}; }
};

template <typename Change>
std::string refusal(Change change) {
  const Scratch scratch;
  OneInstruction workload;
  change(workload);
  const std::string error =
      errorOf<InputError>([&] { recordTo(workload, scratch.file("trace.csv"), RunOptions()); });
  BOOST_TEST(fs::exists(scratch.file("trace.csv")) == (error == "none"));
  return error;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_a_trace_cannot_say_is_refused_when_it_is_recorded) {
  BOOST_TEST(refusal([](OneInstruction&) {}) == "none");
  const auto refused = [](auto change) {
    return begins(refusal(change), "kernel bad, pc 0 cannot be recorded");
  };
  BOOST_TEST(refused([](OneInstruction& one) { one.executed.address[7] = 61; }));
  BOOST_TEST(refused([](OneInstruction& one) { one.executed.active = 0x100; }));
  BOOST_TEST(refused([](OneInstruction& one) { one.executed.pc = 1; }));
  BOOST_TEST(refused([](OneInstruction& one) { one.instruction.copyStep = CopyStep::Commit; }));
  BOOST_TEST(refused([](OneInstruction& one) { one.instruction.groupsLeft = 0; }));
  BOOST_TEST(refused([](OneInstruction& one) { one.instruction.fence = true; }));
  BOOST_TEST(refused([](OneInstruction& one) { one.executed.space = MemorySpace::Global; }));
  BOOST_TEST(
      refused([](OneInstruction& one) { one.executed.bytesPerLane = 8; }));  // beyond the window
  BOOST_TEST(refused([](OneInstruction& one) { one.executed.bytesPerLane = 3; }));
  BOOST_TEST(refused([](OneInstruction& one) { one.executed.operation = MemoryOperation::Store; }));
  BOOST_TEST(refused([](OneInstruction& one) { one.instruction.space = MemorySpace::None; }));
  BOOST_TEST(refused([](OneInstruction& one) { one.instruction.bytesPerLane = 3; }));
  BOOST_TEST(refused([](OneInstruction& one) {
    one.instruction.writeCount = 1;
    one.instruction.writes[0] = 4;
  }));
}

namespace {

/// A workload of one copy instruction; the test changes what it stores.
struct OneCopy : OneInstruction {
  OneCopy() {
    instruction.copyStep = CopyStep::Begin;
    instruction.space = executed.space = MemorySpace::Global;
    executed.address.fill(1U << 20);
    executed.copy = 3;
    target.active = 0xffff;
    target.space = MemorySpace::Shared;
    target.operation = MemoryOperation::Store;
    target.bytesPerLane = 4;
    target.address.fill(60);
  }
  void copyTarget(unsigned, std::uint64_t copy, WarpInstruction& out) const override {
    out = target;
    if (copy != 3) out.active = 0;
  }

  WarpInstruction target{};
};

template <typename Change>
std::string copied(Change change) {
  const Scratch scratch;
  OneCopy workload;
  change(workload);
  try {
    traces::TraceRecorder recorder(workload, scratch.file("trace.csv"));
    runInterleaved(recorder, RunOptions(), [](auto&&...) {});
    recorder.finish();
  } catch (const InputError& error) {
    return error.what();
  }
  const std::string text = bytesOf(scratch.file("trace.csv"));
  const std::size_t row = text.find("\n0,0,0") + 1;
  return text.substr(row, text.find('\n', row) - row);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_copy_is_one_row_with_both_its_addresses) {
  BOOST_TEST(copied([](OneCopy&) {}) == "0,0,0,,1048576+0>ffff:60+0");
  BOOST_TEST(copied([](OneCopy& one) { one.target.active = 0xff; }) == "0,0,0,,1048576+0>60+0");
  BOOST_TEST(copied([](OneCopy& one) { one.executed.active = 0; }) == "0,0,0,0,>ffff:60+0");
  BOOST_TEST(copied([](OneCopy& one) { one.executed.active = one.target.active = 0x300; }) ==
             "0,0,0,300,1048576+0>60+0");  // a copy of a block, in pieces
  const auto none = [](OneCopy& one) {
    one.executed.copy = WarpInstruction::kNoCopy;
    one.executed.active = 0;
  };
  BOOST_TEST(copied(none) == "0,0,0,0");
  const auto refused = [](auto change) {
    return begins(copied(change), "kernel bad, pc 0 cannot be recorded");
  };
  BOOST_TEST(refused([](OneCopy& one) { one.executed.copy = 4; }));  // a copy without a target
  BOOST_TEST(refused([](OneCopy& one) { one.target.address[9] = 64; }));
  BOOST_TEST(refused([](OneCopy& one) { one.target.address[9] = 2; }));
  BOOST_TEST(refused([](OneCopy& one) { one.target.space = MemorySpace::Global; }));
  BOOST_TEST(refused([](OneCopy& one) { one.target.operation = MemoryOperation::Load; }));
  BOOST_TEST(refused([](OneCopy& one) { one.target.bytesPerLane = 8; }));
  BOOST_TEST(refused([](OneCopy& one) { one.instruction.space = MemorySpace::Generic; }));
  BOOST_TEST(refused([](OneCopy& one) { one.instruction.bytesPerLane = 0; }));
  BOOST_TEST(refused([](OneCopy& one) { one.instruction.copyStep = CopyStep::Commit; }));
}

BOOST_AUTO_TEST_SUITE_END()
