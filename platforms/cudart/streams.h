// Streams and events. An operation in a stream is done when its call returns, unless it waits
// (waiting.h) or the stream is being captured.
#pragma once

#include <fermata/platforms/cudart/session.h>

#include <optional>
#include <vector>

namespace fermata::cudart {
struct Capture;
}

struct CUstream_st {
  unsigned flags = 0;
  int priority = 0;
  std::vector<std::uint64_t> last = {};  ///< works that the next call follows, if they wait
  std::shared_ptr<fermata::cudart::Capture> capture = nullptr;  ///< null: not being captured
  std::vector<cudaGraphNode_t> tips = {};     ///< nodes that the next captured call depends on
  std::vector<cudaGraphEdgeData> edges = {};  ///< zeros: what cudaStreamGetCaptureInfo_v3 points to
};
struct CUevent_st {
  unsigned flags = 0;
  std::optional<double> seconds = {};     ///< simulated time of the last record
  std::vector<std::uint64_t> after = {};  ///< works that it stands for, if they wait
  std::shared_ptr<fermata::cudart::Capture> capture = nullptr;  ///< of a record in a capture
  std::vector<cudaGraphNode_t> tips = {};                       ///< what the event stands for there
};

namespace fermata::cudart {

/// Throws ApiError (cudaErrorInvalidResourceHandle) unless the stream was created or is one of
/// CUDA's own.
void requireStream(cudaStream_t stream);
/// Throws ApiError (cudaErrorInvalidResourceHandle) unless the event was created.
void requireEvent(cudaEvent_t event);
/// Sets the event's time.
void record(cudaEvent_t event);
/// Returns the state of a stream; null for the legacy stream. That of cudaStreamPerThread is the
/// calling thread's.
CUstream_st* stateOf(cudaStream_t stream);

/// Runs a call about a stream: checks the stream, then as api().
template <class Body>
cudaError_t inStream(const char* name, cudaStream_t stream, Body body) {
  return api(name, [&] {
    requireStream(stream);
    return body();
  });
}

}  // namespace fermata::cudart
