// Included by places.cu: an access in a function that is inlined, and a macro.
__device__ __forceinline__ float column(const float (&tile)[32][33 - 1], int x, int y) {
  return tile[x][y];
}
#define TAP(tile, x, y) tile[x][y]
