#include <fermata/models/timing/agenda.h>
#include <fermata/models/timing/has_process.h>

#include <algorithm>
#include <utility>

namespace fermata {

namespace {

/// Low bits of an alarm's order, which hold its number; its turn lies above them.
constexpr unsigned kTurnShift = 32;

/// The agenda of the simulation: its process rings the alarms of an instant.
class KernelAgenda final : public Agenda, public sc_core::sc_module {
 public:
  FERMATA_HAS_PROCESS(KernelAgenda);
  explicit KernelAgenda(const sc_core::sc_module_name& name) : Agenda(false), sc_module(name) {
    SC_METHOD(ring);
    sensitive << due_;
    dont_initialize();
  }

 private:
  void ring() {
    notified_ = kNone;
    ringBefore(sc_core::sc_time_stamp().value() + 1);
  }
  bool othersAct() const override { return sc_core::sc_pending_activity_at_current_time(); }
  void changed() override {
    if (due() >= notified_) return;
    notified_ = due();
    const Ticks now = sc_core::sc_time_stamp().value();
    due_.notify(timeOf(std::max(notified_, now) - now));
  }

  Ticks notified_ = kNone;  ///< time for which due_ is notified
  sc_core::sc_event due_;
};

}  // namespace

Alarm::Alarm(Turn turn, std::function<void()> ring)
    : agenda_(Agenda::here()),
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
    agenda = std::make_shared<KernelAgenda>(sc_core::sc_gen_unique_name("agenda"));
    current = agenda;
  }
  return agenda;
}

std::weak_ptr<Agenda>& Agenda::joined() {
  static std::weak_ptr<Agenda> joined;
  return joined;
}

std::shared_ptr<Agenda> Agenda::here() {
  const std::shared_ptr<Agenda> island = joined().lock();
  return island != nullptr ? island : ofSimulation();
}

sc_core::sc_time Agenda::untilNext() {
  const Ticks now = stamp().value();
  const sc_core::sc_time others =
      island_ ? timeOf(end_ - now) : sc_core::sc_time_to_pending_activity();
  if (!ringing_ || next_ == nullptr) return others;
  return std::min(others, timeOf(std::max(next_->at_, now) - now));
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
  if (!ringing_) changed();
}

// Looks at every alarm: a model has few, and a search costs less than a heap that also holds what
// was set anew or cancelled.
void Agenda::findNext() {
  next_ = nullptr;
  Ticks least = kNone;
  for (Alarm* alarm : alarms_) {
    if (alarm->at_ >= least) continue;
    least = alarm->at_;
    next_ = alarm;
  }
}

void Agenda::ringBefore(Ticks end) {
  ringing_ = true;
  // Restores the state also when an alarm's callback throws (an SC_REPORT_ERROR does).
  const std::unique_ptr<Agenda, void (*)(Agenda*)> over(this, [](Agenda* a) {
    a->ringing_ = false;
    a->changed();
  });
  while (next_ != nullptr && next_->at_ < end && !othersAct()) {
    Alarm& alarm = *next_;
    now_ = std::max(now_, alarm.at_);
    alarm.at_ = Alarm::kUnset;
    findNext();
    alarm.ring_();
  }
}

}  // namespace fermata
