// Lists of kernels: the file kernelslist(.g) of a traced program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fermata/models/vocabulary/workload.h>

namespace fermata::sass {

struct KernelList {
  struct Entry {
    std::string path;        ///< of the kernel's trace
    std::size_t copies = 0;  ///< of `copies`, how many the host made before
  };
  std::vector<Entry> kernels;
  std::vector<DeviceBytes> copies;   ///< without data
  std::vector<std::string> missing;  ///< names of kernels whose file is not there
};

/// Returns whether a path names a trace of machine code: a kernel (.traceg, .trace, .tracez, each
/// also with .xz), a list of kernels (kernelslist, with or without a suffix) or of accesses
/// (isAccessListName).
bool isSassName(const std::string& path);
bool isListName(const std::string& path);
/// Returns the path without the endings of a trace.
std::string withoutSassSuffix(std::string path);

/// Reads a list. A kernel whose file is not there is left out. Throws InputError, also if no kernel
/// is left.
KernelList readKernelList(const std::string& path);

/// Returns the architecture of a kernel, or of the first kernel of a list: "sm_80"; "" if the
/// header does not say it. Throws InputError.
std::string architectureOf(const std::string& path);

}  // namespace fermata::sass
