#include <fermata/platforms/cudart/graphs/user_objects.h>

#include <fermata/platforms/cudart/graphs/graph.h>

#include <unordered_set>
#include <utility>

namespace fermata::cudart {
namespace {

std::unordered_set<cudaUserObject_t>& liveObjects() {
  static auto* const all = new std::unordered_set<cudaUserObject_t>;
  return *all;
}

CUuserObject_st& requireObject(cudaUserObject_t object) {
  requireValue(liveObjects().count(object) != 0, "not a user object");
  return *object;
}

void requireCount(unsigned count) {
  requireValue(count > 0 && count <= 0x7fffffffU, "no references; expected 1 to 2147483647");
}

/// The last release destroys the object.
void releaseReferences(CUuserObject_st& object, unsigned long count) {
  object.references -= count;
  if (object.references != 0) return;
  liveObjects().erase(&object);
  object.destroy(object.pointer);
  delete &object;
}

}  // namespace

UserReferences::UserReferences(const UserReferences& other) { *this = other; }

UserReferences& UserReferences::operator=(const UserReferences& other) {
  if (this == &other) return *this;
  const auto before = std::exchange(held_, other.held_);
  for (const auto& [object, count] : held_) object->references += count;
  for (const auto& [object, count] : before) releaseReferences(*object, count);
  return *this;
}

UserReferences::~UserReferences() {
  for (const auto& [object, count] : held_) releaseReferences(*object, count);
}

void UserReferences::retain(CUuserObject_st& object, unsigned count, bool moved) {
  if (!moved) object.references += count;
  held_[&object] += count;
}

void UserReferences::release(CUuserObject_st& object, unsigned count) {
  const auto found = held_.find(&object);
  requireValue(found != held_.end() && found->second >= count,
               "more references than the graph holds");
  found->second -= count;
  if (found->second == 0) held_.erase(found);
  releaseReferences(object, count);
}

}  // namespace fermata::cudart

using namespace fermata::cudart;

extern "C" {

cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* pointer,
                                 void (*destroy)(void* pointer), unsigned int references,
                                 unsigned int flags) {
  return api("cudaUserObjectCreate", [&] {
    requireValue(object != nullptr && destroy != nullptr,
                 "no place for the object, or no function");
    requireCount(references);
    requireValue(flags == cudaUserObjectNoDestructorSync,
                 "other flags; expected cudaUserObjectNoDestructorSync");
    *object = new CUuserObject_st{pointer, destroy, references};
    liveObjects().insert(*object);
  });
}
cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count) {
  return api("cudaUserObjectRetain", [&] {
    requireCount(count);
    requireObject(object).references += count;
  });
}
cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count) {
  return api("cudaUserObjectRelease", [&] {
    requireCount(count);
    CUuserObject_st& one = requireObject(object);
    requireValue(one.references >= count, "more references than the object has");
    releaseReferences(one, count);
  });
}
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                      unsigned int count, unsigned int flags) {
  return api("cudaGraphRetainUserObject", [&] {
    requireCount(count);
    requireValue(flags == 0 || flags == cudaGraphUserObjectMove,
                 "other flags; expected 0 or cudaGraphUserObjectMove");
    Graph& one = requireGraph(graph);
    CUuserObject_st& held = requireObject(object);
    const bool moved = flags == cudaGraphUserObjectMove;
    requireValue(!moved || held.references >= count, "more references than the object has");
    one.references.retain(held, count, moved);
  });
}
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                       unsigned int count) {
  return api("cudaGraphReleaseUserObject", [&] {
    requireCount(count);
    Graph& one = requireGraph(graph);
    one.references.release(requireObject(object), count);
  });
}

}  // extern "C"
