// Graphs: building, instantiating in all forms, launching, updating, conditions, memory, user
// objects, the driver interface, and what is refused.
#include <cuda.h>

#include <cstring>
#include <string>

#include "check.h"
#include "graph_nodes.h"

__global__ void countDown(int* data, cudaGraphConditionalHandle condition) {
  cudaGraphSetConditional(condition, --*data > 0 ? 1 : 0);
}
__global__ void choose(cudaGraphConditionalHandle condition, unsigned value) {
  cudaGraphSetConditional(condition, value);
}
__global__ void launchFromDevice(int* error) {
  *error = cudaGraphLaunch(nullptr, cudaStreamGraphTailLaunch);
}
__device__ int symbol;

// Each node after those it depends on: (2 + 3) * 4 - 1 into the host's memory and a symbol.
static void testBuilding() {
  int* const data = newOnDevice<int>(1);
  int result = 0;
  std::vector<int> steps;
  cudaGraph_t graph = nullptr;
  CHECK(cudaGraphCreate(&graph, 0));
  // Made in an order that is not that of the dependencies.
  const cudaGraphNode_t last = kernelNode(graph, {}, add, data, -1);
  const cudaGraphNode_t times = kernelNode(graph, {}, multiply, data, 4);
  const cudaGraphNode_t plus = kernelNode(graph, {}, add, data, 3);
  cudaMemsetParams zero = {};
  zero.dst = data;
  zero.elementSize = 4;
  zero.value = 2;
  zero.width = zero.height = 1;
  cudaGraphNode_t fill, out, toSymbol, host, empty;
  CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &zero));
  const cudaGraphNode_t from[] = {fill, plus, times}, to[] = {plus, times, last};
  CHECK(cudaGraphAddDependencies(graph, from, to, 3));
  CHECK(cudaGraphAddMemcpyNode1D(&out, graph, &last, 1, &result, data, 4, cudaMemcpyDeviceToHost));
  CHECK(cudaGraphAddMemcpyNodeToSymbol(&toSymbol, graph, &last, 1, symbol, data, 4, 0,
                                       cudaMemcpyDeviceToDevice));
  const cudaHostNodeParams call = {appendStep, &steps};
  const cudaGraphNode_t both[] = {out, toSymbol};
  CHECK(cudaGraphAddEmptyNode(&empty, graph, both, 2));
  CHECK(cudaGraphAddHostNode(&host, graph, &empty, 1, &call));

  size_t nodes = 0, roots = 9, edges = 0, count = 2;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, &edges));
  cudaGraphNode_t root[9] = {};
  CHECK(cudaGraphGetRootNodes(graph, root, &roots));
  EXPECT(nodes == 8 && edges == 8 && roots == 1 && root[0] == fill && root[1] == nullptr);
  cudaGraphNode_t list[2] = {};
  CHECK(cudaGraphNodeGetDependencies(empty, list, &count));
  EXPECT(count == 2 && list[0] == out && list[1] == toSymbol);
  CHECK(cudaGraphNodeGetDependentNodes(last, list, nullptr, &count));
  EXPECT(count == 2 && list[0] == out);
  cudaGraphNodeType type = cudaGraphNodeTypeCount;
  CHECK(cudaGraphNodeGetType(host, &type));
  EXPECT(type == cudaGraphNodeTypeHost);

  cudaGraphExec_t forms[4];
  cudaGraphInstantiateParams parameters = {};
  char log[64];
  cudaGraphNode_t wrong = nullptr;
  CHECK(cudaGraphInstantiate(&forms[0], graph, nullptr, nullptr, 0));
  CHECK(cudaGraphInstantiate(&forms[1], graph, &wrong, log, sizeof log));
  CHECK(cudaGraphInstantiateWithFlags(&forms[2], graph, cudaGraphInstantiateFlagUseNodePriority));
  CHECK(cudaGraphInstantiateWithParams(&forms[3], graph, &parameters));
  EXPECT(parameters.result_out == cudaGraphInstantiateSuccess);
  unsigned long long flags = 0;
  CHECK(cudaGraphExecGetFlags(forms[2], &flags));
  EXPECT(flags == cudaGraphInstantiateFlagUseNodePriority);
  CHECK(cudaGraphDestroy(graph));  // executables live on
  for (cudaGraphExec_t exec : forms) {
    result = 0;
    CHECK(cudaGraphUpload(exec, nullptr));
    CHECK(cudaGraphLaunch(exec, nullptr));
    int there = 0;
    CHECK(cudaMemcpyFromSymbol(&there, symbol, 4));
    EXPECT(result == 19 && there == 19);
    CHECK(cudaGraphExecDestroy(exec));
  }
  EXPECT(steps.size() == 4);
  CHECK(cudaFree(data));
}

