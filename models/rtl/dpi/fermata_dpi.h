// Mappings and bank conflicts for testbenches: a reference model behind a C interface, for DPI-C of
// SystemVerilog and for any program that calls C. fermata_dpi.sv imports it. No function keeps a
// pointer that it was given.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// Makes a banked memory of `words` words of `word_bytes` bytes, with the mapping of a text such as
// "xor k1=0 k2=5 mask=31" (models/indexing/README.md). Its lane groups are those of NVIDIA's
// machines: the warp; its halves for 64 bits, its quarters for 128 bits. Returns null if it is
// refused.
void* fermata_memory(const char* mapping, unsigned int banks, unsigned int words,
                     unsigned int word_bytes);
void fermata_memory_free(void* memory);

// Sets the lane groups of accesses of 32, 64 or 128 bits per lane, for instance "0-15|16-31".
// Returns 1, or 0 if they are refused.
int fermata_memory_groups(void* memory, unsigned int bits, const char* groups);

// Gives the bank and the row of the word that holds a byte address. Returns 1, or 0 if no word
// does.
int fermata_locate(void* memory, unsigned int address, unsigned int* bank, unsigned int* row);

// Returns the passes of an access: over its lane groups, the sum of the distinct words asked of the
// fullest bank. Bit i of `lanes`: lane i asks for `bytes` bytes (1, 2, 4, 8 or 16) from byte
// address[i]. Returns -1 if the access is refused.
int fermata_passes(void* memory, unsigned int lanes, const unsigned int* address,
                   unsigned int bytes);
// Returns the passes that the access takes without any conflict, one per lane group that asks; or
// -1.
int fermata_ideal_passes(void* memory, unsigned int lanes, unsigned int bytes);

// Returns why the last call of this thread was refused. Valid until the thread's next call.
const char* fermata_refusal(void);

#ifdef __cplusplus
}
#endif
