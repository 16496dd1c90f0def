// Rays through a scene of objects with virtual functions, built by a kernel, with materials in a
// table of function pointers. The host's picture by the same classes is expected.
#include <cmath>
#include <new>

#include "check.h"

#define BOTH __host__ __device__

struct Vec {
  float x, y, z;
  BOTH Vec operator+(const Vec& o) const { return {x + o.x, y + o.y, z + o.z}; }
  BOTH Vec operator-(const Vec& o) const { return {x - o.x, y - o.y, z - o.z}; }
  BOTH Vec operator*(float s) const { return {x * s, y * s, z * s}; }
  BOTH float dot(const Vec& o) const { return fmaf(x, o.x, fmaf(y, o.y, z * o.z)); }
  BOTH Vec unit() const { return *this * (1.0f / sqrtf(dot(*this))); }
};

struct Hit {
  float t;
  Vec point, normal;
  int material;
};

class Shape {
 public:
  BOTH explicit Shape(int material) : material_(material) {}
  BOTH virtual ~Shape() {}
  BOTH virtual bool hit(const Vec& from, const Vec& way, Hit& best) const = 0;
  BOTH virtual int kind() const { return 0; }

 protected:
  int material_;
};

class Sphere : public Shape {
 public:
  BOTH Sphere(Vec centre, float radius, int material)
      : Shape(material), centre_(centre), radius_(radius) {}
  BOTH bool hit(const Vec& from, const Vec& way, Hit& best) const override {
    const Vec oc = from - centre_;
    const float b = oc.dot(way), c = fmaf(-radius_, radius_, oc.dot(oc)), d = fmaf(b, b, -c);
    if (d <= 0) return false;
    const float t = -b - sqrtf(d);
    if (t < 1e-3f || t >= best.t) return false;
    const Vec p = from + way * t;
    best = {t, p, (p - centre_) * (1.0f / radius_), material_};
    return true;
  }
  BOTH int kind() const override { return 1; }

 private:
  Vec centre_;
  float radius_;
};

class Floor : public Shape {
 public:
  BOTH Floor(float height, int material) : Shape(material), height_(height) {}
  BOTH bool hit(const Vec& from, const Vec& way, Hit& best) const override {
    if (fabsf(way.y) < 1e-6f) return false;
    const float t = (height_ - from.y) / way.y;
    if (t < 1e-3f || t >= best.t) return false;
    best = {t, from + way * t, {0, way.y < 0 ? 1.f : -1.f, 0}, material_};
    return true;
  }

 private:
  float height_;
};

// A material returns the share of light that goes on, and changes its direction.
typedef float (*Material)(const Hit&, Vec&);
BOTH float matt(const Hit& h, Vec& way) {
  way = (h.normal + Vec{0.3f, 0.8f, 0.2f}).unit();
  return 0.5f;
}
BOTH float mirror(const Hit& h, Vec& way) {
  way = way - h.normal * (2 * way.dot(h.normal));
  return 0.9f;
}
BOTH float chequers(const Hit& h, Vec& way) {
  const int odd = (int(floorf(h.point.x)) + int(floorf(h.point.z))) & 1;
  way = h.normal;
  return odd ? 0.8f : 0.2f;
}
__device__ Material deviceMaterials[] = {matt, mirror, chequers};
static Material hostMaterials[] = {matt, mirror, chequers};

BOTH float trace(Shape* const* shapes, int count, const Material* materials, Vec from, Vec way) {
  float light = 1;
  for (int bounce = 0; bounce < 5; ++bounce) {
    Hit best = {1e30f, {}, {}, 0};
    bool any = false;
    for (int s = 0; s < count; ++s) any |= shapes[s]->hit(from, way, best);
    if (!any) return light * (0.5f + 0.5f * way.unit().y);
    light *= materials[best.material](best, way);
    from = best.point;
  }
  return 0;
}

const int kShapes = 12;
BOTH Shape* make(int i) {
  if (i == 0) return new Floor(-1.0f, 2);
  return new Sphere({-3.0f + 0.6f * i, (i % 3) * 0.4f - 0.6f, -3.0f - (i % 4) * 0.5f},
                    0.25f + 0.05f * (i % 3), i % 2);
}

__global__ void build(Shape** shapes, int* kinds) {
  const int i = threadIdx.x;
  if (i >= kShapes) return;
  shapes[i] = make(i);
  kinds[i] = shapes[i] ? shapes[i]->kind() : -1;
}

__global__ void render(Shape** shapes, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const Vec way = Vec{(x + 0.5f) / width * 2 - 1, 1 - (y + 0.5f) / height * 2, -1.5f}.unit();
  out[y * width + x] = trace(shapes, kShapes, deviceMaterials, {0, 0, 1}, way);
}

__global__ void destroy(Shape** shapes) {
  for (int i = 0; i < kShapes; ++i) delete shapes[i];
}

int main() {
  const int width = 48, height = 32;
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20));
  Shape** shapes;
  int* kinds;
  float* out;
  CHECK(cudaMalloc((void**)&shapes, kShapes * sizeof(Shape*)));
  CHECK(cudaMalloc((void**)&kinds, kShapes * sizeof(int)));
  CHECK(cudaMalloc((void**)&out, width * height * sizeof(float)));
  build<<<1, 32>>>(shapes, kinds);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  render<<<dim3((width + 7) / 8, (height + 7) / 8), dim3(8, 8)>>>(shapes, out, width, height);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  int gotKinds[kShapes];
  const std::vector<float> got = toHost(out, width * height);
  CHECK(cudaMemcpy(gotKinds, kinds, sizeof gotKinds, cudaMemcpyDeviceToHost));
  destroy<<<1, 1>>>(shapes);
  CHECK(cudaGetLastError());

  Shape* scene[kShapes];
  for (int i = 0; i < kShapes; ++i) {
    scene[i] = make(i);
    if (gotKinds[i] != scene[i]->kind()) fail("shape %d is of kind %d", i, gotKinds[i]);
  }
  int off = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const Vec way = Vec{(x + 0.5f) / width * 2 - 1, 1 - (y + 0.5f) / height * 2, -1.5f}.unit();
      const float e = trace(scene, kShapes, hostMaterials, {0, 0, 1}, way), g = got[y * width + x];
      off += !(fabsf(g - e) <= 1e-3f);  // fused or not, rays may pass an edge elsewhere
    }
  for (Shape* s : scene) delete s;
  if (!(off <= width * height / 100)) fail("%d of %d pixels differ", off, width * height);
  puts("PASS");
}
