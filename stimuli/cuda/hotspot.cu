// Temperature of a chip over time, after Rodinia: each cell exchanges heat with its four neighbours
// and the ambient, and its power warms it. A block of 16x16 threads loads a tile and takes several
// steps on it. Each step makes the outermost ring stale, so a launch of `steps` steps keeps the
// inner 16 - 2 steps cells per side. Rows are read whole, shifted by one: no conflict.

constexpr int kTile = 16;

/// Factors of a step: `step` for the sum of a cell's power and flows, the others for each flow.
struct HotspotFactors {
  float step, x, y, ambient;
};
constexpr float kAmbient = 80.0f;

extern "C" __global__ void hotspot(const float* power, const float* in, float* out, int n,
                                   int steps, HotspotFactors factors) {
  __shared__ float now[kTile][kTile];
  __shared__ float watts[kTile][kTile];
  __shared__ float next[kTile][kTile];
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const int inner = kTile - 2 * steps;
  const int left = static_cast<int>(blockIdx.x) * inner - steps;
  const int top = static_cast<int>(blockIdx.y) * inner - steps;
  const int column = left + x;
  const int row = top + y;
  const bool isCell = column >= 0 && column < n && row >= 0 && row < n;
  if (isCell) {
    now[y][x] = in[row * n + column];
    watts[y][x] = power[row * n + column];
  }
  __syncthreads();

  // At the edge of the chip a cell is its own neighbour.
  const int west = max(x - 1, max(-left, 0));
  const int east = min(x + 1, min(n - 1 - left, kTile - 1));
  const int north = max(y - 1, max(-top, 0));
  const int south = min(y + 1, min(n - 1 - top, kTile - 1));
  bool isFresh = false;
#pragma unroll 1
  for (int ring = 1; ring <= steps; ++ring) {
    isFresh = isCell && x >= ring && x < kTile - ring && y >= ring && y < kTile - ring;
    if (isFresh) {
      const float t = now[y][x];
      const float flow = watts[y][x] + (now[south][x] + now[north][x] - 2.0f * t) * factors.y +
                         (now[y][east] + now[y][west] - 2.0f * t) * factors.x +
                         (kAmbient - t) * factors.ambient;
      next[y][x] = t + factors.step * flow;
    }
    __syncthreads();
    if (ring < steps && isFresh) now[y][x] = next[y][x];
    __syncthreads();
  }
  if (isFresh) out[row * n + column] = next[y][x];
}