// Parameters read back, changed in the graph and in the executable, nodes switched off, updates.
static void testChanging() {
  int* const data = newOnDevice<int>(1);
  cudaGraph_t graph = nullptr, copy = nullptr;
  CHECK(cudaGraphCreate(&graph, 0));
  const cudaGraphNode_t first = kernelNode(graph, {}, add, data, 5);
  const cudaGraphNode_t second = kernelNode(graph, {first}, multiply, data, 3);
  cudaKernelNodeParams read = {};
  CHECK(cudaGraphKernelNodeGetParams(first, &read));
  EXPECT(read.func == reinterpret_cast<void*>(add) &&
         *static_cast<int*>(read.kernelParams[1]) == 5);
  CHECK(cudaGraphClone(&copy, graph));
  cudaGraphNode_t inCopy = nullptr;
  CHECK(cudaGraphNodeFindInClone(&inCopy, second, copy));
  EXPECT(inCopy != second);
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, graph));
  int* pointer = data;
  int value = 7;
  void* arguments[] = {&pointer, &value};
  const cudaKernelNodeParams seven = kernelOf(add, arguments);
  const auto launched = [&](int start) {
    set(data, start);
    CHECK(cudaGraphLaunch(exec, nullptr));
    return valueOf(data);
  };
  EXPECT(launched(1) == 18);
  CHECK(cudaGraphExecKernelNodeSetParams(exec, first, &seven));
  EXPECT(launched(1) == 24);
  unsigned enabled = 9;
  CHECK(cudaGraphNodeSetEnabled(exec, second, 0));
  CHECK(cudaGraphNodeGetEnabled(exec, second, &enabled));
  EXPECT(enabled == 0 && launched(1) == 8);
  CHECK(cudaGraphNodeSetEnabled(exec, second, 1));
  // The clone of the graph, changed, updates the executable in CUDA 12's form and 11's.
  CHECK(cudaGraphKernelNodeSetParams(inCopy, &seven));
  cudaGraphExecUpdateResultInfo info = {};
  CHECK(cudaGraphExecUpdate(exec, copy, &info));
  EXPECT(info.result == cudaGraphExecUpdateSuccess && launched(1) == 13);
  kernelNode(copy, {inCopy}, add, data, 1);
  cudaGraphNode_t wrong = nullptr;
  cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
  GIVES(cudaGraphExecUpdate(exec, copy, &wrong, &result), cudaErrorGraphExecUpdateFailure);
  GIVES(cudaGetLastError(), cudaErrorGraphExecUpdateFailure);
  EXPECT(result == cudaGraphExecUpdateErrorTopologyChanged && launched(1) == 13);
  cudaKernelNodeAttrValue attribute = {};
  attribute.cooperative = 1;
  CHECK(cudaGraphKernelNodeSetAttribute(first, cudaKernelNodeAttributeCooperative, &attribute));
  CHECK(cudaGraphKernelNodeCopyAttributes(second, first));
  attribute = {};
  CHECK(cudaGraphKernelNodeGetAttribute(second, cudaKernelNodeAttributeCooperative, &attribute));
  EXPECT(attribute.cooperative == 1);
  // A child is a copy.
  cudaGraph_t parent = nullptr, inner = nullptr;
  cudaGraphNode_t child = nullptr;
  CHECK(cudaGraphCreate(&parent, 0));
  CHECK(cudaGraphAddChildGraphNode(&child, parent, nullptr, 0, graph));
  CHECK(cudaGraphDestroyNode(second));
  CHECK(cudaGraphChildGraphNodeGetGraph(child, &inner));
  size_t count = 0;
  CHECK(cudaGraphGetNodes(inner, nullptr, &count));
  EXPECT(count == 2 && inner != graph);
  set(data, 1);
  launchOnce(parent);
  EXPECT(valueOf(data) == 18);
  GIVES(cudaGraphDestroy(inner), cudaErrorInvalidValue);
  GIVES(cudaGetLastError(), cudaErrorInvalidValue);
  CHECK(cudaGraphDebugDotPrint(parent, "graphs.dot", cudaGraphDebugDotFlagsVerbose));
  FILE* const file = std::fopen("graphs.dot", "r");
  char text[1024] = {};
  EXPECT(file != nullptr && std::fread(text, 1, sizeof text - 1, file) > 0);
  std::fclose(file);
  EXPECT(std::string(text).find("multiply") != std::string::npos && std::strstr(text, "->"));
  for (cudaGraph_t each : {graph, copy, parent}) CHECK(cudaGraphDestroy(each));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaFree(data));
}

