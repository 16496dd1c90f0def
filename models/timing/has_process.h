// FERMATA_HAS_PROCESS(Class): declares, within the class, that the module has processes.
// SystemC 2.3 needs SC_HAS_PROCESS for that; IEEE 1666-2023 (SystemC 3.0) needs nothing and warns
// of it.
#pragma once

#include <systemc>

#if IEEE_1666_SYSTEMC >= 202301L
#define FERMATA_HAS_PROCESS(Class) static_assert(true)
#else
#define FERMATA_HAS_PROCESS(Class) SC_HAS_PROCESS(Class)
#endif
