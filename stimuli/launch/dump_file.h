// Opens the file that a launch file dumps a buffer to. It always lies within the folder of the
// results, whatever path the launch file gives.
#pragma once

#include <string>

#include <fermata/results/files/output_set.h>
#include <fermata/stimuli/input_error.h>

namespace fermata::launch {

/// Throws InputError if `file` is no relative path of a file or leads out of its folder: empty,
/// absolute, with "..", with a zero byte, or the name of a folder ("a/", ".").
void checkDumpFile(const std::string& file, const SourceLocation& where);

/// Adds folder/file to the set and creates the folders that it needs. Throws InputError at `where`
/// if the file cannot be written, leads out of the folder through a link, or is in the set already
/// (a table, or another dump).
files::OutputFile& openDump(files::OutputSet& outputs, const std::string& folder,
                            const std::string& file, const SourceLocation& where);

}  // namespace fermata::launch
