// Captures: streams that become graphs, and what a capture refuses.
#include <thread>

#include "check.h"
#include "graph_nodes.h"

// Two streams, joined by events, become one graph, and nothing runs before the launch.
static void testCapture() {
  cudaStream_t s, other;
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  cudaEvent_t fork, join;
  CHECK(cudaEventCreate(&fork));
  CHECK(cudaEventCreate(&join));
  int* const data = newOnDevice<int>(2);
  std::vector<int> steps;
  int input = 10, result[2] = {}, *temporary = nullptr;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
  CHECK(cudaStreamIsCapturing(s, &status));
  EXPECT(status == cudaStreamCaptureStatusNone);
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
  CHECK(cudaMemsetAsync(data, 0, 8, s));
  CHECK(cudaEventRecord(fork, s));
  CHECK(cudaStreamWaitEvent(other, fork, 0));
  CHECK(cudaMallocAsync(&temporary, 4, other));
  CHECK(cudaMemcpyAsync(temporary, &input, 4, cudaMemcpyHostToDevice, other));
  CHECK(cudaMemcpyAsync(data + 1, temporary, 4, cudaMemcpyDeviceToDevice, other));
  CHECK(cudaFreeAsync(temporary, other));
  add<<<1, 32, 0, other>>>(data + 1, 1);
  add<<<2, 32, 0, s>>>(data, 1);
  CHECK(cudaStreamIsCapturing(other, &status));
  EXPECT(status == cudaStreamCaptureStatusActive);
  CHECK(cudaEventRecord(join, other));
  CHECK(cudaStreamWaitEvent(s, join, 0));
  CHECK(cudaLaunchHostFunc(s, appendStep, &steps));
  CHECK(cudaMemcpyAsync(result, data, 8, cudaMemcpyDeviceToHost, s));
  unsigned long long id = 0;
  cudaGraph_t graph = nullptr, inside = nullptr;
  const cudaGraphNode_t* tips = nullptr;
  size_t count = 0;
  CHECK(cudaStreamGetCaptureInfo(s, &status, &id, &inside, &tips, &count));
  EXPECT(id != 0 && inside != nullptr && count == 1);
  CHECK(cudaStreamEndCapture(s, &graph));
  EXPECT(graph == inside && result[0] == 0 && steps.empty());
  CHECK(cudaGraphGetNodes(graph, nullptr, &count));
  EXPECT(count == 9);
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 3; ++i) {
    input = 10 * i;
    CHECK(cudaGraphLaunch(exec, s));
    EXPECT(result[0] == 64 && result[1] == 10 * i + 32);
  }
  EXPECT(steps.size() == 3);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  // A captured launch of a graph is a child; a capture may go on with a graph that there is.
  CHECK(cudaGraphCreate(&graph, 0));
  const cudaGraphNode_t root = kernelNode(graph, {}, add, data, 1);
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaStreamBeginCaptureToGraph(s, graph, &root, nullptr, 1, cudaStreamCaptureModeRelaxed));
  CHECK(cudaGraphLaunch(exec, s));
  multiply<<<1, 1, 0, s>>>(data, 10);
  const cudaGraphNode_t aside = kernelNode(graph, {root}, add, data + 1, 1);
  CHECK(cudaStreamUpdateCaptureDependencies(s, const_cast<cudaGraphNode_t*>(&aside), 1,
                                            cudaStreamAddCaptureDependencies));
  CHECK(cudaStreamEndCapture(s, nullptr));  // the graph is known
  set(data, 1);
  launchOnce(graph, s);
  EXPECT(valueOf(data) == 30);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  for (cudaStream_t each : {s, other}) CHECK(cudaStreamDestroy(each));
  CHECK(cudaFree(data));
}

/// Begins a capture, does something illegal, which gives `code`, and ends the capture, which gives
/// `end`.
template <class Illegal>
static void captureRefuses(cudaError_t code, cudaError_t end, Illegal illegal) {
  cudaStream_t s;
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  GIVES(illegal(s), code);
  GIVES(cudaStreamEndCapture(s, &graph), end);
  EXPECT((graph == nullptr) == (end != cudaSuccess));
  CHECK(cudaStreamDestroy(s));
}

