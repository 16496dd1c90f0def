// The parameters of a platform at the global broker of CCI (Accellera's configuration interface),
// for tools that read the parameters of a simulation. Built where CMake finds CCI.
//
//   cci::cci_register_broker(new cci_utils::broker("broker"));
//   CciParameters parameters(configuration, "gpu");   // gpu.scratchpad.latency, ...
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <fermata/platforms/compose/configuration.h>

namespace fermata::platforms {

class CciParameters {
 public:
  /// Applies the broker's preset values of `name`.PATH to the configuration, as `--set` does, and
  /// checks it. Then registers each parameter as `name`.PATH, with its meaning and unit. They
  /// cannot be changed: a platform is elaborated with them. Throws InputError for a preset that is
  /// no value of its parameter. Precondition: a global broker has been registered.
  CciParameters(Configuration& configuration, const std::string& name);

 private:
  std::vector<std::shared_ptr<void>> registered_;  ///< parameters of CCI, of several types
};

}  // namespace fermata::platforms
