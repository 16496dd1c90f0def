// Texture and surface objects, and texture references that a program declares.
#include <fermata/platforms/cudart/arrays.h>

#include <algorithm>
#include <unordered_map>

using namespace fermata::cudart;
using fermata::ptx::Surface;
using fermata::ptx::Texture;

namespace {

struct TextureObject {
  cudaResourceDesc resource;
  cudaTextureDesc texture;
};

std::unordered_map<cudaTextureObject_t, TextureObject>& textures() {
  static auto* const all = new std::unordered_map<cudaTextureObject_t, TextureObject>;
  return *all;
}
std::unordered_map<cudaSurfaceObject_t, cudaResourceDesc>& surfaces() {
  static auto* const all = new std::unordered_map<cudaSurfaceObject_t, cudaResourceDesc>;
  return *all;
}

Texture::Element elementOf(const cudaChannelFormatDesc& format) {
  using Element = Texture::Element;
  const bool sign = format.f == cudaChannelFormatKindSigned;
  if (format.f == cudaChannelFormatKindFloat) {
    require(format.x == 32 || format.x == 16, cudaErrorInvalidChannelDescriptor,
            "floating point of that width; expected 16 or 32 bits");
    return format.x == 32 ? Element::F32 : Element::F16;
  }
  require(sign || format.f == cudaChannelFormatKindUnsigned, cudaErrorInvalidChannelDescriptor,
          "a format that there is not");
  switch (format.x) {
    case 8:
      return sign ? Element::S8 : Element::U8;
    case 16:
      return sign ? Element::S16 : Element::U16;
    case 32:
      return sign ? Element::S32 : Element::U32;
    default:
      throw ApiError(cudaErrorInvalidChannelDescriptor,
                     "channels of that width; expected 8, 16 or 32 bits");
  }
}

unsigned channelsOf(const cudaChannelFormatDesc& format) {
  const int bits[] = {format.x, format.y, format.z, format.w};
  const auto channels = static_cast<unsigned>(
      std::find_if(std::begin(bits), std::end(bits), [](int one) { return one == 0; }) -
      std::begin(bits));
  require(channels == 1 || channels == 2 || channels == 4, cudaErrorInvalidChannelDescriptor,
          "that number of channels; expected 1, 2 or 4");
  return channels;
}

void setFormat(Texture& texture, const cudaChannelFormatDesc& format) {
  texture.element = elementOf(format);
  texture.channels = channelsOf(format);
}

std::uint64_t addressOf(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

/// Returns the texels of a side. Throws ApiError beyond 2^32 - 1.
std::uint32_t texels(std::size_t count) {
  requireValue(count <= ~std::uint32_t{0}, "a texture of more than 2^32 - 1 texels on a side");
  return static_cast<std::uint32_t>(count);
}

void setArray(Texture& texture, const cudaArray& array) {
  setFormat(texture, array.format);
  texture.address = array.address;
  texture.width = static_cast<std::uint32_t>(array.extent.width);
  texture.height = static_cast<std::uint32_t>(array.rows());
  texture.rowBytes = array.pitch;
  texture.sliceBytes = array.pitch * array.rows();
  texture.cube = array.cube();
  (array.layered() || array.cube() ? texture.layers : texture.depth) =
      static_cast<std::uint32_t>(array.slices());
}

/// Makes a texture of an array, linear memory or pitched memory.
Texture arrayOf(const cudaResourceDesc& resource) {
  Texture texture;
  switch (resource.resType) {
    case cudaResourceTypeArray:
      setArray(texture, requireArray(resource.res.array.array));
      return texture;
    case cudaResourceTypeLinear: {
      const auto& linear = resource.res.linear;
      setFormat(texture, linear.desc);
      texture.address = addressOf(linear.devPtr);
      const std::size_t element = texture.channels * static_cast<unsigned>(linear.desc.x) / 8;
      requireValue(linear.sizeInBytes >= element, "linear memory of less than a texel");
      texture.width = texels(linear.sizeInBytes / element);
      return texture;
    }
    case cudaResourceTypePitch2D: {
      const auto& pitch = resource.res.pitch2D;
      setFormat(texture, pitch.desc);
      texture.address = addressOf(pitch.devPtr);
      texture.width = texels(pitch.width);
      texture.height = texels(pitch.height);
      texture.rowBytes = pitch.pitchInBytes;
      return texture;
    }
    default:
      throw ApiError(cudaErrorNotSupported, "textures have one level");
  }
}

Texture::Beyond beyond(cudaTextureAddressMode mode) {
  return mode == cudaAddressModeWrap     ? Texture::Beyond::Wrap
         : mode == cudaAddressModeMirror ? Texture::Beyond::Mirror
         : mode == cudaAddressModeBorder ? Texture::Beyond::Border
                                         : Texture::Beyond::Clamp;
}

/// Sets the sampling, from a description of a texture object or a reference.
template <class Description>
void setSampling(Texture& texture, const Description& how, bool normalised, bool normalisedReads) {
  for (std::size_t axis = 0; axis < 3; ++axis) texture.beyond[axis] = beyond(how.addressMode[axis]);
  texture.linear = how.filterMode == cudaFilterModeLinear;
  texture.normalisedCoordinates = normalised;
  const bool floating =
      texture.element == Texture::Element::F32 || texture.element == Texture::Element::F16;
  texture.normalisedReads = normalisedReads && !floating;
  require(!texture.linear || floating || texture.normalisedReads, cudaErrorInvalidFilterSetting,
          "linear filtering of integers that are read as integers");
  require(how.sRGB == 0, cudaErrorNotSupported, "sRGB is not supported");
}

/// Turns the executor's exception for an absent array into an ApiError.
template <class Make>
auto made(Make make) -> decltype(make()) {
  try {
    return make();
  } catch (const fermata::BadInput& error) {
    throw ApiError(cudaErrorInvalidValue, error.what());
  }
}

const DeviceTexture& requireTexture(const textureReference* reference) {
  const DeviceTexture* const known = programs().textures.find(reference);
  require(known != nullptr, cudaErrorInvalidTexture, "not a texture of the program");
  return *known;
}

void bind(const textureReference* reference, Texture texture) {
  const DeviceTexture& known = requireTexture(reference);
  // The reference gives the sampling, except the kind of reads, which its type gives.
  setSampling(texture, *reference, reference->normalized != 0, known.normalisedReads);
  made([&] {
    soundSession().launcher.executor().bindTexture(known.program->module(), known.name, texture);
  });
}

}  // namespace

void fermata::cudart::forgetTextures() {
  textures().clear();
  surfaces().clear();
}

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture,
                                    const cudaResourceViewDesc* view) {
  return api("cudaCreateTextureObject", [&] {
    requireValue(object != nullptr && resource != nullptr && texture != nullptr,
                 "no place for the object, or no description");
    require(view == nullptr, cudaErrorNotSupported, "views of another format are not supported");
    Texture made_ = arrayOf(*resource);
    setSampling(made_, *texture, texture->normalizedCoords != 0,
                texture->readMode == cudaReadModeNormalizedFloat);
    std::copy(std::begin(texture->borderColor), std::end(texture->borderColor),
              made_.border.begin());
    *object = made([&] { return soundSession().launcher.executor().createTexture(made_); });
    textures()[*object] = {*resource, *texture};
  });
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  return api("cudaDestroyTextureObject", [&] {
    requireValue(textures().erase(object) != 0, "not a texture object");
    session().launcher.executor().destroyTexture(object);
  });
}
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaTextureObject_t object) {
  return api("cudaGetTextureObjectResourceDesc", [&] {
    const auto found = textures().find(object);
    requireValue(resource != nullptr && found != textures().end(), "not a texture object");
    *resource = found->second.resource;
  });
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* texture, cudaTextureObject_t object) {
  return api("cudaGetTextureObjectTextureDesc", [&] {
    const auto found = textures().find(object);
    requireValue(texture != nullptr && found != textures().end(), "not a texture object");
    *texture = found->second.texture;
  });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  return api("cudaCreateSurfaceObject", [&] {
    requireValue(
        object != nullptr && resource != nullptr && resource->resType == cudaResourceTypeArray,
        "no array; expected one made with cudaArraySurfaceLoadStore");
    const cudaArray& array = requireArray(resource->res.array.array);
    requireValue((array.flags & cudaArraySurfaceLoadStore) != 0,
                 "an array made without cudaArraySurfaceLoadStore");
    Surface surface;
    surface.address = array.address;
    surface.widthBytes = array.extent.width * array.elementBytes();
    surface.height = static_cast<std::uint32_t>(array.rows());
    surface.depth = static_cast<std::uint32_t>(array.slices());
    surface.rowBytes = array.pitch;
    *object = made([&] { return soundSession().launcher.executor().createSurface(surface); });
    surfaces()[*object] = *resource;
  });
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return api("cudaDestroySurfaceObject", [&] {
    requireValue(surfaces().erase(object) != 0, "not a surface object");
    session().launcher.executor().destroySurface(object);
  });
}
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaSurfaceObject_t object) {
  return api("cudaGetSurfaceObjectResourceDesc", [&] {
    const auto found = surfaces().find(object);
    requireValue(resource != nullptr && found != surfaces().end(), "not a surface object");
    *resource = found->second;
  });
}

