// consumer INDEXER: a user's platform, composed from the installed package, with the given mapping
// and a memory of its own that books its energy. It runs the stride kernel, writes the run into the
// folder `out` and prints the bank conflict cycles and the energy of the memory.
#include <iostream>
#include <map>

#include <fermata/models/core/sm_core.h>
#include <fermata/models/memory/address_generation_unit.h>
#include <fermata/models/memory/coalescer.h>
#include <fermata/models/memory/crossbar.h>
#include <fermata/models/memory/scratchpad.h>
#include <fermata/models/power/energy_account.h>
#include <fermata/models/probe/probe_list.h>
#include <fermata/models/transaction/late_target.h>
#include <fermata/platforms/compose/run_tables.h>
#include <fermata/results/writers.h>
#include <fermata/stimuli/launch/catalog.h>

using namespace fermata;

/// Answers 300 cycles of 1 ns after a request, and takes a request every 4 cycles.
class MyMemory : public LateLineTarget {
 public:
  MyMemory(const sc_core::sc_module_name& name, EnergyAccount* energy)
      : LateLineTarget(name), access_(energy, "my_memory", "my_memory.access") {}
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) override {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

 private:
  void requested(tlm::tlm_generic_payload& payload) override {
    access_.book(sc_core::sc_time_stamp());
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    acknowledge(payload, sc_core::sc_time(4, sc_core::SC_NS));
    respond(payload, sc_core::sc_time(300, sc_core::SC_NS));
  }

  EnergyHook access_;  // the name of a component, and the key of a price
};

int sc_main(int argc, char** argv) {
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

  const Clock clock = Clock::fromMegahertz(1000);
  EnergyPrices prices;
  prices.others["my_memory.access"] = {40000, 50000, 60000};  // fJ: low, nominal, high
  EnergyAccount energy(clock, prices, 0);
  Energy told;  // energy as a user's own power model would receive it
  energy.tell([&](const sc_core::sc_time&, const std::string& component, const Energy& more) {
    if (component == "my_memory") told += more;
  });

  Counters counters;
  PcProfile profile;
  BankHistogram histogram(banks);
  ProbeList probes;
  probes.add(counters);
  probes.add(profile);
  probes.add(histogram);
  probes.add(energy);
  ClockDomain domain("domain", clock);
  SmCore sm("sm", domain, {}, &probes);
  AddressGenerationUnit agu("agu", domain.clock(), aguParameters, indexer);
  Crossbar crossbar("crossbar", domain.clock(), crossbarParameters, &probes);
  Scratchpad scratchpad("scratchpad", domain.clock(), scratchpadParameters);
  Coalescer coalescer("coalescer", domain.clock(), {}, &probes);
  MyMemory memory("memory", &energy);
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
  std::cout << "my memory: " << told.nominal << " fJ\n";
  return 0;
}
