#include <fermata/platforms/cudart/graphs/capture.h>

#include <algorithm>
#include <set>

namespace fermata::cudart {
namespace {

std::vector<std::shared_ptr<Capture>>& captures() {
  static auto* const all = new std::vector<std::shared_ptr<Capture>>;
  return *all;
}

cudaStreamCaptureMode& modeOfThread() {
  thread_local cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  return mode;
}

/// Invalidates a capture and ends the call.
[[noreturn]] void spoil(Capture& capture, cudaError_t code, const char* text) {
  capture.invalid = true;
  throw ApiError(code, text);
}

/// True if a stream of the capture waits for the legacy stream.
bool isBlocking(const Capture& capture) {
  return std::any_of(capture.streams.begin(), capture.streams.end(), [](const CUstream_st* one) {
    return (one->flags & cudaStreamNonBlocking) == 0;
  });
}

void requireNotImplicit() {
  for (const auto& capture : captures()) {
    if (isBlocking(*capture))
      spoil(*capture, cudaErrorStreamCaptureImplicit,
            "a call in the legacy stream while a stream that waits for it is being captured; "
            "expected another stream, or cudaStreamNonBlocking");
  }
}

void addTips(CUstream_st& stream, const std::vector<cudaGraphNode_t>& tips) {
  for (const cudaGraphNode_t tip : tips)
    if (std::find(stream.tips.begin(), stream.tips.end(), tip) == stream.tips.end())
      stream.tips.push_back(tip);
}

void leave(CUstream_st& stream) {
  stream.capture.reset();
  stream.tips.clear();
}

void end(Capture& capture) {
  capture.ended = true;
  for (CUstream_st* stream : capture.streams) leave(*stream);
  auto& all = captures();
  all.erase(std::find_if(all.begin(), all.end(),
                         [&](const auto& each) { return each.get() == &capture; }));
}

/// Returns the nodes that a stream's next call would follow.
std::set<const Node*> ancestors(const CUstream_st& stream) {
  std::set<const Node*> all;
  for (const cudaGraphNode_t tip : stream.tips) (void)requireNode(tip);
  std::vector<const Node*> open(stream.tips.begin(), stream.tips.end());
  while (!open.empty()) {
    const Node* const node = open.back();
    open.pop_back();
    if (!all.insert(node).second) continue;
    for (const GraphEdge& edge : node->dependencies) open.push_back(edge.node);
  }
  return all;
}

void requireJoined(const Capture& capture) {
  const std::set<const Node*> joined = ancestors(*capture.origin);
  const auto check = [&](const std::vector<cudaGraphNode_t>& tips) {
    for (const cudaGraphNode_t tip : tips)
      require(joined.count(tip) != 0, cudaErrorStreamCaptureUnjoined,
              "a stream that joined the capture has calls that the first stream does not wait for");
  };
  for (const CUstream_st* stream : capture.streams) check(stream->tips);
  check(capture.left);
}

void begin(cudaStream_t handle, cudaStreamCaptureMode mode, std::shared_ptr<Graph> graph,
           std::vector<cudaGraphNode_t> tips) {
  static unsigned long long last = 0;
  requireValue(mode >= cudaStreamCaptureModeGlobal && mode <= cudaStreamCaptureModeRelaxed,
               "no such mode; expected a cudaStreamCaptureMode");
  CUstream_st* const stream = stateOf(handle);
  require(stream != nullptr, cudaErrorStreamCaptureUnsupported,
          "the legacy stream cannot be captured; expected a stream that was created");
  require(stream->capture == nullptr, cudaErrorIllegalState, "the stream is being captured");
  (void)soundSession();
  auto capture = std::make_shared<Capture>();
  capture->id = ++last;
  capture->ownGraph = graph == nullptr;
  capture->graph = capture->ownGraph ? std::make_shared<Graph>() : std::move(graph);
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  capture->origin = stream;
  capture->streams.push_back(stream);
  stream->capture = capture;
  stream->tips = std::move(tips);
  captures().push_back(std::move(capture));
}

cudaGraph_t finish(cudaStream_t handle) {
  CUstream_st* const stream = stateOf(handle);
  require(stream != nullptr && stream->capture != nullptr, cudaErrorIllegalState,
          "the stream is not being captured");
  const std::shared_ptr<Capture> capture = stream->capture;
  require(capture->origin == stream, cudaErrorStreamCaptureUnmatched,
          "the stream joined the capture; expected the stream in which it began");
  require(capture->mode == cudaStreamCaptureModeRelaxed ||
              capture->thread == std::this_thread::get_id(),
          cudaErrorStreamCaptureWrongThread, "another thread has begun the capture");
  struct End {
    Capture& capture;
    ~End() { end(capture); }
  } const atEnd{*capture};
  require(!capture->invalid, cudaErrorStreamCaptureInvalidated, "the capture is invalid");
  requireJoined(*capture);
  return capture->ownGraph ? giveGraph(capture->graph) : capture->graph.get();
}

}  // namespace

Capture* captureOf(cudaStream_t handle) {
  if (captures().empty()) return nullptr;
  CUstream_st* const stream = stateOf(handle);
  if (stream == nullptr) {
    requireNotImplicit();
    return nullptr;
  }
  Capture* const capture = stream->capture.get();
  if (capture != nullptr)
    require(!capture->invalid, cudaErrorStreamCaptureInvalidated, "the capture is invalid");
  return capture;
}

Node& append(cudaStream_t handle, Work work) {
  CUstream_st& stream = *stateOf(handle);
  Node& node =
      addNode(*stream.capture->graph, std::move(work), {stream.tips.data(), stream.tips.size()});
  stream.tips.assign(1, &node);
  return node;
}

void requireUncaptured(cudaStream_t stream) {
  Capture* const capture = captureOf(stream);
  if (capture != nullptr)
    spoil(*capture, cudaErrorStreamCaptureUnsupported,
          "a call that cannot be captured, in a stream that is; expected the end of the capture");
}

void requireNoCapture() {
  if (captures().empty()) return;
  for (const auto& capture : captures()) capture->invalid = true;
  throw ApiError(cudaErrorStreamCaptureUnsupported,
                 "a call that waits for all streams while one is being captured");
}

void requireOutsideCapture() {
  for (const auto& capture : captures()) {
    const bool own = capture->thread == std::this_thread::get_id();
    const bool forbids = own ? capture->mode != cudaStreamCaptureModeRelaxed
                             : capture->mode == cudaStreamCaptureModeGlobal &&
                                   modeOfThread() == cudaStreamCaptureModeGlobal;
    if (forbids && modeOfThread() != cudaStreamCaptureModeRelaxed)
      spoil(*capture, cudaErrorStreamCaptureUnsupported,
            "a call that may wait for the device while a stream is being captured; expected it "
            "before or after, or cudaStreamCaptureModeRelaxed");
  }
}

void requireLegacyFree() {
  if (captures().empty()) return;
  requireNotImplicit();
  requireOutsideCapture();
}

void requireUncaptured(cudaEvent_t event) {
  if (event->capture == nullptr) return;
  event->capture->invalid = true;
  throw ApiError(cudaErrorCapturedEvent, "an event that was last recorded in a capture");
}

void recordIn(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  if (captureOf(stream) == nullptr) {
    event->capture.reset();
    if (!recordWaiting(stream, event)) record(event);
    return;
  }
  if ((flags & cudaEventRecordExternal) != 0) {
    append(stream, RecordWork{event});
    return;
  }
  const CUstream_st& state = *stateOf(stream);
  event->capture = state.capture;
  event->tips = state.tips;
}

void waitIn(cudaStream_t handle, cudaEvent_t event, unsigned flags) {
  Capture* const own = captureOf(handle);
  Capture* const other = event->capture.get();
  if (other == nullptr) {
    if (own == nullptr) return followWaiting(handle, event);
    if ((flags & cudaEventWaitExternal) == 0)
      spoil(*own, cudaErrorStreamCaptureIsolation,
            "the event was recorded outside of the capture; expected one of the capture, or "
            "cudaEventWaitExternal");
    append(handle, WaitWork{event});
    return;
  }
  require(!other->ended, cudaErrorCapturedEvent,
          "the event was last recorded in a capture that has ended");
  CUstream_st* const stream = stateOf(handle);
  if (stream == nullptr)
    spoil(*other, cudaErrorStreamCaptureImplicit, "the legacy stream cannot join a capture");
  require(!other->invalid, cudaErrorStreamCaptureInvalidated, "the event's capture is invalid");
  if (own != nullptr && own != other) {
    own->invalid = true;
    spoil(*other, cudaErrorStreamCaptureMerge, "the event belongs to another capture");
  }
  if (own == nullptr) {
    stream->capture = event->capture;
    stream->tips.clear();
    other->streams.push_back(stream);
  }
  addTips(*stream, event->tips);
}

void leaveCapture(CUstream_st& stream) {
  if (stream.capture == nullptr) return;
  const std::shared_ptr<Capture> capture = stream.capture;
  if (capture->origin == &stream) {
    capture->invalid = true;
    return end(*capture);
  }
  capture->left.insert(capture->left.end(), stream.tips.begin(), stream.tips.end());
  auto& streams = capture->streams;
  streams.erase(std::find(streams.begin(), streams.end(), &stream));
  leave(stream);
}

void forgetCaptures() {
  while (!captures().empty()) end(*captures().back());
}

}  // namespace fermata::cudart