static cudaGraphNodeParams parametersOf(cudaGraphNodeType type) {
  cudaGraphNodeParams p = {};
  p.type = type;
  return p;
}

// while (--n > 0) sum += 2, in a switch within an if.
static void testConditions() {
  int* const data = newOnDevice<int>(2);
  cudaGraph_t graph = nullptr;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle loop, either, which;
  CHECK(cudaGraphConditionalHandleCreate(&loop, graph, 1, cudaGraphCondAssignDefault));
  CHECK(cudaGraphConditionalHandleCreate(&either, graph, 0, cudaGraphCondAssignDefault));
  cudaGraphNodeParams p = parametersOf(cudaGraphNodeTypeConditional);
  p.conditional.handle = loop;
  p.conditional.type = cudaGraphCondTypeWhile;
  p.conditional.size = 1;
  cudaGraphNode_t repeat, branch, inner;
  CHECK(cudaGraphAddNode(&repeat, graph, nullptr, 0, &p));
  const cudaGraph_t body = p.conditional.phGraph_out[0];
  kernelNode(body, {}, add, data + 1, 2);
  cudaStream_t s;
  CHECK(cudaStreamCreate(&s));
  cudaGraph_t same = nullptr;
  CHECK(cudaStreamBeginCaptureToGraph(s, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
  countDown<<<1, 1, 0, s>>>(data, loop);
  CHECK(cudaStreamEndCapture(s, &same));
  EXPECT(same == body);
  p = parametersOf(cudaGraphNodeTypeConditional);
  p.conditional.handle = either;
  p.conditional.type = cudaGraphCondTypeIf;
  p.conditional.size = 2;
  CHECK(cudaGraphAddNode(&branch, graph, &repeat, nullptr, 1, &p));
  const cudaGraph_t yes = p.conditional.phGraph_out[0], no = p.conditional.phGraph_out[1];
  kernelNode(yes, {}, add, data + 1, 100);
  CHECK(cudaGraphConditionalHandleCreate(&which, no, 9, cudaGraphCondAssignDefault));
  void* arguments[2] = {&which, nullptr};
  unsigned two = 2;
  arguments[1] = &two;
  p = parametersOf(cudaGraphNodeTypeKernel);
  p.kernel.func = reinterpret_cast<void*>(choose);
  p.kernel.gridDim = p.kernel.blockDim = dim3(1);
  p.kernel.kernelParams = arguments;
  cudaGraphNode_t chosen;
  CHECK(cudaGraphAddNode(&chosen, no, nullptr, 0, &p));
  p = parametersOf(cudaGraphNodeTypeConditional);
  p.conditional.handle = which;
  p.conditional.type = cudaGraphCondTypeSwitch;
  p.conditional.size = 3;
  CHECK(cudaGraphAddNode(&inner, no, &chosen, 1, &p));
  for (int i = 0; i < 3; ++i)
    kernelNode(p.conditional.phGraph_out[i], {}, add, data + 1, 1000 * (i + 1));
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int n : {1, 5}) {
    set(data, n);
    set(data + 1, 0);
    CHECK(cudaGraphLaunch(exec, s));
    EXPECT(valueOf(data) == 0 && valueOf(data + 1) == 2 * n + 3000);
  }
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(s));
  CHECK(cudaFree(data));
}

