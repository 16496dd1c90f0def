// Captures: calls in a stream become nodes of a graph, and nothing runs. Streams join a capture by
// waiting for its events.
#pragma once

#include <fermata/platforms/cudart/graphs/graph.h>
#include <fermata/platforms/cudart/streams.h>
#include <fermata/platforms/cudart/waiting.h>

#include <thread>

namespace fermata::cudart {

struct Capture {
  unsigned long long id = 0;
  std::shared_ptr<Graph> graph = nullptr;
  bool ownGraph = true;  ///< made by the capture
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread = {};
  CUstream_st* origin = nullptr;
  std::vector<CUstream_st*> streams = {};  ///< that are being captured, the origin first
  std::vector<cudaGraphNode_t> left = {};  ///< last nodes of streams that were destroyed
  bool invalid = false;
  bool ended = false;
};

/// Returns the capture of a stream; null: it is not being captured. Throws ApiError if the capture
/// is invalid, or if the stream is the legacy one and a stream that waits for it is being captured.
Capture* captureOf(cudaStream_t stream);
/// Adds a node that depends on the stream's last ones, and is from then on its last. Throws
/// ApiError.
Node& append(cudaStream_t stream, Work work);

/// Throws ApiError, and invalidates the capture, if the stream is being captured.
void requireUncaptured(cudaStream_t stream);
/// Throws ApiError, and invalidates the capture, if any stream is being captured.
void requireNoCapture();
/// Throws ApiError, and invalidates the capture, if a capture forbids the calling thread calls that
/// may wait for the device or allocate.
void requireOutsideCapture();
/// Throws ApiError, and invalidates the capture, if a synchronous call in the legacy stream meets a
/// capture.
void requireLegacyFree();
/// Throws ApiError, and invalidates the capture, if the event was last recorded in one.
void requireUncaptured(cudaEvent_t event);

/// Records an event, or notes what it stands for in a capture.
void recordIn(cudaStream_t stream, cudaEvent_t event, unsigned flags);
/// Makes a stream wait for an event. It joins the capture that the event belongs to.
void waitIn(cudaStream_t stream, cudaEvent_t event, unsigned flags);
/// Takes a stream that is destroyed out of its capture, which is then invalid.
void leaveCapture(CUstream_st& stream);
void forgetCaptures();

/// Does the work that `make` returns, in the stream's order, or makes it a node if the stream is
/// being captured.
template <class Make>
cudaError_t enqueue(const char* name, cudaStream_t stream, Make make) {
  return inStream(name, stream, [&] {
    if (captureOf(stream) != nullptr)
      append(stream, make());
    else
      submit(stream, make());
  });
}
/// Runs a call that waits for a stream, which must not be captured.
template <class Body>
cudaError_t uncaptured(const char* name, cudaStream_t stream, Body body) {
  return inStream(name, stream, [&] {
    requireUncaptured(stream);
    return body();
  });
}
/// Runs a call that is made in the legacy stream and waits for its end.
template <class Body>
cudaError_t synchronous(const char* name, Body body) {
  return api(name, [&] {
    requireLegacyFree();
    return body();
  });
}

}  // namespace fermata::cudart
