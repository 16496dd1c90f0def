// Helpers of tests of bad traces: one small trace, and its text with other rows.
#pragma once

#include <fermata/stimuli/input_error.h>
#include "tests/traces/trace_files.h"

namespace fermata::test::bad {

// Lines 1 to 5 (kHeader) and 6 to 13 (kInstructions); the rows of a test begin on line 14.
inline const std::string kHeader =
    "fermata-trace,1\n"
    "cta,warp,pc,lanes,operand,space,bytes\n"
    "program,index=0,name=k,instructions=8\n"
    "grid,program=0,kernel=k,ctas=2,threads=40,registers=8,shared=1024,scoreboard=16\n"
    "text,program=0,pc=0,opcode=add\n";
inline const std::string kInstructions =
    "instruction,program=0,pc=0,class=integer,reads=1;2,writes=3\n"
    "instruction,program=0,pc=1,class=memory,space=shared,operation=load,bytes=4,writes=4\n"
    "instruction,program=0,pc=2,class=barrier\n"
    "instruction,program=0,pc=3,class=memory,space=generic,operation=store,bytes=16\n"
    "instruction,program=0,pc=4,class=exit\n"
    "instruction,program=0,pc=5,class=memory,space=global,operation=atomic,bytes=8\n"
    "instruction,program=0,pc=6,class=memory,space=texture,operation=load,bytes=0\n"
    "start,0\n";
inline const std::string kRest = "exit,0,0\nexit,0,1\nstart,1\nexit,1,0\nexit,1,1\n";

/// Runs the whole trace; returns the error, "none" if it was accepted.
inline std::string messageOf(const std::string& text) {
  RunOptions run;
  run.honourBarriers = false;
  return errorOf<InputError>([&] { record(*fromText(text), run); });
}

struct Bad {
  std::string text;
  const char* where;  ///< "line:column" or "line"
  const char* what;
  const char* expected;
};

inline void check(const std::vector<Bad>& table) {
  for (const Bad& bad : table) {
    const std::string message = messageOf(bad.text);
    const std::string place = "trace.csv:" + std::string(bad.where) + ": ";
    BOOST_TEST(message.substr(0, place.size()) == place, bad.text << " gave " << message);
    BOOST_TEST(has(message, bad.what), message << " lacks " << bad.what);
    BOOST_TEST(has(message, bad.expected), message << " lacks " << bad.expected);
  }
}

/// Returns a complete trace with these rows from line 14 on.
inline std::string withRows(const std::string& rows) {
  const auto count = std::to_string(std::count(rows.begin(), rows.end(), '\n'));
  return kHeader + kInstructions + rows + kRest + "end," + count + "\n";
}
/// Returns a trace with this row on line 6.
inline std::string withTable(const std::string& row) {
  return kHeader + row + "\n" + kInstructions;
}
inline std::string withGrid(const std::string& row) {
  return kHeader.substr(0, kHeader.find("grid")) + row + "\n" + kInstructions;
}

}  // namespace fermata::test::bad
