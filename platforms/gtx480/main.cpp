// A GTX 480 streaming multiprocessor, composed by hand: copy this file to build a platform of your
// own. Usage: gtx480_by_hand [STRIDE] prints what the stride kernel does on 33 banks.
#include <cstdlib>
#include <iostream>
#include <map>

#include <fermata/models/core/sm_core.h>
#include <fermata/models/memory/address_generation_unit.h>
#include <fermata/models/memory/coalescer.h>
#include <fermata/models/memory/crossbar.h>
#include <fermata/models/memory/flat_memory.h>
#include <fermata/models/memory/scratchpad.h>
#include <fermata/models/probe/counters.h>
#include <fermata/stimuli/launch/catalog.h>

using namespace fermata;

int sc_main(int argc, char** argv) {
  const auto kernel = launch::openLaunch("stride", {{"stride", argc > 1 ? argv[1] : "32"}});
  const std::shared_ptr<const indexing::Indexer> indexer = indexing::build("ami 33", {33, 12288});

  // The defaults are Fermi's; set what differs on your platform.
  Crossbar::Parameters crossbarParameters;
  crossbarParameters.banks = indexer->shape().banks;
  Scratchpad::Parameters scratchpadParameters;
  scratchpadParameters.shape.banks = indexer->shape().banks;
  scratchpadParameters.rows = indexer->rows();

  Counters counters;
  ClockDomain domain("domain", Clock::fromMegahertz(700));
  SmCore sm("core", domain, {}, &counters);
  AddressGenerationUnit agu("agu", domain.clock(), {}, indexer);
  Crossbar crossbar("crossbar", domain.clock(), crossbarParameters, &counters);
  Scratchpad scratchpad("scratchpad", domain.clock(), scratchpadParameters);
  Coalescer coalescer("coalescer", domain.clock(), {}, &counters);
  FlatMemory memory("memory", domain.clock(), {});

  sm.port.shared.bind(agu.in);
  agu.out.bind(crossbar.in);
  crossbar.out.bind(scratchpad.in);
  sm.port.global.bind(coalescer.in);
  coalescer.out.bind(memory.in);

  sm.start(*kernel);
  sc_core::sc_start();
  domain.rethrow();
  if (!sm.finished()) {
    std::cerr << "deadlock: " << sm.describeWait() << '\n';
    return 1;
  }
  kernel->checkResults();
  std::cout << sm.cycles() << " cycles, " << counters.totals().bankConflictCycles()
            << " of them in bank conflicts\n";
  return 0;
}
