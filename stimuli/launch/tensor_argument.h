// Arguments that are tensor maps of a buffer:
// { tensor = "a", dims = ["n", "n"], box = [32, 8], swizzle = "128B" }.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/launch/expression.h>
#include <fermata/stimuli/ptx/tensor_map.h>

namespace fermata::launch {

class ExpressionTable;

/// A tensor map as read. Lists begin with the innermost dimension.
struct TensorArgument {
  ptx::TensorMap map;           ///< fill and rank; the type, if it is not the buffer's
  std::optional<Text> swizzle;  ///< absent: none
  bool typed = false;           ///< the map has a type of its own
  std::vector<Expression> dims, strides, box, steps;  ///< strides: empty if the tensor is dense
  SourceLocation where;
};

/// Reads the keys beside `tensor`, which names the buffer. Throws InputError.
TensorArgument readTensorArgument(ExpressionTable& table);

/// Returns the map for chosen parameters, with address 0. `type`: of the buffer's elements. Throws
/// InputError at what the map breaks of CUDA's rules.
ptx::TensorMap planTensor(const TensorArgument& argument, ptx::TensorType type, const Scope& scope);

}  // namespace fermata::launch
