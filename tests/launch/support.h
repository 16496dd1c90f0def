// Small helpers of the launch tests.
#pragma once

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/launch/description_reader.h>
#include <fermata/stimuli/launch/launch_workload.h>

namespace fermata::launch {

/// A temporary folder, removed with the object.
class Scratch {
 public:
  Scratch() {
    std::string pattern = (std::filesystem::temp_directory_path() / "fermata-test-XXXXXX").string();
    BOOST_REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    folder_ = pattern;
  }
  ~Scratch() { std::filesystem::remove_all(folder_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return path(name);
  }

 private:
  std::filesystem::path folder_;
};

/// Returns the message of the InputError that `action` throws; fails the check if it throws none.
inline std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  BOOST_ERROR("nothing was refused");
  return "";
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

template <class T>
std::vector<T> elementsOf(const std::vector<std::uint8_t>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

/// Opens the launch file `text` as if it lay in the scratch folder, beside its kernel file.
inline std::unique_ptr<LaunchWorkload> open(
    const Scratch& scratch, const std::string& text,
    const std::map<std::string, std::string>& parameters = {}) {
  return std::make_unique<LaunchWorkload>(parseLaunchFile(text, scratch.path("test.toml")),
                                          parameters);
}

}  // namespace fermata::launch
