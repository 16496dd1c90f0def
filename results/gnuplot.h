// Beginning of every script for a picture that gnuplot draws.
#pragma once

#include <cstddef>
#include <string>

namespace fermata::results {

/// Returns a text as gnuplot reads it: in quotes, on one line.
std::string gnuplotText(const std::string& text);

/// Returns the head of a script that needs nothing but gnuplot. The script draws NAME.svg, `width`
/// x `height` pixels, in the folder where it is run. `panels` stand one above the other, under
/// `title`; the script must end with "unset multiplot". `file`: the script's own name.
std::string gnuplotHead(const std::string& file, const std::string& name, std::size_t width,
                        std::size_t height, std::size_t panels, const std::string& title);

}  // namespace fermata::results
