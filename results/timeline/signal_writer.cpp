#include <fermata/results/timeline/signal_writer.h>

#include <array>
#include <cctype>
#include <utility>

namespace fermata::results::timeline {

namespace {

constexpr unsigned kBits = 64;

/// Returns the name spelled as an identifier of Verilog.
std::string identifier(std::string name) {
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0)
    name.insert(0, 1, '_');
  return name;
}

/// State that a track shows in a cycle.
struct Shown {
  bool busy = false;
  Text name = 0;
  std::uint64_t number = 0;
  double real = 0;
};

class SignalWriter final : public Writer {
 public:
  explicit SignalWriter(std::unique_ptr<SignalFile> file) : file_(std::move(file)) {}

  void begin(const Tables& tables, Cycle from) override {
    tables_ = &tables;
    tracks_.resize(tables.tracks.size());
    declare(kNoTrack);
    file_->begin(tables.unit);
    now_ = from;
    file_->time(from);
    for (TrackId track = 0; track < tracks_.size(); ++track) show(track, true);
  }

  void put(const Event& event) override {
    if (event.kind > Event::Kind::Value) return;  // an instruction: its warp has slices
    if (event.at != now_) flush();
    now_ = event.at;
    apply(event);
    State& state = tracks_[event.track];
    if (!std::exchange(state.changed, true)) changed_.push_back(event.track);
  }

  void end(Cycle to) override {
    flush();
    if (to != now_) file_->time(to);
    file_->end();
  }

 private:
  enum Part : unsigned { Busy, What, Number, Value, kParts };
  struct State {
    std::array<SignalFile::Signal, kParts> signal{};
    Shown now;
    Shown before;
    bool changed = false;
  };

  const Track& of(TrackId track) const { return tables_->tracks[track]; }

  void declare(TrackId group) {
    for (TrackId number = 0; number < tracks_.size(); ++number) {
      if (of(number).group != group) continue;
      const std::string name = identifier(of(number).name);
      if (of(number).kind == Track::Kind::Group) {
        file_->openScope(name);
        declare(number);
        file_->closeScope();
      } else {
        declareSignals(number, name);
      }
    }
  }
  void declareSignals(TrackId number, const std::string& name) {
    auto& signal = tracks_[number].signal;
    const Track& track = of(number);
    switch (track.kind) {
      case Track::Kind::Slices:
        file_->openScope(name);
        signal[Busy] = file_->addWire("busy", 1);
        signal[What] = file_->addText("what");
        if (!track.says.empty()) signal[Number] = file_->addWire(identifier(track.says), kBits);
        file_->closeScope();
        break;
      case Track::Kind::Measure:
        signal[Value] = file_->addReal(name);
        break;
      default:
        signal[Value] = file_->addWire(name, kBits);
    }
  }

  void apply(const Event& event) {
    Shown& shown = tracks_[event.track].now;
    switch (event.kind) {
      case Event::Kind::Begin:
        shown = {true, event.name, event.number, 0};
        break;
      case Event::Kind::End:
        shown = {};
        break;
      case Event::Kind::Instant:
        if (of(event.track).kind == Track::Kind::Instants) ++shown.number;
        break;
      default:
        shown.number = event.number;
        shown.real = event.real;
    }
  }

  void flush() {
    if (changed_.empty()) return;
    if (std::exchange(written_, now_) != now_ || !any_) file_->time(now_);
    any_ = true;
    for (const TrackId track : changed_) show(track, false);
    changed_.clear();
  }
  void show(TrackId number, bool all) {
    State& state = tracks_[number];
    state.changed = false;
    const Shown& now = state.now;
    const Shown& before = state.before;
    switch (of(number).kind) {
      case Track::Kind::Group:
        return;
      case Track::Kind::Slices:
        if (all || now.busy != before.busy) file_->wire(state.signal[Busy], 1, now.busy ? 1 : 0);
        if (all || now.name != before.name)
          file_->text(state.signal[What], tables_->texts[now.name]);
        if (of(number).says.empty()) break;
        if (all || now.busy != before.busy || now.number != before.number) {
          file_->wire(state.signal[Number], kBits,
                      now.busy ? std::optional(now.number) : std::nullopt);
        }
        break;
      case Track::Kind::Measure:
        if (all || now.real != before.real) file_->real(state.signal[Value], now.real);
        break;
      default:
        if (all || now.number != before.number) file_->wire(state.signal[Value], kBits, now.number);
    }
    state.before = now;
  }

  std::unique_ptr<SignalFile> file_;
  const Tables* tables_ = nullptr;
  std::vector<State> tracks_;
  std::vector<TrackId> changed_;
  Cycle now_ = 0;
  Cycle written_ = 0;  ///< cycle that the file has come to, once `any_`
  bool any_ = false;
};

}  // namespace

std::unique_ptr<Writer> makeSignalWriter(std::unique_ptr<SignalFile> file) {
  return std::make_unique<SignalWriter>(std::move(file));
}

}  // namespace fermata::results::timeline
