// Work of a stream or of a graph's node: a kernel, a copy, a fill, a function of the host and so
// on. A call in a stream does its work at once, or makes it a node while the stream is captured.
#pragma once

#include <fermata/platforms/cudart/graphs/graph_memory.h>
#include <fermata/platforms/cudart/session.h>

#include <map>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace fermata::cudart {

struct KernelWork {
  const void* handle = nullptr;  ///< address of the kernel on the host, or its CUfunction
  DeviceFunction function = {};
  ptx::Dim3 grid = {};
  ptx::Dim3 block = {};
  std::size_t sharedBytes = 0;
  std::vector<std::uint8_t> parameters = {};  ///< the block that the kernel sees
  bool cooperative = false;
  std::optional<ptx::Dim3> cluster = {};
  bool programmatic = false;  ///< may begin early (ProgrammaticStreamSerialization), in a stream
  std::optional<int> priority = {};  ///< of a launch in a stream; empty: the stream's
  /// Attributes without an effect, by cudaLaunchAttributeID.
  std::map<int, cudaLaunchAttributeValue> hints = {};
};
struct CopyWork {
  cudaMemcpy3DParms parameters = {};
  bool xInBytes = false;  ///< positions and widths in arrays count bytes
};
struct FillWork {
  cudaMemsetParams parameters = {};
  std::size_t slices = 1;
  std::size_t slicePitch = 0;  ///< bytes
};
struct HostWork {
  cudaHostFn_t function = nullptr;
  void* userData = nullptr;
};
struct EmptyWork {};
struct ChildWork {
  std::shared_ptr<CUgraph_st> graph;
};
struct RecordWork {
  cudaEvent_t event = nullptr;
};
struct WaitWork {
  cudaEvent_t event = nullptr;
};
struct AllocateWork {
  std::shared_ptr<GraphMemory> memory;
};
struct FreeWork {
  void* pointer = nullptr;
};
struct ConditionalWork {
  std::shared_ptr<Condition> condition;
  cudaGraphConditionalNodeType type = cudaGraphCondTypeIf;
  std::vector<std::shared_ptr<CUgraph_st>> bodies = {};
  std::vector<cudaGraph_t> handles = {};  ///< of the bodies, as the program gets them
};
using Work = std::variant<KernelWork, CopyWork, FillWork, HostWork, EmptyWork, ChildWork,
                          RecordWork, WaitWork, AllocateWork, FreeWork, ConditionalWork>;

/// Returns the node type of a work.
cudaGraphNodeType typeOf(const Work& work);
/// Returns the name of a node's type, such as "kernel".
const char* typeName(cudaGraphNodeType type);

// Each makes a work of what a call was given, copied and checked. Throws ApiError.
KernelWork kernelWork(const void* host, const dim3& grid, const dim3& block, void** arguments,
                      std::size_t sharedBytes, bool cooperative);
KernelWork kernelWork(const cudaKernelNodeParams& parameters);
CopyWork copyWork(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
CopyWork copyWork(const cudaPitchedPtr& to, const cudaPitchedPtr& from, const cudaExtent& extent,
                  cudaMemcpyKind kind);
CopyWork copyWork(const cudaMemcpy3DParms& parameters);
FillWork fillWork(void* to, int value, std::size_t bytes);
FillWork fillWork(const cudaMemsetParams& parameters);
HostWork hostWork(cudaHostFn_t function, void* userData);

/// Returns the address of byte `offset` of a symbol. Throws ApiError unless `count` bytes from
/// there are the symbol's.
void* symbolAddress(const void* symbol, std::size_t offset, std::size_t count);

/// Gives a kernel the attributes of another one.
void takeAttributes(KernelWork& work, const KernelWork& from);
/// Throws ApiError unless the kernel can be launched so.
void requireLaunchable(const KernelWork& work);

// Each does its work now. Throws ApiError.
void perform(const KernelWork& work);
void perform(const CopyWork& work);
void perform(const FillWork& work);
void perform(const EmptyWork& work);
void perform(const RecordWork& work);
void perform(const WaitWork& work);
void perform(const AllocateWork& work);
void perform(const FreeWork& work);

}  // namespace fermata::cudart
