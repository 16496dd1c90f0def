// Tells `fermata exec` that its program uses this library, launches or not.
#include <fermata/platforms/exec/launch_spool.h>

#include <cstdlib>
#include <exception>

namespace fermata::cudart {
namespace {

__attribute__((constructor)) void tellOfLoading() {
  const char* const spool = std::getenv("FERMATA_SPOOL");
  if (spool == nullptr || *spool == '\0') return;
  try {
    exec::LaunchSpool(spool).markLoaded();
  } catch (const std::exception&) {
    // A launch reports a file that is out of reach.
  }
}

}  // namespace
}  // namespace fermata::cudart
