// Tracks points of a heart's wall through a film (after Rodinia's heartwall). A block of 256
// threads takes one point. Its template is the 51x51 pixels around the point, which the block looks
// for in a window around the old place in the next picture, by normalised cross-correlation.
//
// The template lies in shared memory, f32[2601], turned by half a turn like for a convolution. Each
// thread walks over the part that overlaps the window at its own displacement. Lanes with equal
// parts read one word; others read where their own part starts, in another row or column (a column
// is 51 words). One thread per column sums the template's columns, 51 words apart, and one thread
// sums all. Pictures, templates and windows are stored by columns.

constexpr int kSide = 51;
constexpr int kHalf = kSide / 2;
constexpr int kPixels = kSide * kSide;
constexpr int kMostDisplacements = 131;  // displacements in a row: 2 * (40 + 25) + 1
constexpr float kKeep = 0.87f;           // part of a template that is kept when it is renewed

struct Shared {
  float turned[kPixels];
  float columnSums[kSide];
  float columnSquares[kSide];
  float mean, norm;  // template's mean, and length of its deviation from that
  float best[kMostDisplacements];
  int bestRow[kMostDisplacements];
  int place[2];
};

/// The searched area: side x side pixels around the old place, and the sums of pixels and of
/// squares over all rectangles from its first corner.
struct Window {
  float* pixels;
  float* sums;
  float* squares;
  int side;
};

/// A picture; its column is `pitch` pixels.
struct Picture {
  const float* pixels;
  int pitch;
};

/// Rows or columns of the window under the template at a displacement, up to before `end`.
struct Range {
  int first, end;
};
static __device__ __forceinline__ Range overlap(int start, int side) {
  return {max(start, 0), min(start + kSide, side)};
}

static __device__ __forceinline__ void copyWindow(const Window& window, const Picture& picture,
                                                  int row, int column) {
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x); i < window.side * window.side;
       i += static_cast<int>(blockDim.x)) {
    const int x = column + i / window.side;
    window.pixels[i] = picture.pixels[x * picture.pitch + row + i % window.side];
  }
}

/// Sums the window: one thread per column, then one thread per row.
static __device__ __forceinline__ void sumWindow(const Window& window) {
  const int t = static_cast<int>(threadIdx.x);
  const int side = window.side;
  if (t < side) {
    float sum = 0;
    float square = 0;
#pragma unroll 1
    for (int i = t * side; i < (t + 1) * side; ++i) {
      const float pixel = window.pixels[i];
      sum += pixel;
      square += pixel * pixel;
      window.sums[i] = sum;
      window.squares[i] = square;
    }
  }
  __syncthreads();
  if (t < side) {
    float sum = 0;
    float square = 0;
#pragma unroll 1
    for (int i = t; i < side * side; i += side) {
      sum += window.sums[i];
      square += window.squares[i];
      window.sums[i] = sum;
      window.squares[i] = square;
    }
  }
}

static __device__ __forceinline__ void sumTemplate(Shared& shared) {
  const int t = static_cast<int>(threadIdx.x);
  if (t < kSide) {
    float sum = 0;
    float square = 0;
#pragma unroll 1
    for (int row = 0; row < kSide; ++row) {
      const float pixel = shared.turned[t * kSide + row];
      sum += pixel;
      square += pixel * pixel;
    }
    shared.columnSums[t] = sum;
    shared.columnSquares[t] = square;
  }
  __syncthreads();
  if (t == 0) {
    float sum = 0;
    float square = 0;
#pragma unroll 1
    for (int column = 0; column < kSide; ++column) {
      sum += shared.columnSums[column];
      square += shared.columnSquares[column];
    }
    shared.mean = sum / kPixels;
    shared.norm = sqrtf(square - sum * shared.mean);
  }
}

/// Returns the sum over some rows and columns, from the sums over rectangles from the first corner.
static __device__ __forceinline__ float between(const float* sums, int side, Range rows,
                                                Range columns) {
  const float* last = sums + (columns.end - 1) * side;
  const float* before = sums + (columns.first - 1) * side;
  float sum = last[rows.end - 1];
  if (rows.first > 0) sum -= last[rows.first - 1];
  if (columns.first > 0) sum -= before[rows.end - 1];
  if (rows.first > 0 && columns.first > 0) sum += before[rows.first - 1];
  return sum;
}

