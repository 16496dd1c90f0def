// Two platforms in one simulation, at the same time: the banks of one are addressed modulo 32,
// those of the other modulo 33.
#include <iostream>

#include <fermata/models/core/sm_core.h>
#include <fermata/models/memory/address_generation_unit.h>
#include <fermata/models/memory/coalescer.h>
#include <fermata/models/memory/crossbar.h>
#include <fermata/models/memory/flat_memory.h>
#include <fermata/models/memory/scratchpad.h>
#include <fermata/models/probe/counters.h>
#include <fermata/stimuli/launch/catalog.h>

using namespace fermata;

using Mapping = std::shared_ptr<const indexing::Indexer>;

Crossbar::Parameters crossbarOf(const Mapping& mapping) {
  Crossbar::Parameters parameters;
  parameters.banks = mapping->shape().banks;
  return parameters;
}
Scratchpad::Parameters scratchpadOf(const Mapping& mapping) {
  Scratchpad::Parameters parameters;
  parameters.shape.banks = mapping->shape().banks;
  parameters.rows = mapping->rows();
  return parameters;
}

/// A platform with a clock of its own. Its workload and its counters are its own, too.
struct Platform : sc_core::sc_module {
  Platform(const sc_core::sc_module_name& name, double megahertz, const Mapping& mapping)
      : sc_module(name),
        domain("domain", Clock::fromMegahertz(megahertz)),
        sm("sm", domain, {}, &counters),
        agu("agu", domain.clock(), {}, mapping),
        crossbar("crossbar", domain.clock(), crossbarOf(mapping), &counters),
        scratchpad("scratchpad", domain.clock(), scratchpadOf(mapping)),
        coalescer("coalescer", domain.clock(), {}, &counters),
        memory("memory", domain.clock(), {}) {
    sm.port.shared.bind(agu.in);
    agu.out.bind(crossbar.in);
    crossbar.out.bind(scratchpad.in);
    sm.port.global.bind(coalescer.in);
    coalescer.out.bind(memory.in);
    sm.start(*kernel);
  }

  std::unique_ptr<launch::LaunchWorkload> kernel =
      launch::openLaunch("transpose", {{"tile", "32"}});
  Counters counters;
  ClockDomain domain;
  SmCore sm;
  AddressGenerationUnit agu;
  Crossbar crossbar;
  Scratchpad scratchpad;
  Coalescer coalescer;
  FlatMemory memory;
};

int sc_main(int, char**) {
  Platform modulo("modulo", 700, indexing::build("mod 32", {32, 12288}));
  Platform ami("ami", 900, indexing::build("ami 33", {33, 12288}));
  sc_core::sc_start();
  for (Platform* platform : {&modulo, &ami}) {
    platform->domain.rethrow();
    platform->kernel->checkResults();
    std::cout << platform->name() << ": " << platform->sm.cycles() << " cycles, "
              << platform->counters.totals().bankConflictCycles() << " in bank conflicts\n";
  }
  return 0;
}