// Memory of nodes has one address, and is freed by a node, the program, or the next launch.
static void testMemory() {
  cudaGraph_t graph = nullptr;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams p = {};
  p.poolProps.allocType = cudaMemAllocationTypePinned;
  p.poolProps.location.type = cudaMemLocationTypeDevice;
  p.bytesize = 64;
  cudaGraphNode_t allocation, release, again;
  CHECK(cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &p));
  int* const data = static_cast<int*>(p.dptr);
  const cudaMemsetParams fill = {data, 0, 7, 4, 16, 1};
  cudaGraphNode_t filled;
  CHECK(cudaGraphAddMemsetNode(&filled, graph, &allocation, 1, &fill));
  cudaGraphExec_t exec = nullptr, other = nullptr;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  GIVES(cudaGraphInstantiate(&other, graph, 0), cudaErrorNotSupported);
  GIVES(cudaGetLastError(), cudaErrorNotSupported);
  CHECK(cudaGraphLaunch(exec, nullptr));
  EXPECT(toHost(data, 16)[15] == 7);
  unsigned long long used = 0;
  CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
  EXPECT(used == 64);
  GIVES(cudaGraphLaunch(exec, nullptr), cudaErrorInvalidValue);  // not freed
  CHECK(cudaFreeAsync(data, nullptr));
  CHECK(cudaGraphLaunch(exec, nullptr));
  CHECK(cudaFree(data));
  GIVES(cudaFree(data), cudaErrorInvalidValue);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  for (int i = 0; i < 2; ++i) CHECK(cudaGraphLaunch(exec, nullptr));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphAddMemFreeNode(&release, graph, &filled, 1, data));
  GIVES(cudaGraphAddMemFreeNode(&again, graph, &filled, 1, data), cudaErrorInvalidValue);
  GIVES(cudaGraphDestroyNode(release), cudaErrorNotSupported);
  cudaGraph_t copy = nullptr;
  GIVES(cudaGraphClone(&copy, graph), cudaErrorNotSupported);
  CHECK(cudaFree(data));
  for (int i = 0; i < 2; ++i) launchOnce(graph);
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
  EXPECT(used == 0);
}

static void testUserObjects() {
  int ended = 0;
  const auto end = [](void* count) { ++*static_cast<int*>(count); };
  cudaUserObject_t object = nullptr;
  CHECK(cudaUserObjectCreate(&object, &ended, end, 1, cudaUserObjectNoDestructorSync));
  cudaGraph_t graph = nullptr;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  EXPECT(ended == 0);
  CHECK(cudaGraphExecDestroy(exec));
  EXPECT(ended == 1);
  GIVES(cudaUserObjectRetain(object), cudaErrorInvalidValue);
}

static void testRefused() {
  int* const data = newOnDevice<int>(1);
  cudaGraph_t graph = nullptr, foreign = nullptr;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphCreate(&foreign, 0));
  const cudaGraphNode_t a = kernelNode(graph, {}, add, data, 1);
  const cudaGraphNode_t b = kernelNode(graph, {a}, add, data, 1);
  cudaGraphNode_t node = nullptr;
  cudaGraphExec_t exec = nullptr;
  GIVES(cudaGraphAddEmptyNode(&node, foreign, &a, 1), cudaErrorInvalidValue);
  GIVES(cudaGraphAddEmptyNode(&node, nullptr, nullptr, 0), cudaErrorInvalidValue);
  GIVES(cudaGraphAddDependencies(graph, &a, &b, 1), cudaErrorInvalidValue);  // is there
  GIVES(cudaGraphAddDependencies(graph, &a, &a, 1), cudaErrorInvalidValue);
  cudaKernelNodeParams p = {};
  GIVES(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &p), cudaErrorInvalidDeviceFunction);
  int* pointer = data;
  int value = 1;
  void* arguments[] = {&pointer, &value};
  p = kernelOf(add, arguments);
  p.blockDim.x = 4096;
  GIVES(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &p), cudaErrorInvalidConfiguration);
  GIVES(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch),
        cudaErrorNotSupported);
  CHECK(cudaGraphAddDependencies(graph, &b, &a, 1));
  cudaGraphInstantiateParams parameters = {};
  GIVES(cudaGraphInstantiateWithParams(&exec, graph, &parameters), cudaErrorInvalidValue);
  EXPECT(parameters.result_out == cudaGraphInstantiateInvalidStructure);
  CHECK(cudaGraphRemoveDependencies(graph, &b, &a, 1));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  const cudaGraphNode_t c = kernelNode(foreign, {}, add, data, 1);
  GIVES(cudaGraphNodeSetEnabled(exec, c, 0), cudaErrorInvalidValue);
  CHECK(cudaGraphExecDestroy(exec));
  GIVES(cudaGraphLaunch(exec, nullptr), cudaErrorInvalidValue);
  cudaGraphConditionalHandle unused;
  CHECK(cudaGraphConditionalHandleCreate(&unused, graph));
  GIVES(cudaGraphInstantiateWithParams(&exec, graph, &parameters), cudaErrorInvalidValue);
  EXPECT(parameters.result_out == cudaGraphInstantiateConditionalHandleUnused);
  for (cudaGraph_t each : {graph, foreign}) CHECK(cudaGraphDestroy(each));
  GIVES(cudaGraphDestroy(graph), cudaErrorInvalidValue);
  GIVES(cudaGraphNodeGetType(a, nullptr), cudaErrorInvalidValue);
  GIVES(cudaGetLastError(), cudaErrorInvalidValue);
  launchFromDevice<<<1, 1>>>(data);
  EXPECT(valueOf(data) == cudaErrorNotSupported);
  CHECK(cudaFree(data));
}

