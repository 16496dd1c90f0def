// Accesses that no workload makes: a CSV file of access sets, a matrix (Eq. 4 of van den Braak et
// al., IEEE TC 2016), or a layout.
#pragma once

#include <cstdint>
#include <string>

#include <fermata/platforms/program/search/access_collection.h>

namespace fermata::platforms {

/// Rows `count,word,word,...`: so many accesses, each of the words that the banks are asked for at
/// once (1 to AccessSets::kMaxWords of them, each below `words`). A first row that begins with the
/// field "count" is a header. Each of the first 4096 rows is an instruction of its own, with its
/// line. The file may be zstd-compressed. Throws InputError "file:line:column: ...".
void collectAccessFile(const std::string& path, std::uint64_t weight, std::uint32_t words,
                       Collected& into);

/// `text` as search::parseAccessMatrix takes it; each warp of the block makes one access, whose
/// lanes are served as the platform serves a warp. Throws InputError "access 'TEXT':column: ...".
void collectAccessMatrix(const std::string& text, std::uint64_t weight, std::uint32_t words,
                         const PlatformParameters& platform, Collected& into);

/// `text` as search::Layout::parse takes it, `atom` as search::parseAtom, of elements of so many
/// bytes; lanes are served as the platform serves the atom's. Throws InputError "layout
/// 'TEXT':column: ...".
void collectLayout(const std::string& text, const std::string& atom, std::uint32_t elementBytes,
                   std::uint64_t weight, std::uint32_t words, const PlatformParameters& platform,
                   Collected& into);

}  // namespace fermata::platforms
