// A launch file for chosen parameters: every size a number, every loop unrolled into its launches.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fermata/models/vocabulary/grid.h>
#include <fermata/stimuli/launch/compile_settings.h>
#include <fermata/stimuli/launch/description.h>
#include <fermata/stimuli/launch/image_plan.h>

namespace fermata::launch {

struct PlannedBuffer {
  std::string name;
  ElementType type = ElementType::U32;
  std::uint64_t count = 0;           ///< elements, > 0
  std::vector<std::uint64_t> shape;  ///< elements by dimension; empty: not stated
  std::string symbol;
  Fill fill;
  SourceLocation where;
  std::shared_ptr<const PlannedImage> image;  ///< image that fills the buffer; nullptr: none

  std::uint64_t bytes() const { return count * elementBytes(type); }
};

struct PlannedTexture {
  std::string name;
  std::size_t buffer = 0;
  std::uint32_t width = 1, height = 1, depth = 1, channels = 1;
  bool normalised = false;
  SourceLocation where;
};

/// One argument or struct member with its value known, except for addresses.
struct PlannedArgument {
  bool isBuffer = false;
  std::size_t buffer = 0;                ///< isBuffer: index of the buffer ..
  std::uint64_t offset = 0;              ///< .. and offset from its start in bytes
  std::vector<std::uint8_t> bytes;       ///< scalar or bytes, little endian
  std::vector<PlannedArgument> members;  ///< a struct
  std::optional<ptx::TensorMap> tensor;  ///< a map of the buffer, at the offset
  unsigned alignment = 1;                ///< alignment of a scalar in bytes
  std::string text;                      ///< "u32", "buffer 'in'", "a struct": for errors
  SourceLocation where;
};

struct PlannedLaunch {
  std::string entry;   ///< in the form of the launch file
  std::string symbol;  ///< in the form of the kernels' file; empty until it is loaded
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::optional<std::array<std::uint32_t, 3>> cluster;  ///< none: as the kernel says
  std::array<std::uint32_t, 3> block{1, 1, 1};
  std::uint32_t dynamicSharedBytes = 0;
  std::int32_t carveout = kNoCarveout;
  std::uint32_t stream = 0;
  std::int32_t priority = 0;
  std::optional<std::uint32_t> registersPerThread;
  std::vector<PlannedArgument> arguments;
  SourceLocation where;       ///< place of the launch
  SourceLocation entryWhere;  ///< place of its entry name
};

struct Plan {
  Scope scope;  ///< parameters, sizes of images, and count(buffer) for every buffer: 0 for a
                ///< buffer that does not exist
  std::map<std::string, std::string> chosen;  ///< parameters as they were chosen
  PlannedImages images;
  std::string kernelFile;  ///< .cu or .ptx; a relative path starts from the launch file's folder
  SourceLocation kernelWhere;
  CompileSettings compile;
  std::vector<PlannedBuffer> buffers;  ///< only those that exist, like all lists below
  std::vector<PlannedTexture> textures;
  std::vector<PlannedLaunch> launches;
  std::vector<Check> checks;
  std::vector<Dump> dumps;

  /// Returns the index of a buffer, or buffers.size() if there is none of this name.
  std::size_t buffer(const std::string& name) const;
};

inline constexpr std::uint64_t kMaxBufferBytes = std::uint64_t{2} << 30;  ///< all buffers together
inline constexpr std::size_t kMaxLaunches = 100000;

/// Evaluates the description. `chosen` replaces defaults of parameters. Throws InputError for an
/// unknown name, a text that is not an integer or a value that is not allowed, and names what is
/// allowed. Opens no file except those of images, through `make`.
Plan planLaunches(const LaunchDescription& description,
                  const std::map<std::string, std::string>& chosen,
                  const ImageMaker& make = makeImage);

/// Appends the value of a number to `to` as an element of `type`, little endian. Throws InputError
/// if an integer does not fit.
void appendElement(std::vector<std::uint8_t>& to, ElementType type, const Number& number,
                   const Scope& scope);
/// Returns the nearest float. Throws InputError at `where` if a finite number is too large.
float toFloat(double value, const SourceLocation& where);
/// Returns the bits of the nearest half-precision number. Throws like toFloat().
std::uint16_t toHalf(double value, const SourceLocation& where);

}  // namespace fermata::launch
