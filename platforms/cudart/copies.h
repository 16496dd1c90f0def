// Copies and fills between the host and the device.
#pragma once

#include <fermata/platforms/cudart/session.h>
#include <fermata/platforms/cudart/sizes.h>

namespace fermata::cudart {

/// Rows of bytes, `pitch` apart.
struct Rows {
  std::size_t width = 0;   ///< bytes of a row
  std::size_t height = 1;  ///< rows of a slice
  std::size_t depth = 1;
};
struct Place {
  const void* pointer = nullptr;
  std::size_t pitch = 0;       ///< bytes from row to row
  std::size_t slicePitch = 0;  ///< bytes from slice to slice
};

/// Byte `x` of row `y` of slice `z`, counted from `start`. Throws ApiError.
Place placeAt(const Place& start, std::size_t x, std::size_t y, std::size_t z = 0);

/// Throws ApiError: cudaErrorInvalidValue where a side is not of the kind or out of bounds,
/// cudaErrorInvalidPitchValue, cudaErrorInvalidMemcpyDirection. Nothing is copied then.
void copy(Session& session, const Place& to, const Place& from, const Rows& rows,
          cudaMemcpyKind kind);
void copy(Session& session, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
/// Writes `unit` bytes of `value`, again and again.
void fill(Session& session, const Place& to, const Rows& rows, std::uint32_t value,
          unsigned unit = 1);
void fill(Session& session, void* to, std::size_t bytes, int value);

}  // namespace fermata::cudart
