// What every picture that gnuplot draws begins with.
#pragma once

#include <cstddef>
#include <string>

namespace fermata::results {

/// A text as gnuplot reads it, in quotes, on one line.
std::string gnuplotText(const std::string& text);

/// The head of a script that needs nothing but gnuplot: it draws NAME.svg, `width` x `height`
/// pixels, where it is run. `panels` stand one above the other, under `title`; the script is to end
/// with "unset multiplot". `file`: its own name.
std::string gnuplotHead(const std::string& file, const std::string& name, std::size_t width,
                        std::size_t height, std::size_t panels, const std::string& title);

}  // namespace fermata::results
