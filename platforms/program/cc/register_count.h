// `fermata cc -maxrregcount=N`: the most registers of kernels that state no launch bounds.
#pragma once

#include <string>

namespace fermata::platforms {

/// Returns the PTX with `.maxnreg most` behind the parameters of every entry that has neither
/// `.maxnreg` nor a number of threads, as ptxas applies the option.
std::string withRegisterCount(const std::string& ptx, unsigned most);

}  // namespace fermata::platforms