using namespace fermata::cudart;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return inStream("cudaStreamBeginCapture", stream, [&] { begin(stream, mode, nullptr, {}); });
}
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies,
                                          const cudaGraphEdgeData*, size_t count,
                                          cudaStreamCaptureMode mode) {
  return inStream("cudaStreamBeginCaptureToGraph", stream, [&] {
    Graph& one = requireGraph(graph);
    requireValue(dependencies != nullptr || count == 0,
                 "a number of dependencies, but no list of them");
    for (size_t i = 0; i < count; ++i)
      requireValue(requireNode(dependencies[i]).graph == &one,
                   "a node of another graph; expected one of this graph");
    begin(stream, mode, one.shared_from_this(), {dependencies, dependencies + count});
  });
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return inStream("cudaStreamEndCapture", stream, [&] {
    const CUstream_st* const state = stateOf(stream);
    const bool isKnown = state != nullptr && state->capture != nullptr && !state->capture->ownGraph;
    requireValue(graph != nullptr || isKnown, "no place for the graph");
    if (graph != nullptr) *graph = nullptr;
    const cudaGraph_t made = finish(stream);
    if (graph != nullptr) *graph = made;
  });
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return cudaStreamGetCaptureInfo(stream, status, nullptr, nullptr, nullptr, nullptr);
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies, size_t* count) {
  return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, nullptr, count);
}
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                        unsigned long long* id, cudaGraph_t* graph,
                                        const cudaGraphNode_t** dependencies, size_t* count) {
  return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, nullptr, count);
}
cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                        unsigned long long* id, cudaGraph_t* graph,
                                        const cudaGraphNode_t** dependencies,
                                        const cudaGraphEdgeData** edges, size_t* count) {
  return inStream("cudaStreamGetCaptureInfo", stream, [&] {
    requireValue(status != nullptr, "no place for the status");
    CUstream_st* const state = stateOf(stream);
    if (state == nullptr) {
      const auto& all = captures();
      const bool meets =
          std::any_of(all.begin(), all.end(), [](const auto& each) { return isBlocking(*each); });
      require(!meets, cudaErrorStreamCaptureImplicit,
              "the legacy stream, while a stream that waits for it is being captured");
    }
    const Capture* const capture = state == nullptr ? nullptr : state->capture.get();
    *status = capture == nullptr ? cudaStreamCaptureStatusNone
              : capture->invalid ? cudaStreamCaptureStatusInvalidated
                                 : cudaStreamCaptureStatusActive;
    if (capture == nullptr || capture->invalid) return;
    state->edges.assign(state->tips.size(), {});
    if (id != nullptr) *id = capture->id;
    if (graph != nullptr) *graph = capture->graph.get();
    if (dependencies != nullptr) *dependencies = state->tips.data();
    if (edges != nullptr) *edges = state->edges.data();
    if (count != nullptr) *count = state->tips.size();
  });
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                size_t count, unsigned int flags) {
  return inStream("cudaStreamUpdateCaptureDependencies", stream, [&] {
    requireValue(flags <= cudaStreamSetCaptureDependencies && (dependencies || count == 0),
                 "other flags than those of CUDA, or no list of nodes");
    const Capture* const capture = captureOf(stream);
    require(capture != nullptr, cudaErrorIllegalState, "the stream is not being captured");
    for (size_t i = 0; i < count; ++i)
      requireValue(requireNode(dependencies[i]).graph == capture->graph.get(),
                   "a node of another graph; expected one of the capture's");
    CUstream_st& state = *stateOf(stream);
    if (flags == cudaStreamSetCaptureDependencies) state.tips.clear();
    addTips(state, {dependencies, dependencies + count});
  });
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return api("cudaThreadExchangeStreamCaptureMode", [&] {
    requireValue(mode != nullptr && *mode >= cudaStreamCaptureModeGlobal &&
                     *mode <= cudaStreamCaptureModeRelaxed,
                 "no mode; expected a cudaStreamCaptureMode");
    std::swap(*mode, modeOfThread());
  });
}

}  // extern "C"