/// A stream that joined a capture may be destroyed before its end, if the first stream waits for
/// it.
static void testDestroyedStreams(bool joins) {
  int* const data = newOnDevice<int>(1);
  cudaStream_t s, other;
  cudaEvent_t forks, ends;
  for (cudaStream_t* each : {&s, &other}) CHECK(cudaStreamCreate(each));
  for (cudaEvent_t* each : {&forks, &ends}) CHECK(cudaEventCreate(each));
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  CHECK(cudaEventRecord(forks, s));
  CHECK(cudaStreamWaitEvent(other, forks, 0));
  add<<<1, 1, 0, other>>>(data, 5);
  CHECK(cudaEventRecord(ends, other));
  if (joins) CHECK(cudaStreamWaitEvent(s, ends, 0));
  CHECK(cudaStreamDestroy(other));
  cudaGraph_t graph = nullptr;
  GIVES(cudaStreamEndCapture(s, &graph), joins ? cudaSuccess : cudaErrorStreamCaptureUnjoined);
  if (joins) {
    set(data, 1);
    launchOnce(graph, s);
    EXPECT(valueOf(data) == 6);
    CHECK(cudaGraphDestroy(graph));
  }
  CHECK(cudaStreamDestroy(s));
  CHECK(cudaFree(data));
}

static void testRefusedCaptures() {
  constexpr cudaError_t kInvalid = cudaErrorStreamCaptureInvalidated;
  int* const data = newOnDevice<int>(1);
  int* more = nullptr;
  cudaEvent_t event;
  CHECK(cudaEventCreate(&event));
  CHECK(cudaEventRecord(event));
  cudaStream_t second;
  CHECK(cudaStreamCreate(&second));
  GIVES(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal),
        cudaErrorStreamCaptureUnsupported);
  cudaGraph_t graph = nullptr;
  GIVES(cudaStreamEndCapture(second, &graph), cudaErrorIllegalState);
  constexpr cudaError_t kUnsupported = cudaErrorStreamCaptureUnsupported;
  captureRefuses(kUnsupported, kInvalid, [](cudaStream_t s) { return cudaStreamSynchronize(s); });
  captureRefuses(kUnsupported, kInvalid, [](cudaStream_t) { return cudaDeviceSynchronize(); });
  captureRefuses(kUnsupported, kInvalid, [&](cudaStream_t) { return cudaMalloc(&more, 4); });
  captureRefuses(kUnsupported, kInvalid, [&](cudaStream_t) { return cudaEventQuery(event); });
  captureRefuses(cudaErrorStreamCaptureImplicit, kInvalid,
                 [&](cudaStream_t) { return cudaMemset(data, 0, 4); });
  captureRefuses(cudaErrorStreamCaptureImplicit, kInvalid, [&](cudaStream_t) {
    add<<<1, 1>>>(data, 1);
    return cudaGetLastError();
  });
  captureRefuses(cudaErrorStreamCaptureIsolation, kInvalid,
                 [&](cudaStream_t s) { return cudaStreamWaitEvent(s, event, 0); });
  captureRefuses(cudaErrorIllegalState, cudaSuccess, [](cudaStream_t s) {
    return cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  });
  captureRefuses(kInvalid, kInvalid, [&](cudaStream_t s) {
    cudaStreamSynchronize(s);
    return cudaMemsetAsync(data, 0, 4, s);
  });
  cudaThreadExchangeStreamCaptureMode(nullptr);
  captureRefuses(cudaSuccess, cudaSuccess, [&](cudaStream_t) {
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    cudaThreadExchangeStreamCaptureMode(&mode);
    const cudaError_t error = cudaMalloc(&more, 4);
    cudaThreadExchangeStreamCaptureMode(&mode);
    return error;
  });
  captureRefuses(cudaSuccess, cudaErrorStreamCaptureUnjoined, [&](cudaStream_t s) {
    CHECK(cudaEventRecord(event, s));
    CHECK(cudaStreamWaitEvent(second, event, 0));
    GIVES(cudaStreamEndCapture(second, &graph), cudaErrorStreamCaptureUnmatched);
    GIVES(cudaEventElapsedTime(nullptr, event, event), cudaErrorInvalidValue);
    return cudaMemsetAsync(data, 0, 4, second);
  });
  GIVES(cudaEventSynchronize(event), cudaErrorCapturedEvent);
  captureRefuses(cudaErrorStreamCaptureWrongThread, cudaSuccess, [&](cudaStream_t s) {
    cudaError_t error = cudaSuccess;
    std::thread([&] { error = cudaStreamEndCapture(s, &graph); }).join();
    return error;
  });
  for (int* each : {data, more}) CHECK(cudaFree(each));
}

int main() {
  testCapture();
  for (const bool joins : {true, false}) testDestroyedStreams(joins);
  testRefusedCaptures();
  std::puts("PASS");
}
