// The page of `fermata diff --html`.
#pragma once

#include <fermata/platforms/program/diff/folder_diff.h>

#include <string>

namespace fermata::platforms {

/// Returns the page; the same folders give the same bytes. Throws InputError where the parts of
/// pages are missing.
std::string diffPage(const FolderDiff& diff);

}  // namespace fermata::platforms
