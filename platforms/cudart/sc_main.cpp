// SystemC's library asks for the function that a program of its own begins with; this one begins
// elsewhere.
#include <systemc>

int sc_main(int, char**) {
  return 0;
}
