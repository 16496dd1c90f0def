#include <fermata/models/timing/agenda.h>
#include <fermata/models/timing/has_process.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace fermata {

namespace {

/// Low bits of an alarm's order, which hold its number; its turn lies above them.
constexpr unsigned kTurnShift = 32;

/// True if `objects` or their children hold a process.
bool anyProcess(const std::vector<sc_core::sc_object*>& objects, const sc_core::sc_object& but) {
  return std::any_of(objects.begin(), objects.end(), [&](const sc_core::sc_object* object) {
    if (object == &but) return false;
    return dynamic_cast<const sc_core::sc_process_b*>(object) != nullptr ||
           anyProcess(object->get_child_objects(), but);
  });
}

/// The agenda of the simulation: its process rings the alarms of an instant.
class KernelAgenda final : public Agenda, public sc_core::sc_module {
 public:
  FERMATA_HAS_PROCESS(KernelAgenda);
  explicit KernelAgenda(const sc_core::sc_module_name& name) : Agenda(false), sc_module(name) {
    SC_METHOD(ring);
    sensitive << due_;
    dont_initialize();
  }

  void allowLead(Ticks most) override { most_ = std::max(most_, most); }
  void forbidLead() override { leads_ = false; }

 private:
  void ring() {
    notified_ = kNone;
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    if (!leads()) {
      end_ = now.value() + 1;
      return ringBeforeEnd();
    }
    now_ = now;
    end_ = now.value() + most_;
    const Lead lead(*this);
    ringBeforeEnd();
  }
  /// While it lives, the agenda's own time is that of the simulation, also when a callback throws.
  struct Lead {
    explicit Lead(KernelAgenda& one)
        : agenda(one), kernels(std::exchange(simulationTime_, &one.now_)) {
      agenda.apart_ = true;
    }
    ~Lead() {
      agenda.apart_ = false;
      simulationTime_ = kernels;
    }
    Lead(const Lead&) = delete;
    Lead& operator=(const Lead&) = delete;
    KernelAgenda& agenda;
    const sc_core::sc_time* const kernels;
  };
  /// The first call looks for processes; it does not see one that is spawned later.
  bool leads() {
    if (most_ != 0 && !leads_) leads_ = !anyProcess(sc_core::sc_get_top_level_objects(), *this);
    return most_ != 0 && *leads_;
  }
  bool othersAct() const override {
    return !apart_ && sc_core::sc_pending_activity_at_current_time();
  }
  void changed() override {
    if (due() >= notified_) return;
    notified_ = due();
    const Ticks now = sc_core::sc_time_stamp().value();
    due_.notify(timeOf(std::max(notified_, now) - now));
  }

  Ticks most_ = 0;             ///< by which it may lead; 0: it does not
  std::optional<bool> leads_;  ///< none: not known yet
  Ticks notified_ = kNone;     ///< time for which due_ is notified
  sc_core::sc_event due_;
};

}  // namespace

const sc_core::sc_time* Agenda::simulationTime_ = nullptr;

const sc_core::sc_time* const* Agenda::stampOfSimulation() {
  if (simulationTime_ == nullptr)
    simulationTime_ = &sc_core::sc_get_curr_simcontext()->time_stamp();
  return &simulationTime_;
}

void Agenda::pause() {
  if (apart_ && !island_) end_ = 0;
  sc_core::sc_pause();
}

Alarm::Alarm(Turn turn, std::function<void()> ring)
    : agenda_(Agenda::here()),
      ring_(std::move(ring)),
      order_(static_cast<std::uint64_t>(turn) << kTurnShift | agenda_->made_++) {}

Alarm::~Alarm() {
  cancel();
}

void Alarm::set(const sc_core::sc_time& at) {
  if (at.value() < at_) agenda_->set(*this, at.value());
}

void Alarm::cancel() {
  if (at_ != kUnset) agenda_->unset(*this);
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
      apart_ ? timeOf(std::max(end_, now) - now) : sc_core::sc_time_to_pending_activity();
  if (!ringing_ || next_ == nullptr) return others;
  return std::min(others, timeOf(std::max(next_->at_, now) - now));
}

void Agenda::set(Alarm& alarm, Ticks at) {
  const bool isNew = alarm.at_ == kNone;
  alarm.at_ = at;
  if (isNew) heap_.push_back(&alarm);
  rise(alarm, isNew ? heap_.size() - 1 : alarm.place_);
  findNext();
  if (!ringing_) changed();
}

void Agenda::unset(Alarm& alarm) {
  alarm.at_ = kNone;
  Alarm& last = *heap_.back();
  heap_.pop_back();
  if (&last != &alarm) {
    sink(last, alarm.place_);
    rise(last, last.place_);
  }
  findNext();
}

void Agenda::put(Alarm& alarm, std::size_t place) {
  heap_[place] = &alarm;
  alarm.place_ = place;
}

/// Brings the alarm up from `place`, which is free, to behind one that rings before it.
void Agenda::rise(Alarm& alarm, std::size_t place) {
  while (place != 0 && alarm.isBefore(*heap_[(place - 1) / 2])) {
    put(*heap_[(place - 1) / 2], place);
    place = (place - 1) / 2;
  }
  put(alarm, place);
}

/// Brings the alarm down from `place`, which is free, to before those that ring after it.
void Agenda::sink(Alarm& alarm, std::size_t place) {
  for (;;) {
    std::size_t below = 2 * place + 1;
    if (below >= heap_.size()) break;
    if (below + 1 < heap_.size() && heap_[below + 1]->isBefore(*heap_[below])) ++below;
    if (!heap_[below]->isBefore(alarm)) break;
    put(*heap_[below], place);
    place = below;
  }
  put(alarm, place);
}

void Agenda::ringBeforeEnd() {
  ringing_ = true;
  // Restores the state also when an alarm's callback throws (an SC_REPORT_ERROR does).
  const std::unique_ptr<Agenda, void (*)(Agenda*)> over(this, [](Agenda* a) {
    a->ringing_ = false;
    a->changed();
  });
  while (next_ != nullptr && next_->at_ < end_ && !othersAct()) {
    Alarm& alarm = *next_;
    if (apart_) now_ = std::max(now_, timeOf(alarm.at_));
    unset(alarm);
    alarm.ring_();
  }
}

}  // namespace fermata
