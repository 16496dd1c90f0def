// The device linker of `fermata cc`: units of relocatable device code become one program, in an
// object that the host's linker takes beside theirs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <fermata/platforms/program/cc/device_objects.h>

namespace fermata::platforms {

/// A linked program and the C source of its object.
struct DeviceLink {
  std::string ptx;     ///< marked
  std::string source;  ///< includes the file `ptxPath`
};

/// Links. The object of `source` defines what the units' objects refer to, so that the host's
/// linker misses it by name. Throws InputError for symbols without a definition or with two.
DeviceLink linkDevice(const std::vector<DeviceUnit>& units, const std::filesystem::path& ptxPath);

}  // namespace fermata::platforms
