"""Reads a trace of Perfetto by protobuf's own decoder and prints a line an event, of fields
separated by tabs: kind, cycle, track, then by kind
    B, I  name, number, source, flow, whether the flow ends here, since which cycle
    E     whether it goes on
    C     value
Whatever a trace processor would drop or complain about is an error.

    python3 read_perfetto.py FOLDER_OF_perfetto_pb2 FILE
"""
import functools
import sys

sys.path.insert(0, sys.argv[1])
import perfetto_pb2  # noqa: E402  (made by protoc from perfetto.proto)

CLEARED, NEEDS_STATE = 1, 2
trace = perfetto_pb2.Trace()
with open(sys.argv[2], "rb") as file:
    trace.ParseFromString(file.read())


def expect(holds, what):
    if not holds:
        sys.exit(f"{sys.argv[2]}: {what}")


size = trace.ByteSize()
trace.DiscardUnknownFields()
expect(trace.ByteSize() == size, "a field that perfetto.proto does not know")

tracks, parents, counters = {}, {}, set()
names, annotations, texts = {}, {}, {}
cleared = False
latest = 0


@functools.cache
def path(uuid):
    expect(uuid in tracks, f"track {uuid} is not described")
    above = parents[uuid]
    return tracks[uuid] if above is None else path(above) + "/" + tracks[uuid]


def intern(data):
    for table, entries in ((names, data.event_names), (annotations, data.debug_annotation_names)):
        for entry in entries:
            expect(table.setdefault(entry.iid, entry.name) == entry.name, "an iid of two texts")
    for entry in data.debug_annotation_string_values:
        texts[entry.iid] = entry.str.decode()


def annotated(event):
    said = {}
    for one in event.debug_annotations:
        value = (
            texts[one.string_value_iid]
            if one.HasField("string_value_iid")
            else one.uint_value if one.HasField("uint_value") else one.bool_value
        )
        said[annotations[one.name_iid]] = value
    return said


for packet in trace.packet:
    expect(packet.trusted_packet_sequence_id == 1, "a packet of no sequence")
    if packet.sequence_flags & CLEARED:
        cleared = True
    if packet.HasField("interned_data"):
        intern(packet.interned_data)
    if packet.HasField("track_descriptor"):
        track = packet.track_descriptor
        expect(track.uuid != 0 and track.uuid not in tracks, "a track described twice")
        tracks[track.uuid] = track.name
        parents[track.uuid] = track.parent_uuid if track.HasField("parent_uuid") else None
        expect(track.HasField("parent_uuid") != track.HasField("process"), "a track of no process")
        if track.HasField("counter"):
            counters.add(track.uuid)
    if not packet.HasField("track_event"):
        continue
    event = packet.track_event
    expect(cleared and packet.sequence_flags & NEEDS_STATE, "an event without state")
    expect(packet.timestamp >= latest, "an event before the one before it")
    latest = packet.timestamp
    line = [packet.timestamp, path(event.track_uuid)]
    said = annotated(event)
    is_value = event.type == event.TYPE_COUNTER
    expect(is_value == (event.track_uuid in counters), "a value of no counter")
    if is_value:
        real = event.HasField("double_counter_value")
        value = event.double_counter_value if real else event.counter_value
        print("C", *line, repr(value), sep="\t")
    elif event.type == event.TYPE_SLICE_END:
        print("E", *line, int("goes on" in said), sep="\t")
    else:
        expect(event.name_iid in names, "a name that is not there")
        kind = "B" if event.type == event.TYPE_SLICE_BEGIN else "I"
        flow = [*event.flow_ids, *event.terminating_flow_ids]
        expect(len(flow) <= 1, "two flows")
        source = said.pop("source", "")
        since = said.pop("since cycle", "")
        number = next(iter(said.values()), 0)
        last = int(bool(event.terminating_flow_ids))
        print(kind, *line, names[event.name_iid], number, source, *(flow or [0]), last, since, sep="\t")
