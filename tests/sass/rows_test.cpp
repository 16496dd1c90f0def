// Rows of traces: layouts of all versions, forms of addresses, widths, registers, spaces.
#include <fermata/stimuli/traces/trace_format.h>
#include "tests/sass/sass_texts.h"

using namespace fermata;
using namespace fermata::test;

BOOST_AUTO_TEST_SUITE(rows)

namespace {

struct Layout : Named {
  std::string before;  ///< what stands before the PC
  std::string version, more;
};
const std::vector<Layout> kLayouts{
    {{"PC alone (v3 to v6)"}, "", "3", ""},
    {{"source line (v4)"}, "17 ", "4", "-enable lineinfo = 1\n"},
    {{"SM and its warp"}, "3 12 ", "5", ""},
    {{"SM, its warp and line"}, "3 12 17 ", "5", "-enable lineinfo = 1\n"},
    {{"ids in grouped rows (no version)"}, "0 0 0 0 ", "", ""},
    {{"ids and line"}, "0 0 0 0 17 ", "4", "-enable lineinfo = 1\n"},
    {{"cluster's ids (v6)"}, "0 0 0 0 0 0 0 0 0 0 0 ", "6", ""}};

}  // namespace

BOOST_DATA_TEST_CASE(the_layout_is_known_by_the_mask, bdata::make(kLayouts), layout) {
  Head head;
  head.version = layout.version;
  head.more = layout.more;
  const auto all = rowsOf(layout.before + "0190 ffffffff 1 R1 LDS.U.32 1 R9 4 1 0x100 4 \n" +
                              layout.before + "01a0 0000000f 0 EXIT 0 0 \n",
                          head);
  BOOST_TEST_REQUIRE(all.size() == 2U);
  BOOST_TEST(all[0].opcode == "/*0190*/ LDS.U.32");
  BOOST_TEST(all[0].at(3) == 0x10cU);
  BOOST_TEST(all[1].row.active == 0xfU);
}

BOOST_AUTO_TEST_CASE(a_source_line_is_the_place) {
  Head head;
  head.more = "-enable lineinfo = 1\n";
  const auto workload = openText(traceOf("17 0190 ffffffff 1 R1 MOV 1 R2 0 \n", head));
  workload->setWarpSlots(2);
  const Grid* const grid = workload->nextGrid();
  BOOST_TEST(workload->instructionText(grid->program, 0).place() == "_Z1kv:17");
}

BOOST_AUTO_TEST_CASE(addresses_have_three_forms) {
  const Executed listed =
      rowOf("0000 80000003 1 R1 LDG.E 1 R2 4 0 0x7fc841521000 0x20 0x7fc841521ff8 ");
  BOOST_TEST(listed.at(0) == 0x7fc841521000U);
  BOOST_TEST(listed.at(1) == 0x20U);
  BOOST_TEST(listed.at(31) == 0x7fc841521ff8U);
  const Executed strided = rowOf("0000 0000fff0 1 R1 LDG.E 1 R2 4 1 0x1000 -8 ");
  BOOST_TEST(strided.at(4) == 0x1000U);
  BOOST_TEST(strided.at(15) == 0x1000U - 88);
  const Executed differences =
      rowOf("0000 00000113 1 R1 LDG.E 1 R2 4 2 0x1000 4 -400 123456789012 ");
  BOOST_TEST(differences.at(0) == 0x1000U);
  BOOST_TEST(differences.at(1) == 0x1004U);
  BOOST_TEST(differences.at(4) == 0x1004U - 400);
  BOOST_TEST(differences.at(8) == 0x1004U - 400 + 123456789012U);
  const Executed old =
      rowOf("0000 00000003 1 R1 LDG.E.SYS 1 R2 4 0 0x00007fe033702880 0x00007FE033702884 ");
  BOOST_TEST(old.at(1) == 0x7fe033702884U);
}

BOOST_AUTO_TEST_CASE(loads_that_see_other_multiprocessors_pass_the_l1) {
  for (const auto& [opcode, passes] : {std::pair{"LDG.E.STRONG.GPU", true},
                                       {"LDG.E.64.STRONG.SYS", true},
                                       {"LDG.E.STRONG.SM", false},
                                       {"LDG.E.SYS", false},
                                       {"LDG.E.CONSTANT", false}}) {
    const Executed one = rowOf(std::string("0000 00000001 1 R1 ") + opcode + " 1 R2 4 0 0x1000 ");
    BOOST_TEST(one.instruction.passesL1 == passes, opcode);
  }
}

