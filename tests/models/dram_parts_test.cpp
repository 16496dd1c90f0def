// The parts of a DRAM channel, each alone: bank, bus, queue, scheduler.

#include <fermata/models/memory/dram_bank.h>
#include <fermata/models/memory/dram_bus.h>
#include <fermata/models/memory/dram_scheduler.h>

#include "tests/support/test.h"

using namespace fermata;

namespace {
const DramTiming t;
bool same(DramCommand a, DramCommand b) {
  return a == b;
}
}  // namespace

BOOST_AUTO_TEST_SUITE(dram_parts)

BOOST_AUTO_TEST_CASE(a_bank_is_precharged_then_activated_then_read) {
  DramBank bank;
  BOOST_TEST(same(bank.next(7, false), DramCommand::Activate));
  bank.activate(7, 100, t);
  BOOST_TEST(bank.holds(7));
  BOOST_TEST(same(bank.next(7, false), DramCommand::Read));
  BOOST_TEST(bank.earliest(DramCommand::Read) == 100 + t.rcd);
  BOOST_TEST(same(bank.next(8, true), DramCommand::Precharge));
  BOOST_TEST(bank.earliest(DramCommand::Precharge) == 100 + t.ras);
  bank.column(true, 120, t);
  BOOST_TEST(bank.earliest(DramCommand::Precharge) == 120 + t.wl + t.ccd + t.wr);
  bank.precharge(140, t);
  BOOST_TEST(!bank.holds(7));
  BOOST_TEST(bank.earliest(DramCommand::Activate) == 140 + t.rp);
}

BOOST_AUTO_TEST_CASE(the_bus_keeps_columns_and_activates_apart) {
  DramBus bus(2, 4, 1);
  bus.column(0, false, 100, t);
  BOOST_TEST(bus.earliest(DramCommand::Read, 1) == 100 + t.ccd);
  BOOST_TEST(bus.earliest(DramCommand::Read, 2) == 100 + t.ccdl);
  BOOST_TEST(bus.earliest(DramCommand::Write, 1) == 100 + t.readToWrite());
  bus.column(1, true, 112, t);
  BOOST_TEST(bus.earliest(DramCommand::Read, 0) == 112 + t.writeToRead());
  bus.activate(120, t);
  BOOST_TEST(bus.earliest(DramCommand::Activate, 3) == 120 + t.rrd);
  BOOST_TEST(bus.earliest(DramCommand::Precharge, 3) == 0U);
}

BOOST_AUTO_TEST_CASE(reads_of_another_stack_id_wait_and_writes_do_not) {
  DramTiming stacked;
  stacked.ccdr = 7;
  DramBus bus(2, 8, 2);  // banks 0 to 3 have one ID, 4 to 7 the other
  bus.column(1, false, 100, stacked);
  BOOST_TEST(bus.earliest(DramCommand::Read, 0) == 100 + stacked.ccd);
  BOOST_TEST(bus.earliest(DramCommand::Read, 3) == 100 + stacked.ccdl);
  BOOST_TEST(bus.earliest(DramCommand::Read, 4) == 107U);
  BOOST_TEST(bus.earliest(DramCommand::Read, 5) == 107U);
  bus.column(4, true, 200, stacked);
  BOOST_TEST(bus.earliest(DramCommand::Write, 0) == 200 + stacked.ccd);
  BOOST_TEST(bus.earliest(DramCommand::Write, 6) == 200 + stacked.ccdl);
}

BOOST_AUTO_TEST_CASE(four_activates_fill_a_window) {
  DramTiming narrow;
  narrow.faw = 30;
  DramBus bus(1, 4, 1);
  for (const Cycle at : {100, 106, 112, 118}) {
    BOOST_TEST(bus.earliest(DramCommand::Activate, 0) <= at);
    bus.activate(at, narrow);
  }
  BOOST_TEST(bus.earliest(DramCommand::Activate, 0) == 130U);
  bus.activate(140, narrow);
  BOOST_TEST(bus.earliest(DramCommand::Activate, 0) == 146U);
}

BOOST_AUTO_TEST_CASE(a_row_hit_is_served_before_older_accesses_of_its_bank) {
  DramQueue queue(3);
  BOOST_TEST(queue.add({0, 7, 1, false, 0}, 10, false));
  queue.opened(0);
  BOOST_TEST(!queue.add({0, 8, 1, true, 1}, 11, false));
  BOOST_TEST(!queue.add({0, 7, 1, false, 2}, 12, true));
  BOOST_TEST(queue.full());
  BOOST_TEST(queue.next(0).access.owner == 0U);
  queue.removeHit(0);
  BOOST_TEST(queue.next(0).access.owner == 2U);
  BOOST_TEST(queue.oldest().access.owner == 1U);
  queue.removeHit(0);
  BOOST_TEST(queue.next(0).access.owner == 1U);
  BOOST_TEST(queue.writes() == 1U);
  BOOST_TEST(queue.banks() == 1U);
}

BOOST_AUTO_TEST_CASE(columns_go_before_rows_and_old_before_young) {
  DramScheduler scheduler(6);
  scheduler.set(1, {DramCommand::Activate, 100, 0, 12});
  scheduler.set(2, {DramCommand::Read, 100, 5, 0});
  scheduler.set(5, {DramCommand::Write, 90, 4, 0});
  BOOST_TEST(scheduler.first(0).bank == 5U);
  BOOST_TEST(scheduler.first(0).at == 90U);
  scheduler.delay(5, 101);
  BOOST_TEST(scheduler.first(0).bank == 2U);
  BOOST_TEST(scheduler.first(200).bank == 5U);
  BOOST_TEST(scheduler.first(0, 0b100010).bank == 1U);
  BOOST_TEST(scheduler.earliestServed(0) == 100U);
  scheduler.remove(2);
  BOOST_TEST(scheduler.first(0).bank == 1U);
  BOOST_TEST(scheduler.banksWith(DramCommand::Read) == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