static void testDriver() {
  static const char ptx[] =
      ".version 7.0\n.target sm_70\n.address_size 64\n"
      ".visible .entry twice(.param .u64 p) {\n"
      ".reg .u64 %a;\n.reg .u32 %v;\n"
      "ld.param.u64 %a, [p];\nld.global.u32 %v, [%a];\nadd.u32 %v, %v, %v;\n"
      "st.global.u32 [%a], %v;\nret;\n}\n";
  CUmodule module;
  CUfunction twice;
  GIVES(cuModuleLoadData(&module, ptx), CUDA_SUCCESS);
  GIVES(cuModuleGetFunction(&twice, module, "twice"), CUDA_SUCCESS);
  int* const data = newOnDevice<int>(1);
  CUdeviceptr address = reinterpret_cast<CUdeviceptr>(data);
  void* arguments[] = {&address};
  CUDA_KERNEL_NODE_PARAMS p = {};
  p.func = twice;
  p.gridDimX = p.gridDimY = p.gridDimZ = p.blockDimX = p.blockDimY = p.blockDimZ = 1;
  p.kernelParams = arguments;
  CUgraph graph, captured;
  CUgraphNode fill, node;
  CUgraphExec exec;
  GIVES(cuGraphCreate(&graph, 0), CUDA_SUCCESS);
  const CUDA_MEMSET_NODE_PARAMS three = {address, 0, 3, 4, 1, 1};
  GIVES(cuGraphAddMemsetNode(&fill, graph, nullptr, 0, &three, nullptr), CUDA_SUCCESS);
  GIVES(cuGraphAddKernelNode(&node, graph, &fill, 1, &p), CUDA_SUCCESS);
  GIVES(cuGraphInstantiate(&exec, graph, 0), CUDA_SUCCESS);
  GIVES(cuGraphLaunch(exec, nullptr), CUDA_SUCCESS);
  EXPECT(valueOf(data) == 6);
  GIVES(cuGraphExecDestroy(exec), CUDA_SUCCESS);
  CUstream stream;
  GIVES(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  GIVES(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED), CUDA_SUCCESS);
  GIVES(cuMemsetD32Async(address, 5, 1, stream), CUDA_SUCCESS);
  GIVES(cuLaunchKernel(twice, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr), CUDA_SUCCESS);
  GIVES(cuStreamEndCapture(stream, &captured), CUDA_SUCCESS);
  launchOnce(captured);
  EXPECT(valueOf(data) == 10);
  GIVES(cuGraphDestroy(graph), CUDA_SUCCESS);
  GIVES(cuGraphDestroy(graph), CUDA_ERROR_INVALID_VALUE);
}

int main() {
  testBuilding();
  testChanging();
  testConditions();
  testMemory();
  testUserObjects();
  testRefused();
  testDriver();
  std::puts("PASS");
}
