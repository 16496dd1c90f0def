#include <fermata/results/timeline/perfetto_writer.h>

#include <map>
#include <protozero/pbf_writer.hpp>
#include <utility>

namespace fermata::results::timeline {

namespace {

// Field numbers, from protos/perfetto/trace of the Perfetto project.
namespace trace {
enum : protozero::pbf_tag_type { Packet = 1 };
}
namespace packet {
enum : protozero::pbf_tag_type {
  Timestamp = 8,
  Sequence = 10,
  TrackEvent = 11,
  InternedData = 12,
  SequenceFlags = 13,
  TrackDescriptor = 60
};
}
namespace descriptor {
enum : protozero::pbf_tag_type {
  Uuid = 1,
  Name = 2,
  Process = 3,
  Parent = 5,
  Counter = 8,
  ChildOrdering = 11,
  SiblingRank = 12
};
}
namespace process {
enum : protozero::pbf_tag_type { Pid = 1, Name = 6 };
}
namespace counter {
enum : protozero::pbf_tag_type { UnitName = 6 };
}
namespace track_event {
enum : protozero::pbf_tag_type {
  Annotation = 4,
  Type = 9,
  NameIid = 10,
  TrackUuid = 11,
  Value = 30,
  Real = 44,
  Flow = 47,
  LastOfFlow = 48
};
}
namespace annotation {
enum : protozero::pbf_tag_type { NameIid = 1, Bool = 2, Unsigned = 3, TextIid = 17 };
}
namespace interned {
enum : protozero::pbf_tag_type {
  EventNames = 2,
  AnnotationNames = 3,
  AnnotationTexts = 29,
  Iid = 1,
  String = 2
};
}

enum Type : std::uint32_t { SliceBegin = 1, SliceEnd = 2, Instant = 3, Counter = 4 };
constexpr std::uint32_t kCleared = 1;  ///< flags of a sequence
constexpr std::uint32_t kNeedsState = 2;
constexpr std::uint32_t kSequence = 1;
constexpr std::int32_t kExplicitOrder = 3;
constexpr std::size_t kMostHeld = std::size_t{1} << 16;  ///< bytes

class PerfettoWriter final : public Writer {
 public:
  explicit PerfettoWriter(Put put) : put_(std::move(put)) {}

  void begin(const Tables& tables, Cycle) override {
    tables_ = &tables;
    described_.resize(tables.tracks.size());
    packet([&](protozero::pbf_writer& out) {
      out.add_uint32(packet::Sequence, kSequence);
      out.add_uint32(packet::SequenceFlags, kCleared);
    });
  }

  void put(const Event& event) override {
    if (event.kind > Event::Kind::Value) return;  // an instruction: its warp has slices
    describe(event.track);
    packet([&](protozero::pbf_writer& out) {
      out.add_uint64(packet::Timestamp, event.at);
      out.add_uint32(packet::Sequence, kSequence);
      out.add_uint32(packet::SequenceFlags, kNeedsState);
      intern(out, event);
      protozero::pbf_writer body{out, packet::TrackEvent};
      write(body, event);
    });
  }

  void end(Cycle) override { flush(); }

 private:
  /// Flags, by number of a text: true if one table of the file has it.
  using Known = std::vector<bool>;

  template <class Fill>
  void packet(Fill fill) {
    {
      protozero::pbf_writer all{held_};
      protozero::pbf_writer one{all, trace::Packet};
      fill(one);
    }
    if (held_.size() > kMostHeld) flush();
  }
  void flush() {
    put_(held_);
    held_.clear();
  }

  std::uint64_t uuid(TrackId track) const { return std::uint64_t{track} + 1; }
  const Track& of(TrackId track) const { return tables_->tracks[track]; }

  void describe(TrackId number) {
    if (described_[number]) return;
    described_[number] = true;
    const Track& track = of(number);
    if (track.group != kNoTrack) describe(track.group);
    packet([&](protozero::pbf_writer& out) {
      out.add_uint32(packet::Sequence, kSequence);
      protozero::pbf_writer body{out, packet::TrackDescriptor};
      body.add_uint64(descriptor::Uuid, uuid(number));
      body.add_string(descriptor::Name, track.name);
      if (track.group != kNoTrack) {
        body.add_uint64(descriptor::Parent, uuid(track.group));
        body.add_int32(descriptor::SiblingRank, static_cast<std::int32_t>(number));
      }
      if (track.kind == Track::Kind::Group) describeGroup(body, number);
      if (track.kind == Track::Kind::Count || track.kind == Track::Kind::Measure) {
        protozero::pbf_writer counter{body, descriptor::Counter};
        counter.add_string(counter::UnitName, track.says);
      }
    });
  }
  void describeGroup(protozero::pbf_writer& body, TrackId number) const {
    body.add_int32(descriptor::ChildOrdering, kExplicitOrder);
    if (of(number).group != kNoTrack) return;
    protozero::pbf_writer group{body, descriptor::Process};
    group.add_int32(process::Pid, static_cast<std::int32_t>(number) + 1);
    group.add_string(process::Name, of(number).name);
  }

