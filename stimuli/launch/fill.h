// Makes the contents of buffers before the first launch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fermata/stimuli/launch/plan.h>

namespace fermata::launch {

/// Returns the buffer's elements as little-endian bytes. Returns zeros for a buffer that is not
/// filled, and for one that a host function fills later from the buffers before it (see
/// LaunchWorkload). Relative files start from `folder`. Throws InputError for a value that does not
/// fit, or a file of another size.
std::vector<std::uint8_t> fillBuffer(const PlannedBuffer& buffer, const Scope& scope,
                                     const std::string& folder);
/// Returns the contents of a file that must have `bytes` bytes; `where` is the place that names it.
std::vector<std::uint8_t> readRawFile(const std::string& folder, const std::string& file,
                                      std::uint64_t bytes, const SourceLocation& where);

}  // namespace fermata::launch
