// The file that `fermata exec` shares with the processes of the program that it started.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace fermata::exec {

/// Holds the number of the next launch and the bytes that processes keep. Each call opens the file
/// by its name and locks it: the program may close any descriptor, and several processes may
/// launch. Every member throws files::OutputError.
class LaunchSpool {
 public:
  /// Refers to a spool that create() has made.
  explicit LaunchSpool(std::string path);
  static LaunchSpool create(const std::string& path);

  /// Returns the number of the next launch, from 0. Each number is given once, across processes.
  std::uint64_t takeLaunch();
  /// Keeps all of `bytes`, or nothing if it throws.
  void append(std::string_view bytes);
  bool isEmpty() const;
  /// Calls `visit` with the bytes of each append(), in their order.
  void forEach(const std::function<void(std::string_view)>& visit) const;

  /// Records that a process has loaded the library of the interface.
  void markLoaded();
  bool wasLoaded() const;
  /// Records that a process has ended because results could not be written.
  void markFailed();
  bool hasFailed() const;

 private:
  std::string path_;
};

}  // namespace fermata::exec
