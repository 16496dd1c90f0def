// Verilator's own library. RTL prints to standard error, because tables go to standard output.
// ends.cpp defines the hooks that end a simulation.
#include <cstdio>

namespace fermata::rtl::verilated {
int print(const char* format, ...);
}

#undef stdout
#define stdout stderr  // $fdisplay(1, ...)
#define VL_PRINTF fermata::rtl::verilated::print
#define VL_USER_FINISH
#define VL_USER_STOP
#define VL_USER_FATAL
#include <verilated.cpp>
