// Copies and fills between the host and the device.
#pragma once

#include <fermata/platforms/cudart/session.h>
#include <fermata/platforms/cudart/sizes.h>

namespace fermata::cudart {

/// Extent of a copy: slices of rows of bytes.
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

/// Returns byte `x` of row `y` of slice `z`, counted from `start`. Throws ApiError.
Place placeAt(const Place& start, std::size_t x, std::size_t y, std::size_t z = 0);

/// Copies bytes. Throws ApiError, before anything is copied: cudaErrorInvalidValue if a side is not
/// of the kind or out of bounds, cudaErrorInvalidPitchValue, cudaErrorInvalidMemcpyDirection.
void copy(Session& session, const Place& to, const Place& from, const Rows& rows,
          cudaMemcpyKind kind);
void copy(Session& session, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
/// Fills rows with repetitions of the low `unit` bytes of `value`.
void fill(Session& session, const Place& to, const Rows& rows, std::uint32_t value,
          unsigned unit = 1);
void fill(Session& session, void* to, std::size_t bytes, int value);

}  // namespace fermata::cudart
