// Destination of the bytes of a file.
#pragma once

#include <functional>
#include <string_view>

namespace fermata::results::timeline {

/// Takes the bytes part by part.
using Put = std::function<void(std::string_view)>;

}  // namespace fermata::results::timeline
