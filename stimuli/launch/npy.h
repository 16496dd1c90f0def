// Arrays in NumPy's file format: .npy, versions 1.0 to 3.0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fermata/stimuli/launch/description.h>

namespace fermata::launch {

/// Shape of an array, outermost dimension first; empty: one element without dimensions.
using Shape = std::vector<std::uint64_t>;

struct NpyArray {
  ElementType type = ElementType::U8;
  Shape shape;
  std::vector<std::uint8_t> bytes;  ///< elements in C order, little endian; empty: only the header
};

/// Returns whether the path ends in .npy.
bool isNpyPath(const std::string& path);

/// Returns the number of elements. Throws InputError at `where` if it does not fit 64 bits.
std::uint64_t elementsOf(const Shape& shape, const SourceLocation& where);
/// Returns the shape as NumPy writes it: "(64, 64)", "(3,)".
std::string shapeText(const Shape& shape);
/// Returns NumPy's name of a type: "float32".
std::string numpyName(ElementType type);
/// Returns the type of NumPy's name ("float32") or of ours ("f32"). bool is u8. NumPy's short codes
/// are not known: its u8 has 64 bits, ours has 8.
std::optional<ElementType> typeOfNumpyName(const std::string& name);

/// Reads type and shape only. Throws InputError at `where` for a file that is no array of C order
/// and little endian with elements of a known type, or is shorter or longer than it says.
NpyArray readNpyHeader(const std::string& path, const SourceLocation& where);
/// Reads the whole array. Throws as readNpyHeader().
NpyArray readNpy(const std::string& path, const SourceLocation& where);

/// Returns the header of a file of version 1.0; the elements follow it.
std::string npyHeader(ElementType type, const Shape& shape);

}  // namespace fermata::launch
