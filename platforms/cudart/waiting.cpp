#include <fermata/platforms/cudart/waiting.h>

#include <fermata/platforms/cudart/sizes.h>
#include <fermata/stimuli/ptx/instruction.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

namespace fermata::cudart {
namespace {

/// Works that may wait at once: more run at the next call.
constexpr std::size_t kMostWaiting = 512;

/// Works are numbered from 0 on, over all of the program.
struct Waiting {
  std::vector<WaitingWork> works;
  std::uint64_t first = 0;  ///< number of the first of `works`
  std::vector<std::pair<cudaEvent_t, std::vector<std::uint64_t>>> records;
};

Waiting& waiting() {
  static auto* const one = new Waiting;
  return *one;
}

/// Drops the numbers of works that have run.
void dropRun(std::vector<std::uint64_t>& numbers) {
  numbers.erase(std::remove_if(numbers.begin(), numbers.end(),
                               [](std::uint64_t one) { return one < waiting().first; }),
                numbers.end());
}

/// True if the work may begin before those before it are over: all of them are launches.
bool isEarly(const CUstream_st& stream, const WaitingWork& work) {
  const Waiting& all = waiting();
  return work.programmatic &&
         std::all_of(stream.last.begin(), stream.last.end(),
                     [&](std::uint64_t number) { return !all.works[number - all.first].work; });
}

void add(CUstream_st& stream, WaitingWork work) {
  Waiting& all = waiting();
  dropRun(stream.last);
  std::vector<unsigned>& before = isEarly(stream, work) ? work.early : work.after;
  for (const std::uint64_t number : stream.last)
    before.push_back(static_cast<unsigned>(number - all.first));
  if (work.early.empty()) stream.last.clear();  // what comes next follows this work alone
  stream.last.push_back(all.first + all.works.size());
  all.works.push_back(std::move(work));
  launchesWait() = true;
  if (all.works.size() >= kMostWaiting) runWaiting();
}

/// True if the kernel may get the address of memory that the host has by a parameter.
bool seesHost(const Session& one, const std::vector<std::uint8_t>& parameters) {
  for (std::size_t at = 0; at + 8 <= parameters.size(); at += 8) {
    std::uint64_t value = 0;
    std::memcpy(&value, parameters.data() + at, sizeof value);
    const Block* const block = one.heap.find(value);
    if (block != nullptr && block->kind != MemoryKind::Device) return true;
  }
  return false;
}

bool mayWait(Session& one, const KernelWork& work) {
  return one.launcher.runsSideBySide() && !one.hasManagedVariables() && !work.cooperative &&
         !work.cluster && !seesHost(one, work.parameters);
}

bool mayWait(const LaunchRequest& request) {
  const ptx::Kernel& kernel = *request.launch.kernel;
  return !kernel.code().callsLibrary && !kernel.needsCluster() && kernel.requiredCluster()[0] == 0;
}

/// True if the bytes lie in one block of memory that stays as it is until a call: the device's or
/// pinned memory.
bool isSteady(const Session& one, const void* pointer, std::size_t bytes) {
  return bytes != 0 && one.heap.find(reinterpret_cast<std::uint64_t>(pointer), bytes) != nullptr;
}

/// True if something waits before the next call in the stream.
bool waitsIn(CUstream_st& stream) {
  dropRun(stream.last);
  return !stream.last.empty();
}

/// Does the work now if nothing waits before it, lets it wait if it may, and otherwise ends all
/// waiting first.
template <class Work>
void submitWork(CUstream_st* stream, const Work& work, bool mayWait) {
  if (stream != nullptr && !waitsIn(*stream)) return perform(work);
  if (stream == nullptr || !mayWait) {
    runWaiting();
    return perform(work);
  }
  WaitingWork later;
  later.work = [work] { perform(work); };
  later.priority = stream->priority;
  add(*stream, std::move(later));
}

int priorityOf(const KernelWork& work, const CUstream_st& stream) {
  if (work.priority) return *work.priority;
  const auto hint = work.hints.find(cudaLaunchAttributePriority);
  return hint == work.hints.end() ? stream.priority : hint->second.priority;
}

void submitKernel(CUstream_st* stream, const KernelWork& work) {
  Session& one = soundSession();
  if (stream != nullptr && mayWait(one, work)) {
    WaitingWork later;
    later.priority = priorityOf(work, *stream);
    later.programmatic = work.programmatic;
    later.request = one.request(work.function, work.grid, work.block, work.sharedBytes,
                                work.parameters, work.cooperative, work.cluster);
    if (mayWait(later.request)) {
      one.launcher.executor().load(work.function.program->module());
      return add(*stream, std::move(later));
    }
  }
  runWaiting();
  perform(work);
}

void submitCopy(CUstream_st* stream, const CopyWork& work) {
  const cudaMemcpy3DParms& p = work.parameters;
  const bool plain = p.srcArray == nullptr && p.dstArray == nullptr && p.extent.height == 1 &&
                     p.extent.depth == 1 && p.srcPos.x == 0 && p.dstPos.x == 0;
  const Session& one = soundSession();
  submitWork(stream, work,
             plain && p.kind >= cudaMemcpyHostToHost && p.kind <= cudaMemcpyDefault &&
                 isSteady(one, p.srcPtr.ptr, p.extent.width) &&
                 isSteady(one, p.dstPtr.ptr, p.extent.width));
}

void submitFill(CUstream_st* stream, const FillWork& work) {
  const cudaMemsetParams& p = work.parameters;
  const bool plain = p.height <= 1 && work.slices == 1;
  submitWork(stream, work,
             plain && isSteady(soundSession(), p.dst, product(p.width, p.elementSize)));
}

double endOf(const std::vector<std::uint64_t>& numbers, const Waiting& all,
             const std::vector<double>& ends, double begin) {
  double last = begin;
  for (const std::uint64_t number : numbers) last = std::max(last, ends[number - all.first]);
  return last;
}

}  // namespace

bool& launchesWait() {
  static bool some = false;
  return some;
}

void submit(cudaStream_t stream, const KernelWork& work) { submitKernel(stateOf(stream), work); }
void submit(cudaStream_t stream, const CopyWork& work) { submitCopy(stateOf(stream), work); }
void submit(cudaStream_t stream, const FillWork& work) { submitFill(stateOf(stream), work); }
void submit(CUstream_st& lane, const KernelWork& work) { submitKernel(&lane, work); }
void submit(CUstream_st& lane, const CopyWork& work) { submitCopy(&lane, work); }
void submit(CUstream_st& lane, const FillWork& work) { submitFill(&lane, work); }

bool recordWaiting(cudaStream_t handle, cudaEvent_t event) {
  CUstream_st* const stream = stateOf(handle);
  event->after.clear();
  if (!launchesWait()) return false;
  if (stream == nullptr) {
    runWaiting();
    return false;
  }
  if (!waitsIn(*stream)) return false;
  event->after = stream->last;
  event->seconds = soundSession().launcher.seconds();  // until it is known
  waiting().records.emplace_back(event, event->after);
  return true;
}

void followWaiting(cudaStream_t handle, cudaEvent_t event) {
  if (!launchesWait()) return;
  dropRun(event->after);
  if (event->after.empty()) return;
  CUstream_st* const stream = stateOf(handle);
  if (stream == nullptr) return runWaiting();
  dropRun(stream->last);
  for (const std::uint64_t number : event->after) {
    if (std::find(stream->last.begin(), stream->last.end(), number) == stream->last.end())
      stream->last.push_back(number);
  }
}

void runWaiting() {
  if (!std::exchange(launchesWait(), false)) return;
  Waiting all = std::exchange(waiting(), {{}, waiting().first + waiting().works.size(), {}});
  Session& one = soundSession();
  const double begin = one.launcher.seconds();
  const std::vector<double> ends = one.run(std::move(all.works));
  for (const auto& [event, after] : all.records) event->seconds = endOf(after, all, ends, begin);
}

bool keepsWaiting(const char* name) {
  // The calls that cannot see what a kernel does. Those that do something in a stream decide for
  // themselves.
  static constexpr std::string_view kCalls[] = {"a launch",
                                                "a cooperative launch",
                                                "cuLaunchKernel",
                                                "cuLaunchCooperativeKernel",
                                                "cudaLaunchKernelExC",
                                                "cuLaunchKernelEx",
                                                "cudaMemcpyAsync",
                                                "cudaMemsetAsync",
                                                "cudaEventRecord",
                                                "cudaStreamWaitEvent",
                                                "cudaStreamCreate",
                                                "cudaStreamCreateWithFlags",
                                                "cudaStreamCreateWithPriority",
                                                "cudaEventCreate",
                                                "cudaGetDevice",
                                                "cudaSetDevice",
                                                "cudaGetDeviceCount",
                                                "cudaDeviceGetAttribute",
                                                "cudaGetDeviceProperties",
                                                "cudaStreamGetPriority",
                                                "cudaStreamGetFlags",
                                                "cudaDeviceGetStreamPriorityRange",
                                                "cudaFuncSetAttribute",
                                                "cudaFuncGetAttributes",
                                                "cudaStreamGetCaptureInfo",
                                                "cudaGraphLaunch",
                                                "cudaOccupancyMaxActiveBlocksPerMultiprocessor"};
  return std::find(std::begin(kCalls), std::end(kCalls), name) != std::end(kCalls);
}

}  // namespace fermata::cudart