cudaError_t cudaBindTexture(size_t* offset, const textureReference* texture, const void* pointer,
                            const cudaChannelFormatDesc* desc, size_t size) {
  return api("cudaBindTexture", [&] {
    requireValue(texture != nullptr && desc != nullptr, "no texture or no format");
    const Block* const block = soundSession().heap.find(addressOf(pointer));
    requireValue(block != nullptr, "not memory of the device");
    std::uint64_t base = 0;
    (void)soundSession().heap.find(addressOf(pointer), 1, &base);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear = {const_cast<void*>(pointer), *desc,
                           std::min<std::size_t>(size, base + block->bytes - addressOf(pointer))};
    bind(texture, arrayOf(resource));
    if (offset != nullptr) *offset = 0;
  });
}
cudaError_t cudaBindTexture2D(size_t* offset, const textureReference* texture, const void* pointer,
                              const cudaChannelFormatDesc* desc, size_t width, size_t height,
                              size_t pitch) {
  return api("cudaBindTexture2D", [&] {
    requireValue(texture != nullptr && desc != nullptr, "no texture or no format");
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D = {const_cast<void*>(pointer), *desc, width, height, pitch};
    bind(texture, arrayOf(resource));
    if (offset != nullptr) *offset = 0;
  });
}
cudaError_t cudaBindTextureToArray(const textureReference* texture, cudaArray_const_t array,
                                   const cudaChannelFormatDesc*) {
  return api("cudaBindTextureToArray", [&] {
    requireValue(texture != nullptr, "no texture");
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = const_cast<cudaArray_t>(array);
    bind(texture, arrayOf(resource));
  });
}
cudaError_t cudaUnbindTexture(const textureReference* texture) {
  return api("cudaUnbindTexture", [&] { (void)requireTexture(texture); });
}
cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const textureReference* texture) {
  return api("cudaGetTextureAlignmentOffset", [&] {
    (void)requireTexture(texture);
    requireValue(offset != nullptr, "no place for the answer");
    *offset = 0;
  });
}
cudaError_t cudaGetTextureReference(const textureReference** texture, const void* symbol) {
  return api("cudaGetTextureReference", [&] {
    const auto* const reference = static_cast<const textureReference*>(symbol);
    (void)requireTexture(reference);
    requireValue(texture != nullptr, "no place for the answer");
    *texture = reference;
  });
}

void __cudaRegisterTexture(void** handle, const textureReference* hostVariable, const void**,
                           const char* deviceName, int, int normalized, int) {
  const Registration& unit = *reinterpret_cast<Registration*>(handle);
  programs().textures.add(hostVariable, {unit.program, unit.nameOf(deviceName), normalized != 0});
}
void __cudaRegisterSurface(void**, const surfaceReference*, const void**, const char*, int, int) {}
void __cudaRegisterManagedVar(void**, void**, void*, const char* deviceName, size_t, unsigned int) {
  (void)refused(deviceName,
                "expected a __managed__ variable as the headers of fermata cc declare it");
}

}  // extern "C"
