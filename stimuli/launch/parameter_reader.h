// Reads the parameters of a launch file, and checks names in it.
#pragma once

#include <string>

#include <fermata/stimuli/launch/description.h>
#include <fermata/stimuli/launch/expression_table.h>

namespace fermata::launch {

/// Returns true for a name: letters, digits and _, with no digit first.
bool isName(const std::string& text);
/// Throws InputError if the text is no name.
void requireName(const std::string& name, const SourceLocation& where);

/// Reads the parameter `name` of the table [parameters]: an integer, or a table. Throws InputError.
Parameter readParameter(ExpressionTable& tables, const std::string& name);

}  // namespace fermata::launch