  std::uint64_t annotationName(const std::string& name) {
    return annotations_.emplace(name, annotations_.size() + 1).first->second;
  }
  static void internOne(protozero::pbf_writer& data, protozero::pbf_tag_type table, Known& known,
                        std::uint64_t iid, const std::string& text) {
    if (known.size() <= iid) known.resize(iid + 1);
    if (known[iid]) return;
    known[iid] = true;
    protozero::pbf_writer entry{data, table};
    entry.add_uint64(interned::Iid, iid);
    entry.add_string(interned::String, text);
  }
  void internAnnotation(protozero::pbf_writer& data, const std::string& name) {
    internOne(data, interned::AnnotationNames, namedAnnotations_, annotationName(name), name);
  }
  /// Interns the texts that this event is the first to name.
  void intern(protozero::pbf_writer& out, const Event& event) {
    std::string bytes;
    {
      protozero::pbf_writer data{bytes};
      if (event.name != 0)
        internOne(data, interned::EventNames, names_, event.name, tables_->texts[event.name]);
      if (event.detail != 0) {
        internAnnotation(data, kSource);
        internOne(data, interned::AnnotationTexts, details_, event.detail,
                  tables_->texts[event.detail]);
      }
      if (hasNumber(event)) internAnnotation(data, of(event.track).says);
      if (event.clipped) internAnnotation(data, event.kind == Event::Kind::End ? kGoesOn : kSince);
    }
    if (!bytes.empty()) out.add_message(packet::InternedData, bytes);
  }

  bool hasNumber(const Event& event) const {
    return (event.kind == Event::Kind::Begin || event.kind == Event::Kind::Instant) &&
           !of(event.track).says.empty();
  }
  void write(protozero::pbf_writer& body, const Event& event) {
    switch (event.kind) {
      case Event::Kind::Begin:
        body.add_uint32(track_event::Type, SliceBegin);
        break;
      case Event::Kind::End:
        body.add_uint32(track_event::Type, SliceEnd);
        break;
      case Event::Kind::Instant:
        body.add_uint32(track_event::Type, Instant);
        break;
      default:
        body.add_uint32(track_event::Type, Counter);
    }
    body.add_uint64(track_event::TrackUuid, uuid(event.track));
    if (event.kind == Event::Kind::Value) return writeValue(body, event);
    if (event.name != 0) body.add_uint64(track_event::NameIid, event.name);
    if (event.flow != 0)
      body.add_fixed64(event.flowEnds ? track_event::LastOfFlow : track_event::Flow, event.flow);
    annotate(body, event);
  }
  void writeValue(protozero::pbf_writer& body, const Event& event) const {
    if (of(event.track).kind == Track::Kind::Measure) {
      body.add_double(track_event::Real, event.real);
    } else {
      body.add_int64(track_event::Value, static_cast<std::int64_t>(event.number));
    }
  }
  void annotate(protozero::pbf_writer& body, const Event& event) {
    if (event.detail != 0) {
      protozero::pbf_writer one{body, track_event::Annotation};
      one.add_uint64(annotation::NameIid, annotationName(kSource));
      one.add_uint64(annotation::TextIid, event.detail);
    }
    if (hasNumber(event)) {
      protozero::pbf_writer one{body, track_event::Annotation};
      one.add_uint64(annotation::NameIid, annotationName(of(event.track).says));
      one.add_uint64(annotation::Unsigned, event.number);
    }
    if (!event.clipped) return;
    protozero::pbf_writer one{body, track_event::Annotation};
    if (event.kind == Event::Kind::End) {
      one.add_uint64(annotation::NameIid, annotationName(kGoesOn));
      one.add_bool(annotation::Bool, true);
    } else {
      one.add_uint64(annotation::NameIid, annotationName(kSince));
      one.add_uint64(annotation::Unsigned, event.since);
    }
  }

  const std::string kSource = "source";
  const std::string kSince = "since cycle";
  const std::string kGoesOn = "goes on";

  Put put_;
  const Tables* tables_ = nullptr;
  std::string held_;
  std::vector<bool> described_;
  std::map<std::string, std::uint64_t> annotations_;
  Known names_;
  Known details_;
  Known namedAnnotations_;
};

}  // namespace

std::unique_ptr<Writer> makePerfettoWriter(Put put) {
  return std::make_unique<PerfettoWriter>(std::move(put));
}

}  // namespace fermata::results::timeline
