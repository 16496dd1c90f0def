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
      order_(static_cast<std::uint64_t>(turn) << kTurnShift | agenda_->made_++) {
  agenda_->add(*this);
}

Alarm::~Alarm() {
  agenda_->remove(*this);
}

void Alarm::set(const sc_core::sc_time& at) {
  if (at.value() >= at_) return;
  at_ = at.value();
  agenda_->wasSet(*this);
}

void Alarm::cancel() {
  at_ = kUnset;
  if (agenda_->next_ == this) agenda_->findNext();
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
  if (!ringing_ || next_ == nullptr) return others;
  const Ticks now = sc_core::sc_time_stamp().value();
  const Ticks own = std::max(next_->at_, now) - now;
  return std::min(others, sc_core::sc_time::from_value(own));
}

void Agenda::add(Alarm& alarm) {
  const auto place = std::find_if(alarms_.begin(), alarms_.end(),
                                  [&](const Alarm* other) { return other->order_ > alarm.order_; });
  alarms_.insert(place, &alarm);
}

void Agenda::remove(const Alarm& alarm) {
  alarms_.erase(std::find(alarms_.begin(), alarms_.end(), &alarm));
  findNext();
}

void Agenda::wasSet(Alarm& alarm) {
  const bool first = next_ == nullptr || alarm.at_ < next_->at_ ||
                     (alarm.at_ == next_->at_ && alarm.order_ < next_->order_);
  if (first) next_ = &alarm;
  if (!ringing_) notify();
}

// Looks at every alarm: a model has few, and a search costs less than a heap that also holds what
// was set anew or cancelled.
void Agenda::findNext() {
  next_ = nullptr;
  Ticks least = Alarm::kUnset;
  for (Alarm* alarm : alarms_) {
    if (alarm->at_ >= least) continue;
    least = alarm->at_;
    next_ = alarm;
  }
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
  while (next_ != nullptr && next_->at_ <= now && !sc_core::sc_pending_activity_at_current_time()) {
    Alarm& alarm = *next_;
    alarm.at_ = Alarm::kUnset;
    findNext();
    alarm.ring_();
  }
}

void Agenda::notify() {
  if (next_ == nullptr || next_->at_ >= notified_) return;
  notified_ = next_->at_;
  const Ticks now = sc_core::sc_time_stamp().value();
  due_.notify(sc_core::sc_time::from_value(std::max(notified_, now) - now));
}

}  // namespace fermata
