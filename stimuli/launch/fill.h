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
/// Returns the elements that a file has for a buffer, little endian: an array of NumPy (.npy) of
/// the buffer's type and shape, or raw elements. `where` is the place that names the file. Throws
/// InputError for a file of another size, type or shape.
std::vector<std::uint8_t> readElements(const std::string& folder, const std::string& file,
                                       const PlannedBuffer& buffer, const SourceLocation& where);

}  // namespace fermata::launch
