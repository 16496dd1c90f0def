// Error results of the interface's calls.
#pragma once

#include <fermata/stimuli/cuda/include/cuda_runtime_api.h>

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace fermata::cudart {

/// Ends a call: the program gets `code`, standard error gets the text.
class ApiError : public std::runtime_error {
 public:
  ApiError(cudaError_t code, const std::string& text) : std::runtime_error(text), code_(code) {}
  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

/// Throws ApiError with `code` and the text of fmt::format(text, values...).
template <class... Values>
[[noreturn]] void fail(cudaError_t code, fmt::format_string<Values...> text, Values&&... values) {
  throw ApiError(code, fmt::format(text, std::forward<Values>(values)...));
}

/// Throws ApiError with `code` unless `holds`.
inline void require(bool holds, cudaError_t code, const char* text) {
  if (!holds) throw ApiError(code, text);
}
inline void requireValue(bool holds, const char* text) {
  require(holds, cudaErrorInvalidValue, text);
}

}  // namespace fermata::cudart
