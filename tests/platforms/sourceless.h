// How lines of a platform's text begin that choose a mechanism, or switch one off: no figures.
#pragma once

namespace fermata::test {

inline constexpr const char* kChosen[] = {
    "instruction_hashes",
    "conflict_free",
    "wire",
    "four_phase",
    "whole_sectors",
    "clock_gating",
    "code",
    "array",
    "tags",
    "integer_units = 0",
    "epoch = 0",
    "group_interval = 0",
    "slice_bytes_per_cycle = 0",
    "request_bytes_per_cycle = 0",
    "fill_bytes_per_cycle = 0",
    "write_latency = 0",
    "load_interval = 0",
    "load_latency = 0  # cycles: from the issue of tcgen05.ld",
    "latency = 0  # cycles: cycles that an access to the shared memory",
    "suspend_waits = false",
    "far_latency = 0",
    "atomic_interval = 0",
    "atomic_float_interval = 0",
    "partitions = 1",
    "slice_indexer = \"\"",
    "channel_indexer = \"\"",
    "split = \"free\"",
    "cta_gap = 0",
    "alu = 0  # instructions: issued instructions that may collect",
    "special = 1  # instructions: issued instructions that may collect",
    "read = 0  # cycles: from issue to the start of a unit",
    "write = 0  # cycles: from the end of a unit's latency",
    "lookup_queue = 0",
    "answer_bytes = 0",
    "message_gap = 0",
    "buffer = 0",
    "fetch_latency = 0"};

}  // namespace fermata::test
