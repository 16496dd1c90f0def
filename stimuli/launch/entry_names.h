// Kernels by the names that people give them: C++ compilers write others into the PTX.
#pragma once

#include <string>
#include <vector>

#include <fermata/stimuli/input_error.h>

namespace fermata::launch {

/// The entry that `name` means: itself, or the one whose name in C++ it is. Blanks, suffixes of
/// numbers, `true` for 1 and the like make no difference. In this order, the first that finds any:
/// 1. `saxpy` in the PTX itself, such as extern "C" gives it, or a mangled name
/// 2. `ns::kernel<float, 4>`, or with parameter types: `ns::kernel<float, 4>(float*)`
/// 3. `ns::kernel`, without its template arguments
/// 4. `kernel<float, 4>` or `kernel`, without its namespaces
/// Throws InputError at `where`, with the names there are in `file`, when there is none or more
/// than one.
std::string findEntry(const std::vector<std::string>& entries, const std::string& name,
                      const std::string& file, const SourceLocation& where);

/// Of an entry as a person writes it, without its parameters: "ns::kernel<float,4>"; of one that is
/// not mangled the entry itself.
std::string writtenName(const std::string& entry);

}  // namespace fermata::launch
