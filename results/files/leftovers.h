// Names of temporary files, and the removal of those whose writer was killed.
#pragma once

#include <filesystem>

namespace fermata::files {

/// Returns ".NAME.PID.NUMBER" beside the file NAME. The process id keeps programs apart, the number
/// keeps the writers of one program apart.
std::filesystem::path temporaryName(const std::filesystem::path& file, unsigned number);

/// Locks a temporary file for its writer, as long as it is open. Returns false if another writer
/// holds the lock. A process id alone does not tell who lives: it may be another container's or
/// another host's.
bool lockTemporary(int descriptor);

/// Removes the temporary files of `file` that nobody is writing: regular, named as above, of a
/// process that no longer exists (or with this one's id), and not locked. Where files cannot be
/// locked they stay.
void removeLeftovers(const std::filesystem::path& file);

}  // namespace fermata::files
