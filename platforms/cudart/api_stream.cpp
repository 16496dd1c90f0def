// Streams and events: each operation is done, in the order of the calls, when its call returns,
// unless it waits (waiting.h) or the stream is being captured.
#include <fermata/platforms/cudart/graphs/capture.h>

#include <algorithm>
#include <set>

using namespace fermata::cudart;

namespace {

constexpr int kGreatestPriority = -5;  ///< as cudaDeviceGetStreamPriorityRange says

std::set<cudaStream_t>& streams() {
  static auto* const all = new std::set<cudaStream_t>;
  return *all;
}
std::set<cudaEvent_t>& events() {
  static auto* const all = new std::set<cudaEvent_t>;
  return *all;
}

bool isOwn(cudaStream_t stream) { return streams().count(stream) != 0; }

cudaError_t createStream(const char* name, cudaStream_t* stream, unsigned flags, int priority) {
  return api(name, [&] {
    requireValue(stream != nullptr, "no place for the stream");
    (void)soundSession();
    *stream = new CUstream_st{flags, std::clamp(priority, kGreatestPriority, 0)};
    streams().insert(*stream);
  });
}
/// Waits for a stream. Returns the error of a kernel that failed.
cudaError_t waitFor(const char* name, cudaStream_t stream) {
  return uncaptured(name, stream, [] { session().requireSound(); });
}
/// Waits for an event, as for a stream.
cudaError_t waitFor(const char* name, cudaEvent_t event) {
  return api(name, [&] {
    requireEvent(event);
    requireUncaptured(event);
    session().requireSound();
  });
}

}  // namespace

CUstream_st* fermata::cudart::stateOf(cudaStream_t stream) {
  // Never destroyed: exit handlers may use the stream after the thread's objects have ended.
  thread_local CUstream_st* const ofThread = new CUstream_st;
  if (stream == cudaStreamPerThread) return ofThread;
  return isOwn(stream) ? stream : nullptr;
}
void fermata::cudart::requireEvent(cudaEvent_t event) {
  require(events().count(event) != 0, cudaErrorInvalidResourceHandle, "not an event");
}
void fermata::cudart::record(cudaEvent_t event) {
  requireEvent(event);
  event->seconds = soundSession().launcher.seconds();
}

void fermata::cudart::requireStream(cudaStream_t stream) {
  const bool known = stream == nullptr || stream == cudaStreamLegacy ||
                     stream == cudaStreamPerThread || streams().count(stream) != 0;
  require(known, cudaErrorInvalidResourceHandle, "not a stream");
}

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return createStream("cudaStreamCreate", stream, cudaStreamDefault, 0);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return createStream("cudaStreamCreateWithFlags", stream, flags, 0);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  return createStream("cudaStreamCreateWithPriority", stream, flags, priority);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return api("cudaStreamDestroy", [&] {
    require(isOwn(stream), cudaErrorInvalidResourceHandle, "not a stream that was created");
    leaveCapture(*stream);
    streams().erase(stream);
    delete stream;
  });
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return waitFor("cudaStreamSynchronize", stream);
}
cudaError_t cudaStreamQuery(cudaStream_t stream) { return waitFor("cudaStreamQuery", stream); }
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  return inStream("cudaStreamWaitEvent", stream, [&] {
    requireEvent(event);
    waitIn(stream, event, flags);
  });
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  return inStream("cudaStreamGetFlags", stream, [&] {
    requireValue(flags != nullptr, "no place for the flags");
    *flags = isOwn(stream) ? stream->flags : 0;
  });
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return inStream("cudaStreamGetPriority", stream, [&] {
    requireValue(priority != nullptr, "no place for the priority");
    *priority = isOwn(stream) ? stream->priority : 0;
  });
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                  void* userData, unsigned int) {
  const cudaError_t wrong = uncaptured("cudaStreamAddCallback", stream,
                                       [&] { requireValue(callback != nullptr, "no callback"); });
  if (wrong == cudaSuccess) callback(stream, lostError(), userData);
  return wrong;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* userData) {
  bool captured = false;
  const cudaError_t status = inStream("cudaLaunchHostFunc", stream, [&] {
    HostWork work = hostWork(function, userData);
    session().requireSound();
    captured = captureOf(stream) != nullptr;
    if (captured) append(stream, work);
  });
  if (status == cudaSuccess && !captured) function(userData);
  return status;
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t, unsigned int) {
  return uncaptured("cudaStreamAttachMemAsync", stream, [&] { requireManaged(pointer, 1); });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return api("cudaEventCreate", [&] {
    requireValue(event != nullptr, "no place for the event");
    (void)soundSession();
    *event = new CUevent_st{flags};
    events().insert(*event);
  });
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return api("cudaEventDestroy", [&] {
    requireEvent(event);
    events().erase(event);
    delete event;
  });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  return inStream("cudaEventRecord", stream, [&] {
    requireEvent(event);
    recordIn(stream, event, flags);
  });
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return api("cudaEventQuery", [&] {
    requireOutsideCapture();
    return waitFor("cudaEventQuery", event);
  });
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return waitFor("cudaEventSynchronize", event);
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return api("cudaEventElapsedTime", [&] {
    requireValue(milliseconds != nullptr, "no place for the time");
    requireEvent(start);
    requireEvent(end);
    const bool timed = start->seconds && end->seconds &&
                       ((start->flags | end->flags) & cudaEventDisableTiming) == 0;
    require(timed, cudaErrorInvalidResourceHandle,
            "an event that was not recorded or has no time (cudaEventDisableTiming)");
    *milliseconds = static_cast<float>((*end->seconds - *start->seconds) * 1e3);
  });
}

}  // extern "C"
