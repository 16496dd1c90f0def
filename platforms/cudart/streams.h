// Streams are handles: what is asked of one is done when its call returns.
#pragma once

#include <fermata/platforms/cudart/session.h>

namespace fermata::cudart {

/// Throws ApiError (cudaErrorInvalidResourceHandle) unless it was created or is one of CUDA's own.
void requireStream(cudaStream_t stream);

/// A call in a stream: api() once the stream is known.
template <class Body>
cudaError_t inStream(const char* name, cudaStream_t stream, Body body) {
  return api(name, [&] {
    requireStream(stream);
    return body();
  });
}

}  // namespace fermata::cudart
