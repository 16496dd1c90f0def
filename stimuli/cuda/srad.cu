// Speckle-reducing anisotropic diffusion of a picture, after Rodinia's second version. `slopes`
// takes each pixel's differences to its four neighbours and from these how freely it diffuses;
// `diffuse` moves it. Blocks of 16x16 hold their tile and the rows and columns around it in shared
// arrays; a pixel at the picture's edge is its own neighbour. Rows are read whole, shifted by one:
// no conflict.

constexpr unsigned kTile = 16;
constexpr unsigned kLast = kTile - 1;

using Tile = float[kTile][kTile];

/// Planes of the differences to the four neighbours, `cells` apart.
constexpr unsigned kNorth = 0;
constexpr unsigned kSouth = 1;
constexpr unsigned kWest = 2;
constexpr unsigned kEast = 3;

extern "C" __global__ void srad_slopes(const float* picture, float* slopes, float* freedom,
                                       unsigned n, float speckle) {
  __shared__ Tile tile, north, south, west, east, result;
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const unsigned left = blockIdx.x * kTile;
  const unsigned top = blockIdx.y * kTile;
  const unsigned i = (top + y) * n + left + x;
  // North and south hold the rows beside the tile, west and east the columns beside it.
  north[y][x] = picture[(top > 0 ? top - 1 : 0) * n + left + x];
  south[y][x] = picture[min(top + kTile, n - 1) * n + left + x];
  west[y][x] = picture[(top + y) * n + (left > 0 ? left - 1 : 0)];
  east[y][x] = picture[(top + y) * n + min(left + kTile, n - 1)];
  tile[y][x] = picture[i];
  __syncthreads();

  const float here = tile[y][x];
  float toNorth = tile[y > 0 ? y - 1 : y][x];
  float toSouth = tile[y < kLast ? y + 1 : y][x];
  float toWest = tile[y][x > 0 ? x - 1 : x];
  float toEast = tile[y][x < kLast ? x + 1 : x];
  fermataForgetMemory();  // otherwise one load would read both arrays, in whose banks lanes meet
  if (y == 0) toNorth = north[y][x];
  if (y == kLast) toSouth = south[y][x];
  if (x == 0) toWest = west[y][x];
  if (x == kLast) toEast = east[y][x];
  toNorth -= here;
  toSouth -= here;
  toWest -= here;
  toEast -= here;
  const float squares =
      (toNorth * toNorth + toSouth * toSouth + toWest * toWest + toEast * toEast) / (here * here);
  const float laplacian = (toNorth + toSouth + toWest + toEast) / here;
  const float scale = 1.0f + 0.25f * laplacian;
  const float variation = (0.5f * squares - 0.0625f * laplacian * laplacian) / (scale * scale);
  const float free = 1.0f / (1.0f + (variation - speckle) / (speckle * (1.0f + speckle)));
  result[y][x] = fminf(fmaxf(free, 0.0f), 1.0f);
  __syncthreads();

  freedom[i] = result[y][x];
  const unsigned cells = n * n;
  slopes[kNorth * cells + i] = toNorth;
  slopes[kSouth * cells + i] = toSouth;
  slopes[kWest * cells + i] = toWest;
  slopes[kEast * cells + i] = toEast;
}

extern "C" __global__ void srad_diffuse(float* picture, const float* slopes, const float* freedom,
                                        unsigned n, float rate) {
  __shared__ Tile tile, here, south, east, result;
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const unsigned left = blockIdx.x * kTile;
  const unsigned top = blockIdx.y * kTile;
  const unsigned i = (top + y) * n + left + x;
  tile[y][x] = picture[i];
  south[y][x] = freedom[min(top + kTile, n - 1) * n + left + x];
  east[y][x] = freedom[(top + y) * n + min(left + kTile, n - 1)];
  here[y][x] = freedom[i];
  __syncthreads();

  const float own = here[y][x];
  float below = here[y < kLast ? y + 1 : y][x];
  float right = here[y][x < kLast ? x + 1 : x];
  fermataForgetMemory();
  if (y == kLast) below = south[y][x];
  if (x == kLast) right = east[y][x];
  const unsigned cells = n * n;
  const float divergence = own * (slopes[kNorth * cells + i] + slopes[kWest * cells + i]) +
                           below * slopes[kSouth * cells + i] + right * slopes[kEast * cells + i];
  result[y][x] = tile[y][x] + 0.25f * rate * divergence;
  __syncthreads();
  picture[i] = result[y][x];
}
