// A second definition of what parts.cu defines: the linker names it.
__device__ int counter = 1;
int notUsed() {
  return 0;
}
