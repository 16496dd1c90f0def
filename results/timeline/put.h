// Where the bytes of a file go.
#pragma once

#include <functional>
#include <string_view>

namespace fermata::results::timeline {

/// Takes them part by part.
using Put = std::function<void(std::string_view)>;

}  // namespace fermata::results::timeline
