// Finds kernels by the names that people give them; C++ compilers mangle these in the PTX.
#pragma once

#include <string>
#include <vector>

#include <fermata/stimuli/input_error.h>

namespace fermata::launch {

/// Returns the entry that `name` means: an entry of that name, or one with that name in C++.
/// Blanks, suffixes of numbers, `true` for 1 and the like make no difference. The forms are tried
/// in this order, and the first that finds any entry decides:
/// 1. `saxpy` in the PTX itself, such as extern "C" gives it, or a mangled name
/// 2. `ns::kernel<float, 4>`, or with parameter types: `ns::kernel<float, 4>(float*)`
/// 3. `ns::kernel`, without its template arguments
/// 4. `kernel<float, 4>` or `kernel`, without its namespaces
/// Throws InputError at `where`, listing the names in `file`, if no entry or more than one fits.
std::string findEntry(const std::vector<std::string>& entries, const std::string& name,
                      const std::string& file, const SourceLocation& where);

/// Returns the entry as a person writes it, without its parameters: "ns::kernel<float,4>". Returns
/// an entry that is not mangled unchanged.
std::string writtenName(const std::string& entry);

}  // namespace fermata::launch
