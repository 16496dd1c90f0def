// The file that a launch file dumps a buffer to: within the folder of the results, whatever it
// says.
#pragma once

#include <string>

#include <fermata/files/output_set.h>
#include <fermata/stimuli/input_error.h>

namespace fermata::launch {

/// Throws InputError where `file` is no relative path of a file, or leads out of its folder: empty,
/// absolute, with "..", with a zero byte, or the name of a folder ("a/", ".").
void checkDumpFile(const std::string& file, const SourceLocation& where);

/// Adds folder/file to the set, with the folders that it takes. Throws InputError at `where` when
/// that cannot be written, leads out of the folder by a link, or is a file that the set has
/// already: a table's, or another dump's.
files::OutputFile& openDump(files::OutputSet& outputs, const std::string& folder,
                            const std::string& file, const SourceLocation& where);

}  // namespace fermata::launch
