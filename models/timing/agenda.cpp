#include <fermata/models/timing/agenda.h>

#include <algorithm>
#include <utility>

namespace fermata {

namespace {

/// Low bits of an alarm's order, which hold its number; its turn lies above them.
constexpr unsigned kTurnShift = 32;

}  // namespace

Alarm::Alarm(Turn turn, std::function<void()> ring)
    : agenda_(Agenda::ofSimulation()),
      ring_(std::move(ring)),
      order_(static_cast<std::uint64_t>(turn) << kTurnShift | agenda_->made_++) {}

Alarm::~Alarm() {
  agenda_->remove(*this);
}

void Alarm::set(const sc_core::sc_time& at) {
  if (at.value() >= at_) return;
  at_ = at.value();
  agenda_->add(*this);
}

std::shared_ptr<Agenda> Agenda::ofSimulation() {
  static std::weak_ptr<Agenda> current;
  std::shared_ptr<Agenda> agenda = current.lock();
  if (agenda == nullptr) {
    agenda = std::make_shared<Agenda>(sc_core::sc_gen_unique_name("agenda"));
    current = agenda;
  }
  return agenda;
}

Agenda::Agenda(const sc_core::sc_module_name& name) : sc_module(name) {
  SC_METHOD(ringDue);
  sensitive << due_;
  dont_initialize();
}

sc_core::sc_time Agenda::untilNext() {
  const sc_core::sc_time others = sc_core::sc_time_to_pending_activity();
  if (!ringing_ || !findFirst()) return others;
  const Ticks now = sc_core::sc_time_stamp().value();
  const Ticks own = std::max(heap_.front().at, now) - now;
  return std::min(others, sc_core::sc_time::from_value(own));
}

void Agenda::add(Alarm& alarm) {
  heap_.push_back({alarm.at_, alarm.order_, &alarm});
  std::push_heap(heap_.begin(), heap_.end(), Later());
  if (!ringing_) notify();
}

void Agenda::remove(const Alarm& alarm) {
  heap_.erase(
      std::remove_if(heap_.begin(), heap_.end(), [&](const Entry& e) { return e.alarm == &alarm; }),
      heap_.end());
  std::make_heap(heap_.begin(), heap_.end(), Later());
}

void Agenda::pop() {
  std::pop_heap(heap_.begin(), heap_.end(), Later());
  heap_.pop_back();
}

bool Agenda::findFirst() {
  while (!heap_.empty() && heap_.front().alarm->at_ != heap_.front().at) pop();
  return !heap_.empty();
}

void Agenda::ringDue() {
  const Ticks now = sc_core::sc_time_stamp().value();
  notified_ = Alarm::kUnset;
  ringing_ = true;
  // Restores the state also when an alarm's callback throws (an SC_REPORT_ERROR does).
  const std::unique_ptr<Agenda, void (*)(Agenda*)> end(this, [](Agenda* a) {
    a->ringing_ = false;
    a->notify();
  });
  while (findFirst() && heap_.front().at <= now &&
         !sc_core::sc_pending_activity_at_current_time()) {
    Alarm& alarm = *heap_.front().alarm;
    pop();
    alarm.at_ = Alarm::kUnset;
    alarm.ring_();
  }
}

void Agenda::notify() {
  if (!findFirst() || heap_.front().at >= notified_) return;
  notified_ = heap_.front().at;
  const Ticks now = sc_core::sc_time_stamp().value();
  due_.notify(sc_core::sc_time::from_value(std::max(notified_, now) - now));
}

}  // namespace fermata
