// The contents of buffers before the first launch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fermata/stimuli/launch/plan.h>

namespace fermata::launch {

/// Elements of the buffer as little-endian bytes; zeros for a buffer that is not filled, and for
/// one that a host function fills, which needs the buffers before it (see LaunchWorkload). Relative
/// files start from `folder`. Throws InputError: a value that does not fit, a file of another size.
std::vector<std::uint8_t> fillBuffer(const PlannedBuffer& buffer, const Scope& scope,
                                     const std::string& folder);
/// The bytes of a file that must have `bytes` bytes; `where` is the place that names it.
std::vector<std::uint8_t> readRawFile(const std::string& folder, const std::string& file,
                                      std::uint64_t bytes, const SourceLocation& where);

}  // namespace fermata::launch
