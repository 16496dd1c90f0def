// The file by which `fermata exec` and the processes of the program that it started agree.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace fermata::exec {

/// Holds the number of the next launch and the bytes that processes keep. It is opened by its name
/// for each call and locked meanwhile: the program may close any descriptor, and several processes
/// may launch. Every member throws files::OutputError.
class LaunchSpool {
 public:
  /// A spool that create() has made.
  explicit LaunchSpool(std::string path);
  static LaunchSpool create(const std::string& path);

  /// Number of the next launch, from 0: each is given once, whichever process asks.
  std::uint64_t takeLaunch();
  /// Keeps all of `bytes`, or nothing where it throws.
  void append(std::string_view bytes);
  bool isEmpty() const;
  /// Calls `visit` with what each append() kept, in their order.
  void forEach(const std::function<void(std::string_view)>& visit) const;

  /// Says that a process has ended because results could not be written.
  void markFailed();
  bool hasFailed() const;

 private:
  std::string path_;
};

}  // namespace fermata::exec
