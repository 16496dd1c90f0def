// Alarms of one instant: their order, and events that go before them.
#include <fermata/models/timing/agenda.h>
#include <fermata/models/timing/clock.h>

#include "tests/support/test.h"

using namespace fermata;

namespace {

sc_core::sc_time ns(unsigned value) {
  return {static_cast<double>(value), sc_core::SC_NS};
}

/// Records names and times of rings.
struct Book {
  std::string text;
  void add(const std::string& who) {
    const auto at = static_cast<unsigned>(sc_core::sc_time_stamp() / ns(1));
    text += who + std::to_string(at) + ' ';
  }
  std::unique_ptr<Alarm> alarm(Turn turn, const std::string& who) {
    return std::make_unique<Alarm>(turn, [=] { add(who); });
  }
};

/// Acts at each of its times, in `deltas` successive deltas.
struct Foreign : sc_core::sc_module {
  SC_HAS_PROCESS(Foreign);
  Foreign(const sc_core::sc_module_name& name, Book& b, unsigned at, unsigned n)
      : sc_module(name), book(b), deltas(n) {
    SC_METHOD(act);
    sensitive << event;
    dont_initialize();
    event.notify(ns(at));
  }
  void act() {
    book.add("foreign");
    if (--deltas != 0) event.notify(sc_core::SC_ZERO_TIME);
  }
  Book& book;
  unsigned deltas;
  sc_core::sc_event event;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(agenda, Book)

BOOST_AUTO_TEST_CASE(one_instant_goes_by_turn_and_then_by_birth) {
  const auto clock = alarm(Turn::Clock, "clock");
  const auto l1 = alarm(Turn::L1, "l1_");
  const auto other = alarm(Turn::L1, "other");
  const auto memory = alarm(Turn::Memory, "memory");
  for (const auto* a : {&clock, &other, &l1, &memory}) (*a)->set(ns(5));
  sc_core::sc_start();
  BOOST_TEST(text == "memory5 l1_5 other5 clock5 ");
}

BOOST_AUTO_TEST_CASE(other_processes_go_first) {
  const auto memory = alarm(Turn::Memory, "memory");
  const auto clock = alarm(Turn::Clock, "clock");
  memory->set(ns(5));
  clock->set(ns(5));
  Foreign foreign("foreign", *this, 5, 3);
  sc_core::sc_start();
  BOOST_TEST(text == "foreign5 foreign5 foreign5 memory5 clock5 ");
}

// Work that an alarm starts in another process at its instant is done before the next alarm rings.
BOOST_AUTO_TEST_CASE(a_foreign_answer_goes_before_the_next_alarm) {
  Foreign foreign("foreign", *this, 9, 2);
  Alarm memory(Turn::Memory, [&] {
    add("memory");
    foreign.event.notify(sc_core::SC_ZERO_TIME);
  });
  const auto clock = alarm(Turn::Clock, "clock");
  memory.set(ns(5));
  clock->set(ns(5));
  sc_core::sc_start();
  BOOST_TEST(text == "memory5 foreign5 foreign5 clock5 ");
}

// A clock's cycle sets an alarm of memory for this instant: it goes before alarms of a later turn.
BOOST_AUTO_TEST_CASE(an_alarm_of_this_instant_takes_its_turn) {
  const auto memory = alarm(Turn::Memory, "memory");
  Alarm l1(Turn::L1, [&] {
    add("l1_");
    memory->set(sc_core::sc_time_stamp());
  });
  const auto clock = alarm(Turn::Clock, "clock");
  clock->set(ns(5));
  l1.set(ns(5));
  sc_core::sc_start();
  BOOST_TEST(text == "l1_5 memory5 clock5 ");
}

BOOST_AUTO_TEST_CASE(the_sooner_of_two_times_holds) {
  const auto one = alarm(Turn::L1, "one");
  const auto two = alarm(Turn::L1, "two");
  one->set(ns(9));
  one->set(ns(4));
  one->set(ns(6));
  two->set(ns(7));
  two->cancel();
  two->set(ns(8));
  sc_core::sc_start();
  BOOST_TEST(text == "one4 two8 ");
}

BOOST_AUTO_TEST_CASE(the_next_alarm_rings_when_the_first_is_taken_back) {
  const auto one = alarm(Turn::L1, "one");
  const auto two = alarm(Turn::Memory, "two");
  const auto three = alarm(Turn::L1, "three");
  three->set(ns(9));
  two->set(ns(9));
  one->set(ns(4));
  one->cancel();
  sc_core::sc_start();
  BOOST_TEST(text == "two9 three9 ");
}

BOOST_AUTO_TEST_CASE(an_alarm_that_has_gone_does_not_ring) {
  const auto stays = alarm(Turn::L1, "stays");
  auto goes = alarm(Turn::Memory, "goes");
  stays->set(ns(3));
  goes->set(ns(2));
  goes.reset();
  sc_core::sc_start();
  BOOST_TEST(text == "stays3 ");
}

// The time of the next alarm is known while one rings, before SystemC is notified of it.
BOOST_AUTO_TEST_CASE(the_next_thing_is_known) {
  const auto agenda = Agenda::ofSimulation();
  const auto later = alarm(Turn::L1, "later");
  Foreign foreign("foreign", *this, 20, 1);
  std::vector<sc_core::sc_time> until;
  Alarm asks(Turn::Memory, [&] {
    until.push_back(agenda->untilNext());
    later->set(ns(30));
    until.push_back(agenda->untilNext());
    later->set(ns(12));
    until.push_back(agenda->untilNext());
  });
  asks.set(ns(10));
  sc_core::sc_start();
  BOOST_TEST((until == std::vector<sc_core::sc_time>{ns(10), ns(10), ns(2)}));
}

// Without another process the agenda goes on from alarm to alarm, and SystemC's time stays behind.
BOOST_AUTO_TEST_CASE(alone_it_leads) {
  const auto agenda = Agenda::ofSimulation();
  agenda->allowLead(ns(100).value());
  const Clock clock(ns(1));
  const auto ring = [&](const char* who) {
    add(who);
    text += "(" + std::to_string(clock.now()) + ") ";
  };
  Alarm first(Turn::Clock, [&] { ring("first"); });
  Alarm second(Turn::Memory, [&] { ring("second"); });
  Alarm beyond(Turn::Memory, [&] { ring("beyond"); });
  second.set(ns(60));
  first.set(ns(5));
  beyond.set(ns(105));
  sc_core::sc_start();
  BOOST_TEST(text == "first5 (5) second5 (60) beyond105 (105) ");
  BOOST_TEST(clock.now() == 105U);
}

BOOST_AUTO_TEST_CASE(beside_another_process_it_does_not_lead) {
  Agenda::ofSimulation()->allowLead(ns(100).value());
  Foreign foreign("foreign", *this, 30, 1);
  const auto first = alarm(Turn::Clock, "first");
  const auto second = alarm(Turn::Memory, "second");
  first->set(ns(5));
  second->set(ns(60));
  sc_core::sc_start();
  BOOST_TEST(text == "first5 foreign30 second60 ");
}

BOOST_AUTO_TEST_CASE(one_who_knows_of_other_modules_forbids_to_lead) {
  const auto agenda = Agenda::ofSimulation();
  agenda->forbidLead();
  agenda->allowLead(ns(100).value());
  const auto first = alarm(Turn::Clock, "first");
  const auto second = alarm(Turn::Memory, "second");
  first->set(ns(5));
  second->set(ns(60));
  sc_core::sc_start();
  BOOST_TEST(text == "first5 second60 ");
}

// After a pause the rest rings in the next run, at its own time.
BOOST_AUTO_TEST_CASE(a_pause_ends_the_lead) {
  const auto agenda = Agenda::ofSimulation();
  agenda->allowLead(ns(100).value());
  Alarm first(Turn::Clock, [&] {
    add("first");
    agenda->pause();
  });
  const auto second = alarm(Turn::Memory, "second");
  first.set(ns(5));
  second->set(ns(60));
  sc_core::sc_start();
  BOOST_TEST(text == "first5 ");
  BOOST_TEST(sc_core::sc_time_stamp() == ns(5));
  sc_core::sc_start();
  BOOST_TEST(text == "first5 second60 ");
}

BOOST_AUTO_TEST_SUITE_END()
