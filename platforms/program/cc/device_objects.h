// Relocatable device code in objects and static libraries: PTX behind a mark that says which
// translation unit it is. The mark is found in the bytes of a file, so that objects, archives and
// what other linkers made of them are read alike.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace fermata::platforms {

/// The device code of a translation unit.
struct DeviceUnit {
  std::string id;  ///< hexadecimal digits; part of the names that its object refers to
  std::string ptx;
  std::string file;  ///< the object or archive that holds it
  bool ofLibrary = false;
};

struct DeviceObjects {
  std::vector<DeviceUnit> units;  ///< each once, in the order of the files
  std::set<std::string> linked;   ///< ids of the units that an object of -dlink contains
};

/// Returns what `files` contain: objects, archives, and -lNAME, which is sought in the folders of
/// -LFOLDER. Shared libraries are linked by themselves and left out.
DeviceObjects deviceObjectsIn(const std::vector<std::string>& files);

/// Number of digits of an id.
inline constexpr std::size_t kUnitDigits = 16;

/// Returns the PTX with the mark of unit `id`, as it is embedded in the object.
std::string markedUnit(const std::string& id, const std::string& ptx);
/// Returns linked PTX with the mark of its units.
std::string markedLink(const std::vector<DeviceUnit>& units, const std::string& ptx);

/// Gives an object's references the name of its unit. Clang derives the name from the path of the
/// source, which may be compiled twice. Throws InputError if there is no such reference.
void nameUnit(const std::filesystem::path& object, const std::string& id);

}  // namespace fermata::platforms
