// The parts of an L1, bound to each other.
#pragma once

#include <fermata/models/memory/l1_banks.h>
#include <fermata/models/memory/l1_passing.h>
#include <fermata/models/memory/l1_sectors.h>
#include <fermata/models/memory/l1_tags.h>
#include <fermata/models/memory/l1_writes.h>

#include <memory>
#include <utility>

namespace fermata {

struct L1Parts {
  /// `client`: takes the answers of memory. `probe` may be null.
  L1Parts(const Clock& clock, const L1CacheParameters& p, SetIndex sets,
          std::shared_ptr<const indexing::Indexer> indexer, Probe* probe,
          LineRequester::Client& client)
      : parameters(p),
        events(probe, clock),
        check(p.shape.lineBytes, p.verify),
        array(p.shape, std::move(sets), p.replacement.make(p.policyValues), p.verify),
        sectors(p, array),
        tags(p.tagArrays, p.shape.lineBytes, p.tagBanks),
        banks(parameters, std::move(indexer), array, tags, events),
        requester("requests", clock, client, p.shape.lineBytes, p.queue),
        misses(parameters, array, sectors, tags, requester, events),
        writes(parameters, array, sectors, tags, requester, misses, flights, check, events),
        passing(parameters, array, misses, requester, flights, check) {
    if (p.tagSectors && p.lookupQueue != 0) requester.addBanks(p.tagArrays, p.lookupQueue);
  }

  const L1CacheParameters parameters;
  L1Events events;
  LoadCheck check;
  CacheArray array;
  L1Sectors sectors;
  L1Tags tags;
  L1Banks banks;
  LineRequester requester;
  L1Misses misses;
  L1Flights flights;
  L1Writes writes;
  L1Passing passing;
};

}  // namespace fermata
