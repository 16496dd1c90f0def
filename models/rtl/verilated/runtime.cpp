// Verilator's own library. What RTL prints goes to standard error, for tables go to standard
// output; what ends a simulation is defined in ends.cpp.
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
