#include <fermata/results/timeline/konata_writer.h>

#include <fmt/format.h>

#include <iterator>
#include <unordered_map>
#include <utility>

namespace fermata::results::timeline {

namespace {

constexpr std::size_t kMostHeld = std::size_t{1} << 16;  ///< bytes

class KonataWriter final : public Writer {
 public:
  explicit KonataWriter(Put put) : put_(std::move(put)) {}

  // The parser ignores the value of C=. Cycles count from 0 as everywhere, so C goes to the first
  // one.
  void begin(const Tables& tables, Cycle from) override {
    tables_ = &tables;
    line("Kanata\t0004");
    line("C=\t0");
    goTo(from);
  }

  void put(const Event& event) override {
    switch (event.kind) {
      case Event::Kind::Open:
        return open(event);
      case Event::Kind::Stage:
        goTo(event.at);
        return line("S\t{}\t0\t{}", ids_.at(event.number), text(event.name));
      case Event::Kind::Close:
        return close(event);
      default:
        return;
    }
  }

  void end(Cycle to) override {
    goTo(to);
    flush();
  }

 private:
  template <class... Arguments>
  void line(const char* format, const Arguments&... arguments) {
    fmt::format_to(std::back_inserter(held_), fmt::runtime(format), arguments...);
    held_ += '\n';
    if (held_.size() > kMostHeld) flush();
  }
  void flush() {
    put_(held_);
    held_.clear();
  }
  const std::string& text(Text number) const { return tables_->texts[number]; }

  void goTo(Cycle cycle) {
    if (cycle == now_) return;
    line("C\t{}", cycle - now_);
    now_ = cycle;
  }

  void open(const Event& event) {
    goTo(event.at);
    const std::uint64_t id = opened_++;
    ids_[event.number] = id;
    line("I\t{}\t{}\t{}", id, event.number, event.track);
    line("L\t{}\t0\t{}: {}", id, place(event.track), text(event.name));
    if (event.detail != 0) line("L\t{}\t1\t{}", id, text(event.detail));
    if (event.clipped) line("L\t{}\t1\t (since cycle {})", id, event.since);
  }
  /// Returns for instance "sm1 warp 3".
  std::string place(TrackId number) const {
    const Track* track = &tables_->tracks[number];
    std::string name = track->name;
    while (track->group != kNoTrack) {
      track = &tables_->tracks[track->group];
      if (track->group == kNoTrack) name = track->name + ' ' + name;
    }
    return name;
  }
  void close(const Event& event) {
    goTo(event.at);
    const auto found = ids_.find(event.number);
    if (event.clipped) line("L\t{}\t1\t (goes on behind the window)", found->second);
    line("R\t{}\t{}\t{}", found->second, event.clipped ? 0 : retired_++, event.clipped ? 1 : 0);
    ids_.erase(found);
  }

  Put put_;
  const Tables* tables_ = nullptr;
  std::string held_;
  Cycle now_ = 0;
  /// Numbers in the file of the open instructions.
  std::unordered_map<std::uint64_t, std::uint64_t> ids_;
  std::uint64_t opened_ = 0;
  std::uint64_t retired_ = 0;
};

}  // namespace

std::unique_ptr<Writer> makeKonataWriter(Put put) {
  return std::make_unique<KonataWriter>(std::move(put));
}

}  // namespace fermata::results::timeline
