// A platform whose parameters are at a broker of CCI: a tool sets one, and reads them.
#include <cci_configuration>

#include <cci/utils/broker.h>

#include <iostream>

#include <fermata/platforms/cci/cci_parameters.h>
#include <fermata/platforms/compose/simulation.h>
#include <fermata/stimuli/launch/catalog.h>

using namespace fermata;

int sc_main(int, char**) {
  cci_utils::broker broker("broker");
  cci::cci_broker_handle tool = cci::cci_register_broker(broker);
  tool.set_preset_cci_value("gpu.scratchpad.indexer", cci::cci_value(std::string("ami 33")));

  platforms::Configuration configuration = platforms::openPlatform("gtx480");
  const platforms::CciParameters parameters(configuration, "gpu");
  platforms::Simulation simulation(configuration);
  const auto kernel = launch::openLaunch("transpose", {{"tile", "32"}});
  const platforms::RunOutcome outcome = simulation.run(*kernel);
  std::cout << tool.get_param_handle("gpu.scratchpad.banks").get_cci_value().to_json() << " banks, "
            << outcome.cycles << " cycles\n";
  return 0;
}
