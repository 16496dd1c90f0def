// Launches that wait. A kernel launched to a stream need not run before a call can see what it
// does: it waits, with copies behind it, until such a call comes. All that wait then run as one
// workload, in which the grids of different streams run side by side (launch_set.h).
//
//   a<<<8, 256, 0, first>>>();              waits
//   b<<<8, 256, 0, second>>>();             waits
//   cudaEventRecord(event, first);          stands for a
//   cudaStreamWaitEvent(second, event, 0);  what comes next in `second` is behind a and b
//   c<<<8, 256, 0, second>>>();             waits
//   cudaDeviceSynchronize();                a and b run side by side, then c
//
// The legacy stream waits for all others, so a call there ends all waiting. Only timed launches
// wait, and only such as nothing but a call can see: a kernel that prints, asserts or allocates, is
// cooperative or has clusters, or gets an address of memory that the host has, runs at its call.
#pragma once

#include <fermata/platforms/cudart/graphs/work.h>
#include <fermata/platforms/cudart/launcher.h>
#include <fermata/platforms/cudart/streams.h>

namespace fermata::cudart {

/// Does the work of a call in a stream, at once or later, in the stream's order. Throws ApiError.
void submit(cudaStream_t stream, const KernelWork& work);
void submit(cudaStream_t stream, const CopyWork& work);
void submit(cudaStream_t stream, const FillWork& work);

/// Does the work of a graph's node in the same way, behind the works that `lane` has as its last.
void submit(CUstream_st& lane, const KernelWork& work);
void submit(CUstream_st& lane, const CopyWork& work);
void submit(CUstream_st& lane, const FillWork& work);

/// Makes an event stand for what waits in the stream. Returns false if nothing does.
bool recordWaiting(cudaStream_t stream, cudaEvent_t event);
/// Lets the next call in the stream follow what the event stands for.
void followWaiting(cudaStream_t stream, cudaEvent_t event);

/// Runs all that waits. Throws what a launch throws.
void runWaiting();

}  // namespace fermata::cudart
