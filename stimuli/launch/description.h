// A launch file as read, not yet evaluated for chosen parameters. See README.md for the format,
// plan.h for the evaluation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/launch/expression.h>
#include <fermata/stimuli/launch/tensor_argument.h>

namespace fermata::launch {

enum class ElementType : std::uint8_t { U8, S8, U16, S16, U32, S32, U64, S64, F16, F32, F64 };

/// Returns the type's name: "u8" .. "f64".
std::string_view elementTypeName(ElementType type);
std::optional<ElementType> elementTypeFrom(std::string_view name);
/// Returns the size in bytes.
unsigned elementBytes(ElementType type);
/// Return the least and greatest integer of an integer type (u64: up to INT64_MAX).
std::int64_t leastOf(ElementType type);
std::int64_t greatestOf(ElementType type);
bool isFloat(ElementType type);

/// The kernels' file, and how a .cu is compiled.
struct KernelFile {
  Text file;  ///< .cu or .ptx
  std::optional<Expression> addressBits;
  std::optional<Text> arch;
  std::vector<Text> includes;  ///< folders
  std::vector<Text> defines;   ///< NAME or NAME=value
};

/// An integer expression, or a floating-point number.
struct Number {
  std::variant<Expression, double> value = Expression();
  SourceLocation where;

  bool isReal() const { return std::holds_alternative<double>(value); }
  double real(const Scope& scope) const;
  /// Throws InputError when the number is not an integer.
  std::int64_t integer(const Scope& scope) const;
};

struct Parameter {
  std::string name;
  std::string description;
  std::int64_t defaultValue = 0;
  std::vector<std::int64_t> allowed;  ///< empty: every value of the range
  std::int64_t from = INT64_MIN;      ///< least value
  std::int64_t to = INT64_MAX;        ///< greatest value
  std::int64_t multiple = 1;          ///< every value is a multiple of it
  bool isWord = false;                ///< the values are words, not integers:
  std::string defaultWord;
  std::vector<std::string> words;  ///< the allowed words ..
  bool isFile = false;             ///< .. and, besides words, the path of a file
  SourceLocation where;

  bool accepts(std::int64_t value) const;
  bool acceptsWord(const std::string& word) const;
  /// Returns the default as a user would write it.
  std::string defaultText() const;
  /// Returns a text for errors: "16 or 32", "0 to 6", "an integer", "natural, or a file".
  std::string allowedText() const;
};

/// A condition over the parameters that must hold.
struct Requirement {
  Expression that;
  std::string message;
};

/// How the elements of a buffer are set before the first launch.
struct Fill {
  enum class Kind : std::uint8_t {
    None,  ///< never written: reading it before a store is an error when the executor checks
    Zero,
    Constant,   ///< the value `first`
    Iota,       ///< `first` + i * `second`
    Random,     ///< seeded, uniform in [`first`, `second`]; floats: without `second`
    File,       ///< raw little-endian elements, or an array of NumPy (.npy)
    Formula,    ///< an expression over the parameters and `i`, the index
    Pgm,        ///< `file`: a grey picture
    Picture,    ///< seed, first = pixels of a row, second = contrast, third = slope; `file` is
                ///< kNoise or empty (images/picture.h), kNatural (images/natural.h) or a PGM file
    Image,      ///< levels of `image`
    Edges,      ///< pixels of its edges (images/edges.h)
    Reference,  ///< result of the host function `reference` on the buffers above
  };
  static constexpr const char* kNoise = "noise";
  static constexpr const char* kNatural = "natural";

