// The advice of `fermata search`: the best mapping, and the best of each kind side by side.
#pragma once

#include <ostream>
#include <string>

#include <fermata/platforms/program/search/search_apply.h>

namespace fermata::platforms {

/// Prints the best mapping in the kernel and the best in hardware with what each saves, the best of
/// each kind (padding, swizzle, XOR hash, modulus), and both changes of a kernel as its programmer
/// writes them.
void printAdvice(const SearchRequest& request, const SearchReport& report, const Applied& applied,
                 std::ostream& out);

/// Returns "1 word", "2 words".
std::string plural(std::uint64_t count, const std::string& noun);
/// Formats conflicts; marks estimates with "~".
std::string counted(const SearchReport& report, std::uint64_t conflicts);
/// Returns "9 gates, +1 cycle", "17 words" for a padding, "3 operations per index" for a swizzle.
std::string costText(const SearchReport& report, const SearchRow& row);
/// Returns the share of the conflicts that is gone, in percent; "-" if there were none.
std::string removed(std::uint64_t before, std::uint64_t after);

}  // namespace fermata::platforms
