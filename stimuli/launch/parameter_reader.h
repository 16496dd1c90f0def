// The parameters of a launch file, and what may be a name there.
#pragma once

#include <string>

#include <fermata/stimuli/launch/description.h>
#include <fermata/stimuli/launch/expression_table.h>

namespace fermata::launch {

/// Letters, digits and _, no digit first.
bool isName(const std::string& text);
/// Throws InputError when it is none.
void requireName(const std::string& name, const SourceLocation& where);

/// The parameter `name` of the table [parameters]: an integer, or a table. Throws InputError.
Parameter readParameter(ExpressionTable& tables, const std::string& name);

}  // namespace fermata::launch