  Kind kind = Kind::None;
  Number first;
  Number second;
  Number third;
  Expression seed;
  Text file;
  Expression formula;
  std::string image;      ///< name of an ImageSource
  std::string reference;  ///< name of a built-in host function (cuda/references.h)
  SourceLocation where;
};

/// A grey image that buffers are filled from and sizes depend on.
struct ImageSource {
  std::string name;
  Text source;  ///< Fill::kNatural: generated (images/natural.h); otherwise a PGM file
  Expression seed;
  Expression width;  ///< width of the generated image; the next three are its too
  Expression height;
  Expression bits;
  Expression noise;
  std::optional<Expression> threshold;  ///< threshold of its edges; absent: it has none
  SourceLocation where;
};

struct Buffer {
  std::string name;
  ElementType type = ElementType::U32;
  Expression count;               ///< elements, if there is no shape
  std::vector<Expression> shape;  ///< elements by dimension, outermost first; empty: not stated
  std::string symbol;  ///< not empty: lies in this .global or .const variable of the module
  Fill fill;
  std::optional<Expression> when;  ///< exists only if not zero
  SourceLocation where;
};

/// A buffer bound to a .texref of the kernel file.
struct TextureBinding {
  std::string name;
  std::string buffer;
  Expression width;   ///< texels
  Expression height;  ///< rows of texels; 1: one dimension
  Expression depth;   ///< layers of rows; 1: at most two dimensions
  Expression channels;
  bool normalised = false;  ///< coordinates run over [0, 1)
  std::optional<Expression> when;
  SourceLocation where;
};

/// One kernel argument, or a member of a struct.
struct Argument {
  enum class Kind : std::uint8_t { Scalar, Buffer, Bytes, Struct, Tensor };
  Kind kind = Kind::Scalar;
  ElementType type = ElementType::U32;  ///< Scalar
  Number value;                         ///< Scalar
  std::string buffer;                   ///< Buffer and Tensor: its address ..
  Expression offset;                    ///< .. plus this many elements
  std::vector<std::uint8_t> bytes;      ///< Bytes
  std::vector<Argument> members;        ///< Struct: laid out as C does
  std::optional<TensorArgument> tensor;
  SourceLocation where;
};

/// A launch of a kernel, or a loop over launches.
struct LaunchStep {
  SourceLocation where;
  std::optional<Expression> when;  ///< runs only if not zero

  // A kernel.
  Text entry;
  std::vector<Expression> grid;         ///< 1 to 3 dimensions
  std::vector<Expression> cluster;      ///< CTAs of a cluster; empty: as the kernel says
  std::vector<Expression> block;        ///< 1 to 3 dimensions
  Expression shared;                    ///< dynamic shared memory, bytes
  std::optional<Expression> carveout;   ///< percent of the largest carve-out
  std::optional<Expression> stream;     ///< launches of different streams may run side by side
  std::optional<Expression> priority;   ///< of its CTAs; lower numbers go first
  std::optional<Expression> registers;  ///< per thread, in place of the estimate
  std::vector<Argument> arguments;

  // A loop: variable = from, from + step, .. before `to`.
  std::string variable;  ///< empty: a kernel
  Expression from;
  Expression to;
  Expression step;
  std::vector<LaunchStep> body;
};

/// A buffer that must equal a reference or a file after the last launch.
struct Check {
  std::string buffer;
  std::string reference;  ///< name of a built-in host reference; empty: `file`
  Text file;
  double absolute = 0;  ///< |got - expected| <= absolute + relative * |expected|
  double relative = 0;
  std::optional<Expression> when;  ///< compared only if not zero
  SourceLocation where;
};

/// A buffer that is written to a file after the last launch: as an array of NumPy if the name ends
/// in .npy, otherwise as raw little-endian elements.
struct Dump {
  std::string buffer;
  Text file;
  std::optional<Expression> when;  ///< written only if not zero
  SourceLocation where;
};

struct LaunchDescription {
  std::string path;    ///< path of the launch file
  std::string folder;  ///< folder where relative paths start
  std::string description;
  KernelFile kernel;
  std::vector<Parameter> parameters;  ///< in the order of the file, like all lists below
  std::vector<ImageSource> images;
  std::vector<Requirement> requirements;
  std::vector<Buffer> buffers;
  std::vector<TextureBinding> textures;
  std::vector<LaunchStep> launches;
  std::vector<Check> checks;
  std::vector<Dump> dumps;
};

/// Returns the element of this name. Throws InputError: "no KIND 'name'; expected one of ..", or
/// `none` if there is no element.
template <class T>
const T& findNamed(const std::vector<T>& all, const std::string& name, const SourceLocation& where,
                   const std::string& kind, const std::string& none) {
  std::string list;
  for (const T& one : all) {
    if (one.name == name) return one;
    list += (list.empty() ? "one of " : ", ") + one.name;
  }
  throw InputError(where,
                   "no " + kind + " '" + name + "'; expected " + (list.empty() ? none : list));
}

}  // namespace fermata::launch
