// consumer INDEXER: a platform of one's own, composed from the installed package, with the given
// mapping. It runs the stride kernel, writes the run into the folder `out` and prints the bank
// conflict cycles.
#include <iostream>
#include <map>

#include <fermata/models/core/sm_core.h>
#include <fermata/models/memory/address_generation_unit.h>
#include <fermata/models/memory/coalescer.h>
#include <fermata/models/memory/crossbar.h>
#include <fermata/models/memory/flat_memory.h>
#include <fermata/models/memory/scratchpad.h>
#include <fermata/models/probe/probe_list.h>
#include <fermata/platforms/compose/run_tables.h>
#include <fermata/results/writers.h>
#include <fermata/stimuli/launch/catalog.h>

int sc_main(int argc, char** argv) {
  using namespace fermata;
  if (argc != 2) return 2;
  const auto kernel = launch::openLaunch("stride", {{"stride", "32"}});
  const std::shared_ptr<const indexing::Indexer> indexer = indexing::build(argv[1], {32, 12288});
  const std::uint32_t banks = indexer->shape().banks;

  AddressGenerationUnit::Parameters aguParameters;
  aguParameters.latency = 2;
  Crossbar::Parameters crossbarParameters;
  crossbarParameters.latency = 3;
  crossbarParameters.banks = banks;
  crossbarParameters.groups.bits64 = LaneGroups(32);
  Scratchpad::Parameters scratchpadParameters;
  scratchpadParameters.latency = 20;
  scratchpadParameters.shape.banks = banks;
  scratchpadParameters.rows = indexer->rows();
  FlatMemory::Parameters memoryParameters;
  memoryParameters.latency = 300;
  memoryParameters.cyclesPerSegment = 4;

  Counters counters;
  PcProfile profile;
  BankHistogram histogram(banks);
  ProbeList probes;
  probes.add(counters);
  probes.add(profile);
  probes.add(histogram);
  ClockDomain domain("domain", Clock::fromMegahertz(1000));
  SmCore sm("sm", domain, {}, &probes);
  AddressGenerationUnit agu("agu", domain.clock(), aguParameters, indexer);
  Crossbar crossbar("crossbar", domain.clock(), crossbarParameters, &probes);
  Scratchpad scratchpad("scratchpad", domain.clock(), scratchpadParameters);
  Coalescer coalescer("coalescer", domain.clock(), {}, &probes);
  FlatMemory memory("memory", domain.clock(), memoryParameters);
  sm.port.shared.bind(agu.in);
  agu.out.bind(crossbar.in);
  crossbar.out.bind(scratchpad.in);
  sm.port.global.bind(coalescer.in);
  coalescer.out.bind(memory.in);

  sm.start(*kernel);
  sc_core::sc_start();
  domain.rethrow();
  kernel->checkResults();

  const platforms::RunTables tables;
  results::ResultWriter writer("out", tables.schema());
  writer.add(tables.record({"stride"}, *kernel,
                           {*indexer, counters.totals(), profile, histogram, sm.cycles()}));
  writer.commit();
  std::cout << "conflict cycles: " << counters.totals().bankConflictCycles() << '\n';
  return 0;
}
