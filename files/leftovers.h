// Names of temporary files, and the end of those whose writer was killed.
#pragma once

#include <filesystem>

namespace fermata::files {

/// ".NAME.PID.NUMBER" beside the file NAME: the process keeps programs apart, the number the
/// writers of one program.
std::filesystem::path temporaryName(const std::filesystem::path& file, unsigned number);

/// A writer holds this lock on its temporary file as long as it is open: a process id alone does
/// not tell who lives (another container's, another host's). False: somebody else has it.
bool lockTemporary(int descriptor);

/// Removes the temporary files of `file` that nobody is writing: regular, named as above, of a
/// process that is no more (or of this one's number), and not locked. Where files cannot be
/// locked they stay.
void removeLeftovers(const std::filesystem::path& file);

}  // namespace fermata::files