BOOST_AUTO_TEST_CASE(addresses_of_all_distances_come_back) {
  std::mt19937_64 random(7);
  for (const std::uint64_t span :
       {std::uint64_t{1} << 12, std::uint64_t{1} << 30, std::uint64_t{1} << 46}) {
    for (unsigned turn = 0; turn < 50; ++turn) {
      const auto mask = static_cast<LaneMask>(turn % 3 == 0 ? kAllLanes : random() | 1);
      std::vector<std::uint64_t> addresses;
      std::ostringstream list, steps;
      for (unsigned k = 0; k < laneCount(mask); ++k) {
        addresses.push_back(0x1000 + random() % span / 4 * 4);
        list << "0x" << std::hex << addresses.back() << ' ';
        if (k == 0) {
          steps << "0x" << std::hex << addresses[0] << std::dec << ' ';
        } else {
          steps << static_cast<std::int64_t>(addresses[k] - addresses[k - 1]) << ' ';
        }
      }
      std::ostringstream start;
      start << "0000 " << std::hex << std::setw(8) << std::setfill('0') << mask
            << " 1 R1 LDG.E 1 R2 4 ";
      for (const Executed& row :
           {rowOf(start.str() + "0 " + list.str()), rowOf(start.str() + "2 " + steps.str())}) {
        BOOST_TEST_REQUIRE(row.row.active == mask);
        unsigned k = 0;
        for (LaneMask left = mask; left != 0; left &= left - 1)
          BOOST_TEST_REQUIRE(row.at(static_cast<unsigned>(__builtin_ctz(left))) == addresses[k++]);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_row_that_is_predicated_off_only_issues) {
  const Executed row = rowOf("0000 00000000 1 R1 LDS 1 R2 4 1 0x0 0 ");
  BOOST_TEST(row.row.active == 0U);
  BOOST_TEST((row.instruction.instructionClass == InstructionClass::Memory));
}

namespace {

struct Width {
  std::string opcode;
  unsigned bytes;
  friend std::ostream& operator<<(std::ostream& out, const Width& one) { return out << one.opcode; }
};
const std::vector<Width> kWidths{{"LDS", 4},
                                 {"LDS.U", 4},
                                 {"LDS.U8", 1},
                                 {"LDS.S8", 1},
                                 {"LDG.E.U16", 2},
                                 {"LDG.E.S16", 2},
                                 {"LDS.U.32", 4},
                                 {"LDS.64", 8},
                                 {"LDS.U.128", 16},
                                 {"ATOMS.ADD.S32", 4},
                                 {"ATOMG.E.ADD.F64.RN.STRONG.GPU", 8},
                                 {"RED.E.ADD.S64.STRONG.GPU", 8},
                                 {"RED.E.ADD.F16x2.RN", 4},
                                 {"LDG.E.128.CONSTANT.LTC128B", 16},
                                 {"LDSM.16.MT88.4", 16}};

std::string atomicOf(const std::string& opcode) {
  const auto row = rowOf("0000 ffffffff 1 R1 " + opcode + " 2 R2 R3 4 1 0x0 0 ");
  return std::string(traces::name(row.instruction.form)) +
         (row.instruction.unread ? " unread" : "");
}

}  // namespace

BOOST_DATA_TEST_CASE(the_opcode_says_the_width, bdata::make(kWidths), one) {
  const Executed row = rowOf("0000 00000001 1 R4 " + one.opcode + " 1 R2 4 1 0x0 0 ");
  BOOST_TEST(unsigned{row.row.bytesPerLane} == one.bytes);
}

BOOST_AUTO_TEST_CASE(wide_operands_name_their_first_register) {
  const auto writes = [](const Executed& row) {
    const StaticInstruction& one = row.instruction;
    return std::vector<RegisterId>(one.writes.begin(), one.writes.begin() + one.writeCount);
  };
  const auto reads = [](const Executed& row) {
    const StaticInstruction& one = row.instruction;
    return std::vector<RegisterId>(one.reads.begin(), one.reads.begin() + one.readCount);
  };
  using Registers = std::vector<RegisterId>;
  const Executed load = rowOf("0000 00000001 1 R4 LDG.E.128 1 R2 16 1 0x0 0 ");
  BOOST_TEST(writes(load) == (Registers{4, 5, 6, 7}));
  BOOST_TEST(reads(load) == (Registers{2, 3}));
  const Executed store = rowOf("0000 00000001 0 STS.64 2 R2 R8 8 1 0x0 0 ");
  BOOST_TEST(reads(store) == (Registers{2, 8, 9}));
  BOOST_TEST(writes(rowOf("0000 00000001 1 R8 LDSM.16.M88.2 1 R2 4 1 0x0 0 ")) ==
             (Registers{8, 9}));
  const Executed wide = rowOf("0000 ffffffff 1 R4 DFMA 3 R6 R8 R255 0 0 ");
  BOOST_TEST(writes(wide) == (Registers{4, 5}));
  BOOST_TEST(reads(wide) == (Registers{6, 7, 8, 9}));
  BOOST_TEST(writes(rowOf("0000 ffffffff 1 R4 HMMA.16816.F32 3 R8 R12 R4 0 0 ")) ==
             (Registers{4, 5, 6, 7}));
  BOOST_TEST(writes(rowOf("0000 ffffffff 1 R254 DADD 2 R6 R8 0 0 ")) == (Registers{254}));
  BOOST_TEST(reads(rowOf("0000 ffffffff 1 R4 IMAD 3 R255 UR5 P1 0 0 ")) == (Registers{261, 321}));
}

BOOST_AUTO_TEST_CASE(generic_lanes_go_to_the_space_of_their_window) {
  const Executed shared = rowOf("0000 ffffffff 1 R1 LD.E 1 R2 4 1 0x7f0000000100 4 ");
  BOOST_TEST((shared.row.space == MemorySpace::Shared));
  BOOST_TEST(shared.at(2) == 0x108U);
  BOOST_TEST((rowOf("0000 ffffffff 1 R1 LD.E 1 R2 4 1 0x7d0000000100 4 ").row.space ==
              MemorySpace::Global));
  BOOST_TEST((rowOf("0000 ffffffff 1 R1 LD.E 1 R2 4 1 0x7e0000000100 0 ").row.space ==
              MemorySpace::Local));
  const auto split =
      rowsOf("0000 00000007 1 R1 LD.E 1 R2 4 0 0x7f0000000004 0x7d0000000008 0x7f000000000c \n");
  BOOST_TEST_REQUIRE(split.size() == 2U);
  BOOST_TEST(split[0].row.active == 5U);
  BOOST_TEST(split[0].at(2) == 12U);
  BOOST_TEST(split[1].row.active == 2U);
  BOOST_TEST(split[1].at(1) == 0x7d0000000008U);
}

BOOST_AUTO_TEST_CASE(local_words_of_the_lanes_lie_side_by_side) {
  const auto rows = rowsOf(
      "0000 ffffffff 0 STL 2 R1 R2 4 1 0xfffbd0 0 \n0010 ffffffff 1 R2 LDL 1 R1 4 1 0xfffbd4 0 \n");
  BOOST_TEST(rows[0].at(1) == rows[0].at(0) + 4);
  BOOST_TEST(rows[0].at(31) == rows[0].at(0) + 124);
  BOOST_TEST(rows[1].at(0) == rows[0].at(0) + 128);
}

BOOST_AUTO_TEST_CASE(only_the_rows_of_the_matrices_count) {
  const Executed one = rowOf("0000 ffffffff 1 R4 LDSM.16.M88 1 R2 4 1 0x0 16 ");
  BOOST_TEST(one.row.active == 0xffU);
  BOOST_TEST(unsigned{one.instruction.matrices} == 1U);
  const Executed four = rowOf("0000 ffffffff 1 R4 LDSM.16.MT88.4 1 R2 4 1 0x0 16 ");
  BOOST_TEST(four.row.active == kAllLanes);
  BOOST_TEST(unsigned{four.instruction.matrices} == 4U);
  const Executed two = rowOf("0000 ffffffff 1 R4 LDSM.16.M88.2 1 R2 4 0 " + [] {
    std::string list;
    for (unsigned lane = 0; lane < 32; ++lane) list += lane < 16 ? "0x10 " : "0x7 ";
    return list;
  }());
  BOOST_TEST(two.row.active == 0xffffU);
  BOOST_TEST(two.at(15) == 0x10U);
}

BOOST_AUTO_TEST_CASE(atomics_name_the_register_of_their_address) {
  const auto reads = [](const std::string& operands) {
    return rowOf("0000 ffffffff 1 R1 ATOMS.ADD " + operands + " 4 1 0x0 0 ").instruction;
  };
  BOOST_TEST(reads("2 R2 R3").addressRead);
  BOOST_TEST(reads("2 R2 R3").reads[0] == reads("1 R2").reads[0]);
  BOOST_TEST(!reads("2 RZ R3").addressRead);
}

BOOST_AUTO_TEST_CASE(atomics_have_their_form) {
  BOOST_TEST(atomicOf("ATOMS.ADD") == "plain");
  BOOST_TEST(atomicOf("ATOMS.POPC.INC.32") == "count");
  BOOST_TEST(atomicOf("ATOMS.CAS") == "swap");
  BOOST_TEST(atomicOf("ATOMS.CAST.SPIN") == "swap");
  BOOST_TEST(atomicOf("ATOMS.EXCH") == "plain");
  BOOST_TEST(atomicOf("ATOMS.ADD.64") == "wide");
  BOOST_TEST(atomicOf("RED.E.ADD.F32.FTZ.RN.STRONG.GPU") == "float");
  const auto red = rowOf("0000 ffffffff 0 RED.E.ADD.F64.RN 2 R2 R4 8 1 0x0 8 ");
  BOOST_TEST(red.instruction.unread);
  BOOST_TEST((red.instruction.form == AtomicForm::Double));
}

BOOST_AUTO_TEST_CASE(barriers_have_number_and_threads) {
  const std::string sync = "0000 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 ";
  BOOST_TEST(rowOf(sync + "0 ").row.barrier == 0U);
  BOOST_TEST(rowOf(sync).row.barrierThreads == 0U);
  BOOST_TEST(rowOf(sync + "64 ").row.barrierThreads == 64U);
  const Executed arrives = rowOf("0000 ffffffff 0 BAR.ARV 0 0 3 ");
  BOOST_TEST(!arrives.row.barrierWaits);
  BOOST_TEST(arrives.row.barrier == 3U);
  BOOST_TEST(arrives.row.barrierThreads == 32U);  // one of the two warps ever uses it
}

BOOST_AUTO_TEST_CASE(copies_are_waited_for_by_group) {
  const auto rows = rowsOf("0000 ffffffff 0 LDGDEPBAR 0 0 0 \n0010 ffffffff 0 DEPBAR.LE 0 0 2 \n");
  BOOST_TEST((rows[0].instruction.copyStep == CopyStep::Commit));
  BOOST_TEST(unsigned{rows[1].instruction.groupsLeft} == 2U);
  Head old;
  old.architecture = "75";
  const auto scoreboard = rowOf("0010 ffffffff 0 DEPBAR.LE 0 0 2 ", old);
  BOOST_TEST(unsigned{scoreboard.instruction.groupsLeft} ==
             unsigned{StaticInstruction::kAnyGroups});
}

BOOST_AUTO_TEST_CASE(a_raw_copy_has_both_sides) {
  const std::string half = "0 0 0 0 0050 ffffffff 0 LDGSTS.E.128 2 R2 R4 16 ";
  const std::string raw = Head{}.text() + half +
                          "1 0x100 16 0 \n0 0 0 1 0050 ffffffff 1 R3 MOV 0 0 0 \n" + half +
                          "1 0x7fc841521000 16 0 \n";
  const auto workload = openText(raw);
  const auto rows = runAll(*workload);
  BOOST_TEST_REQUIRE(rows.size() == 2U);
  BOOST_TEST(rows[0].at(1) == 0x7fc841521010U);
  BOOST_TEST(rows[0].target.active == kAllLanes);
  BOOST_TEST(rows[0].target.address[1] == 0x110U);
  BOOST_TEST(workload->warning() == "");
}

BOOST_AUTO_TEST_CASE(a_grouped_copy_says_that_its_shared_side_is_lost) {
  const auto workload =
      openText(traceOf("0050 ffffffff 0 LDGSTS.E.128 2 R2 R4 16 1 0x7fc841521000 16 0 \n"));
  const auto rows = runAll(*workload);
  BOOST_TEST(rows[0].row.copy != WarpInstruction::kNoCopy);
  BOOST_TEST(rows[0].target.active == 0U);
  BOOST_TEST(has(workload->warning(), "1 asynchronous copies have no shared address"));
}

BOOST_AUTO_TEST_CASE(raw_rows_are_sorted_by_warp) {
  Head head;
  head.grid = "(2,1,1)";
  std::string raw = head.text();
  for (unsigned k = 0; k < 1000; ++k) {
    for (const char* const warp : {"1 0 0 1 ", "0 0 0 0 ", "1 0 0 0 ", "0 0 0 1 "})
      raw += std::string(warp) + "0010 ffffffff 1 R1 LDS 1 R2 4 1 0x" +
             (k % 2 == 0 ? "100" : "200") + " 4 \n";
  }
  const auto workload = openText(raw);
  const auto rows = runAll(*workload);
  BOOST_TEST_REQUIRE(rows.size() == 4000U);
  for (unsigned k = 0; k < 4000; ++k) {
    BOOST_TEST_REQUIRE(rows[k].block == k / 2000);
    BOOST_TEST_REQUIRE(rows[k].warp == k / 1000 % 2);
    BOOST_TEST_REQUIRE(rows[k].at(0) == (k % 2 == 0 ? 0x100U : 0x200U));
  }
}

BOOST_AUTO_TEST_CASE(one_pc_of_two_functions_is_two_instructions) {
  const auto rows = rowsOf(
      "0010 ffffffff 1 R1 MOV 1 R2 0 \n0010 ffffffff 1 R1 FADD 1 R2 0 \n0010 ffffffff 1 R1 MOV 1 "
      "R2 0 \n");
  BOOST_TEST(rows[0].instruction.pc != rows[1].instruction.pc);
  BOOST_TEST(rows[0].instruction.pc == rows[2].instruction.pc);
}

BOOST_AUTO_TEST_CASE(an_access_without_an_address_issues_and_is_reported) {
  const auto workload =
      openText(traceOf("0010 ffffffff 1 R4 TEX 1 R2 0 \n0020 ffffffff 0 UBLKCP.S.G 0 0 \n"));
  const auto rows = runAll(*workload);
  BOOST_TEST((rows[0].instruction.instructionClass == InstructionClass::Integer));
  BOOST_TEST(has(workload->warning(),
                 "2 instructions move data without an address in the trace (TEX UBLKCP)"));
}

BOOST_AUTO_TEST_CASE(values_of_registers_are_passed_over) {
  const auto rows = rowsOf(
      "0010 ffffffff 0 BAR.SYNC 1 R4 0 3 64 Val 5 NoVal \n0020 ffffffff 1 R4 LDS 1 R2 4 1 0x0 4 0 "
      "0 NoVal \n");
  BOOST_TEST(rows[0].row.barrierThreads == 64U);
  BOOST_TEST(rows[1].at(1) == 4U);
}

// The compiled form has a shape for each span: 64 KiB, 4 GiB, 1 TiB, and more.
BOOST_DATA_TEST_CASE(addresses_of_any_span_come_back,
                     bdata::make({4U, 15U, 16U, 31U, 32U, 39U, 40U, 46U}), bits) {
  std::mt19937_64 random(bits);
  for (const LaneMask mask : {kAllLanes, LaneMask{0x80000001}, LaneMask{0x0ff0f00e}}) {
    std::vector<std::uint64_t> expected;
    std::ostringstream row;
    row << "0010 " << std::hex << std::setw(8) << std::setfill('0') << mask
        << " 1 R1 LDG.E.U8 1 R2 1 0 ";
    for (unsigned k = 0; k < laneCount(mask); ++k) {
      const std::uint64_t offset = k == 0   ? 0
                                   : k == 1 ? std::uint64_t{1} << bits
                                            : random() >> (64 - bits);
      expected.push_back(0x7f0000000000 + offset);
      row << "0x" << expected.back() << ' ';
    }
    const Executed one = rowOf(row.str());
    unsigned k = 0;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      if ((mask >> lane & 1U) != 0) BOOST_TEST(one.at(lane) == expected[k++]);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
