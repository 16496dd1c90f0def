// The tables [images.NAME] of a launch file.
#pragma once

#include <string>

#include <fermata/stimuli/launch/description.h>
#include <fermata/stimuli/launch/expression_table.h>

namespace fermata::launch {

/// Reads the image `name` of the table [images] and adds its sizes to the scope. Throws InputError.
ImageSource readImageSource(ExpressionTable& tables, const std::string& name, Scope& scope);

/// Reads a fill from an image: { image = "NAME" } or { edges = "NAME" }. Throws InputError if there
/// is no such image, or it has no edges.
void readImageFill(ExpressionTable& table, const std::vector<ImageSource>& images, Fill& fill);

}  // namespace fermata::launch
