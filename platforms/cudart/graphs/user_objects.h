// User objects: a pointer of the program with counted references, some of which graphs hold.
#pragma once

#include <fermata/platforms/cudart/api_error.h>

#include <map>

struct CUuserObject_st {
  void* pointer = nullptr;
  void (*destroy)(void* pointer) = nullptr;
  unsigned long references = 0;
};

namespace fermata::cudart {

/// References of one graph. A copy of them holds as many.
class UserReferences {
 public:
  UserReferences() = default;
  UserReferences(const UserReferences& other);
  UserReferences& operator=(const UserReferences& other);
  ~UserReferences();

  /// Adds references; `moved` ones were the caller's.
  void retain(CUuserObject_st& object, unsigned count, bool moved);
  /// Throws ApiError if there are fewer.
  void release(CUuserObject_st& object, unsigned count);

 private:
  std::map<cudaUserObject_t, unsigned long> held_;
};

}  // namespace fermata::cudart
