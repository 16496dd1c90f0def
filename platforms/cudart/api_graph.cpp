// Graphs: not supported.
#include <fermata/platforms/cudart/session.h>

using fermata::cudart::refused;

extern "C" {
cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) {
  return refused("cudaStreamBeginCapture");
}
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t*) {
  return refused("cudaStreamEndCapture");
}
cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus* status) {
  if (status == nullptr) return cudaErrorInvalidValue;
  *status = cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
cudaError_t cudaGraphCreate(cudaGraph_t*, unsigned int) {
  return refused("cudaGraphCreate");
}
cudaError_t cudaGraphDestroy(cudaGraph_t) {
  return refused("cudaGraphDestroy");
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
                                   const cudaKernelNodeParams*) {
  return refused("cudaGraphAddKernelNode");
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
                                   const cudaMemcpy3DParms*) {
  return refused("cudaGraphAddMemcpyNode");
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
                                   const cudaMemsetParams*) {
  return refused("cudaGraphAddMemsetNode");
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
                                 const cudaHostNodeParams*) {
  return refused("cudaGraphAddHostNode");
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t*, const cudaGraphNode_t*,
                                     size_t) {
  return refused("cudaGraphAddDependencies");
}
cudaError_t cudaGraphGetNodes(cudaGraph_t, cudaGraphNode_t*, size_t*) {
  return refused("cudaGraphGetNodes");
}
cudaError_t cudaGraphClone(cudaGraph_t*, cudaGraph_t) {
  return refused("cudaGraphClone");
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t*, cudaGraph_t, cudaGraphNode_t*, char*, size_t) {
  return refused("cudaGraphInstantiate");
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) {
  return refused("cudaGraphUpload");
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t) {
  return refused("cudaGraphLaunch");
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t) {
  return refused("cudaGraphExecDestroy");
}

}  // extern "C"
