// Streams are handles only: an operation in a stream is done when its call returns.
#pragma once

#include <fermata/platforms/cudart/session.h>

namespace fermata::cudart {

/// Throws ApiError (cudaErrorInvalidResourceHandle) unless the stream was created or is one of
/// CUDA's own.
void requireStream(cudaStream_t stream);

/// Runs a call in a stream: checks the stream, then as api().
template <class Body>
cudaError_t inStream(const char* name, cudaStream_t stream, Body body) {
  return api(name, [&] {
    requireStream(stream);
    return body();
  });
}

}  // namespace fermata::cudart
