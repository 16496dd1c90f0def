#include <fermata/models/core/collected_execution.h>
#include <fermata/models/core/core_parameters.h>
#include <fermata/models/core/decoupled_execution.h>
#include <fermata/models/core/execution.h>
#include <fermata/models/core/in_order_execution.h>

namespace fermata {

std::unique_ptr<Execution> makeExecution(const WarpSchedulerParameters& parameters,
                                         LoadStoreUnit& loadStore, Pipelines& pipelines,
                                         Execution::Client& client, Probe* probe) {
  if (!isStaged(parameters.pipelines.organisation) && parameters.pipelines.collectors.exist())
    return std::make_unique<CollectedExecution>(parameters, loadStore, pipelines);
  if (!isStaged(parameters.pipelines.organisation))
    return std::make_unique<DecoupledExecution>(parameters.constantLatency, loadStore, pipelines);
  return std::make_unique<InOrderExecution>(parameters, loadStore, pipelines, client, probe);
}

}  // namespace fermata
