// Command lines and files of the CUDA samples' programs: -name, --name, name=value.
#pragma once
#define COMMON_HELPER_STRING_H_  // programs test whether it was included

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <string>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#ifndef STRCASECMP
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define STRCPY(to, size, from) strcpy(to, from)
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#define FOPEN_FAIL(result) (result == NULL)
#define SSCANF sscanf
#define SPRINTF sprintf
#endif

inline int stringRemoveDelimiter(char delimiter, const char* text) {
  int start = 0;
  while (text[start] == delimiter) ++start;
  const int length = static_cast<int>(strlen(text));
  return start >= length - 1 ? 0 : start;
}
inline int getFileExtension(char* name, char** extension) {
  char* const dot = strrchr(name, '.');
  *extension = dot == NULL ? NULL : dot + 1;
  return dot == NULL ? 0 : static_cast<int>(dot - name);
}

namespace fermata_cuda {

/// Returns the value behind `name` on the command line: "" if it has none, null if the name is not
/// given.
inline const char* argument(int argc, const char** argv, const char* name) {
  size_t length = strlen(name);
  if (length > 0 && name[length - 1] == '=') --length;  // some ask for "name="
  for (int i = 1; i < argc; ++i) {
    const char* const word = argv[i] + strspn(argv[i], "-");
    if (word == argv[i] || strncasecmp(word, name, length) != 0) continue;
    if (word[length] == '\0') return word + length;
    if (word[length] == '=') return word + length + 1;
  }
  return NULL;
}

}  // namespace fermata_cuda

inline bool checkCmdLineFlag(const int argc, const char** argv, const char* name) {
  return fermata_cuda::argument(argc, argv, name) != NULL;
}
inline int getCmdLineArgumentInt(const int argc, const char** argv, const char* name) {
  const char* const value = fermata_cuda::argument(argc, argv, name);
  return value == NULL ? 0 : atoi(value);
}
inline float getCmdLineArgumentFloat(const int argc, const char** argv, const char* name) {
  const char* const value = fermata_cuda::argument(argc, argv, name);
  return value == NULL ? 0.0f : static_cast<float>(atof(value));
}
inline bool getCmdLineArgumentString(const int argc, const char** argv, const char* name,
                                     char** value) {
  const char* const found = fermata_cuda::argument(argc, argv, name);
  *value = const_cast<char*>(found);
  return found != NULL;
}
template <class T>
inline bool getCmdLineArgumentValue(const int argc, const char** argv, const char* name, T* value) {
  const char* const found = fermata_cuda::argument(argc, argv, name);
  if (found != NULL) *value = static_cast<T>(atof(found));
  return found != NULL;
}

/// Returns the path of a program's file, which the caller frees; null if there is none. Looks in
/// the current folder and beside the executable: there, in data/, and further up.
inline char* sdkFindFilePath(const char* file, const char* executable) {
  std::string folder = executable == NULL ? "" : executable;
  const size_t slash = folder.rfind('/');
  folder = slash == std::string::npos ? "" : folder.substr(0, slash + 1);
  const char* const places[] = {"", "data/", "../data/", "../../data/", "../", "../../"};
  for (const std::string& start : {std::string(), folder}) {
    for (const char* place : places) {
      const std::string path = start + place + file;
      FILE* const opened = fopen(path.c_str(), "rb");
      if (opened == NULL) continue;
      fclose(opened);
      return strdup(path.c_str());
    }
  }
  return NULL;
}
