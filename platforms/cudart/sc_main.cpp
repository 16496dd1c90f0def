// SystemC's library refers to sc_main, which is not called here: the program begins in its own
// main.
#include <systemc>

int sc_main(int, char**) { return 0; }