/// Returns the correlation at one displacement, with zeros around the window. row, column: the
/// template's first pixel in the window.
static __device__ __forceinline__ float correlation(const Shared& shared, const Window& window,
                                                    int row, int column) {
  const Range rows = overlap(row, window.side);
  const Range columns = overlap(column, window.side);
  float product = 0;
#pragma unroll 1
  for (int x = columns.first; x < columns.end; ++x) {
    const float* own = shared.turned + (kPixels - 1) - ((x - column) * kSide - row);
    const float* pixels = window.pixels + x * window.side;
#pragma unroll 4
    for (int y = rows.first; y < rows.end; ++y) product += own[-y] * pixels[y];
  }
  const float sum = between(window.sums, window.side, rows, columns);
  const float square = between(window.squares, window.side, rows, columns);
  const float norm = shared.norm * sqrtf(fmaxf(square - sum * sum / kPixels, 0.0f));
  return norm > 0.0f ? (product - sum * shared.mean) / norm : 0.0f;
}

/// Finds the largest correlation's displacement: one thread per column, then one over all.
static __device__ __forceinline__ void findBest(Shared& shared, const float* correlations,
                                                int reach) {
  const int t = static_cast<int>(threadIdx.x);
  const int count = 2 * reach + 1;
  if (t < count) {
    int row = 0;
#pragma unroll 1
    for (int y = 1; y < count; ++y) {
      if (correlations[t * count + y] > correlations[t * count + row]) row = y;
    }
    shared.best[t] = correlations[t * count + row];
    shared.bestRow[t] = row;
  }
  __syncthreads();
  if (t != 0) return;
  int column = 0;
#pragma unroll 1
  for (int x = 1; x < count; ++x) {
    if (shared.best[x] > shared.best[column]) column = x;
  }
  shared.place[0] += shared.bestRow[column] - reach;
  shared.place[1] += column - reach;
}

static __device__ __forceinline__ int templateIndex(int i) {
  return static_cast<int>(blockIdx.x) * kPixels + i;
}
/// Returns pixel i of the template around a place.
static __device__ __forceinline__ float pixelAround(const Picture& picture, int row, int column,
                                                    int i) {
  return picture.pixels[(column - kHalf + i / kSide) * picture.pitch + row - kHalf + i % kSide];
}

/// Takes the templates around the points in the first picture. places: row and column of each.
extern "C" __global__ void heartwall_templates(const float* pixels, const int* places,
                                               float* templates, int pitch) {
  const Picture picture = {pixels, pitch};
  const int row = places[2 * blockIdx.x];
  const int column = places[2 * blockIdx.x + 1];
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x); i < kPixels; i += static_cast<int>(blockDim.x))
    templates[templateIndex(i)] = pixelAround(picture, row, column, i);
}

/// Tracks the points in a later picture of `rows` x `columns`. search: half the window; reach:
/// displacements tried on each side; a place stays where the window is inside the picture. windows:
/// three times (2 search + 1)^2 per point. isRenewing: templates take a part of the new picture.
extern "C" __global__ void heartwall(const float* pixels, int* places, float* templates,
                                     float* windows, float* correlations, int pitch, int rows,
                                     int columns, int search, int reach, int isRenewing) {
  __shared__ Shared shared;
  const int t = static_cast<int>(threadIdx.x);
  const int threads = static_cast<int>(blockDim.x);
  const Picture picture = {pixels, pitch};
  const int side = 2 * search + 1;
  float* own = windows + static_cast<int>(blockIdx.x) * 3 * side * side;
  const Window window = {own, own + side * side, own + 2 * side * side, side};
  const int count = 2 * reach + 1;
  float* results = correlations + static_cast<int>(blockIdx.x) * count * count;
  int* place = places + 2 * blockIdx.x;

  if (t < 2) shared.place[t] = place[t];
#pragma unroll 1
  for (int i = t; i < kPixels; i += threads)
    shared.turned[kPixels - 1 - i] = templates[templateIndex(i)];
  copyWindow(window, picture, place[0] - search, place[1] - search);
  __syncthreads();
  sumTemplate(shared);
  sumWindow(window);
  __syncthreads();

#pragma unroll 1
  for (int i = t; i < count * count; i += threads) {
    const int start = search - kHalf - reach;
    results[i] = correlation(shared, window, start + i % count, start + i / count);
  }
  __syncthreads();
  findBest(shared, results, reach);
  __syncthreads();

  const int row = min(max(shared.place[0], search), rows - 1 - search);
  const int column = min(max(shared.place[1], search), columns - 1 - search);
  if (t == 0) {
    place[0] = row;
    place[1] = column;
  }
  if (isRenewing == 0) return;
#pragma unroll 1
  for (int i = t; i < kPixels; i += threads) {
    float& pixel = templates[templateIndex(i)];
    pixel = kKeep * pixel + (1.0f - kKeep) * pixelAround(picture, row, column, i);
  }
}
