// Reference model for testbenches, from libfermata_dpi.so. fermata_dpi.h says what each function does.
package fermata_dpi;
  import "DPI-C" function chandle fermata_memory(
      input string mapping, input int unsigned banks, input int unsigned words, input int unsigned word_bytes);
  import "DPI-C" function void fermata_memory_free(input chandle memory);
  import "DPI-C" function int fermata_memory_groups(
      input chandle memory, input int unsigned bits, input string groups);
  import "DPI-C" function int fermata_locate(
      input chandle memory, input int unsigned address, output int unsigned bank, output int unsigned row);
  import "DPI-C" function int fermata_passes(
      input chandle memory, input int unsigned lanes, input int unsigned address[32], input int unsigned bytes);
  import "DPI-C" function int fermata_ideal_passes(
      input chandle memory, input int unsigned lanes, input int unsigned bytes);
  import "DPI-C" function string fermata_refusal();
endpackage
