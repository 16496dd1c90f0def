// The tables [images.NAME] of a launch file.
#pragma once

#include <string>

#include <fermata/stimuli/launch/description.h>
#include <fermata/stimuli/launch/expression_table.h>

namespace fermata::launch {

/// The image `name` of the table [images]; the scope learns its sizes. Throws InputError.
ImageSource readImageSource(ExpressionTable& tables, const std::string& name, Scope& scope);

/// A fill from an image: { image = "NAME" } or { edges = "NAME" }, whichever key is there. Throws
/// InputError: there is no such image, or it has no edges.
void readImageFill(ExpressionTable& table, const std::vector<ImageSource>& images, Fill& fill);

}  // namespace fermata::launch
