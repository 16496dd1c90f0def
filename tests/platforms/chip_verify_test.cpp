// `verify` on several multiprocessors: right programs pass in any order in which writes and loads
// reach the L2; a byte lost or changed on its way is found.
#include <fermata/models/memory/byte_enables.h>
#include <fermata/platforms/compose/chip.h>
#include <fermata/platforms/program/workloads.h>

#include "tests/support/checked_simulation.h"
#include "tests/support/open_edge.h"
#include "tests/support/says.h"
#include "tests/support/temporary_folder.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

// counters: every CTA adds to the same words. flag: CTA 0 produces, the others spin and read. last:
// the CTA that ends last sums what the others have stored. behind: each warp adds to a shared word
// behind loads that miss or hit. race: all CTAs store to the same words, others load them.
// overtaken: a warp's store waits behind others in its scheduler's queue while another warp stores
// to the words.
const char* const kKernels = R"(
extern "C" __global__ void counters(unsigned* data, unsigned* counts, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&counts[(2 * i) & 63], 1 + data[(7 * i) & 255]);
  out[i] = i + 5;
}
extern "C" __global__ void flag(volatile unsigned* data, volatile unsigned* counts, unsigned* out) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x * 3 + 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) counts[0] = 1;
  } else {
    if (threadIdx.x == 0) while (counts[0] == 0) {}
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = data[threadIdx.x];
  }
}
extern "C" __global__ void last(volatile unsigned* data, unsigned* counts, unsigned* out) {
  __shared__ unsigned ticket;
  unsigned before = data[threadIdx.x];
  data[blockIdx.x * blockDim.x + threadIdx.x] = before + threadIdx.x + 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) ticket = atomicAdd(counts, 1);
  __syncthreads();
  if (ticket != gridDim.x - 1) return;
  unsigned sum = 0;
  for (unsigned b = 0; b < gridDim.x; b++) sum += data[b * blockDim.x + threadIdx.x];
  out[threadIdx.x] = sum;
}
extern "C" __global__ void behind(unsigned* data, unsigned* counts, unsigned* out) {
  __shared__ unsigned sums[64];
  sums[threadIdx.x] = 0;
  __syncthreads();
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned k = 0; k < 4; k++) {
    unsigned x = data[(i * 2654435761u + k * 977) & 2047];
    atomicAdd(&sums[(threadIdx.x & 1) + k], i + 1);
    out[i] = x + k;
  }
  __syncthreads();
  counts[threadIdx.x] = 1;
  out[i] = sums[threadIdx.x];
}
extern "C" __global__ void race(unsigned* data, unsigned* counts, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned k = 0; k < 4; k++) {
    counts[threadIdx.x] = i + data[(i * 2654435761u + k * 977) & 2047] + k;
    out[i] = counts[(threadIdx.x + 1) & 63];
    counts[threadIdx.x & 31] = k - i;
  }
}
extern "C" __global__ void overtaken(unsigned* data, unsigned* counts, unsigned* out) {
  unsigned* words = out + 64 * blockIdx.x;
  unsigned lane = threadIdx.x & 31, sum = words[lane] + words[32 + lane], x = lane;
  __syncthreads();
  for (unsigned k = 0; k < 24; k++) {
    if (threadIdx.x < 32) {
      for (unsigned j = 0; j < 6; j++) data[(lane + 32 * (6 * k + j)) & 2047] = lane;
    } else {
      for (unsigned j = 0; j < k; j++) x = x * 3 + lane;
    }
    words[2 * k + lane % 2] = x + threadIdx.x;
    __syncthreads();
    sum += words[2 * k + lane % 2];
    __syncthreads();
  }
  words[48 + lane % 16] = sum + x;
}
)";

const char* const kLaunch = R"(kernel = "k.cu"
[parameters]
grid = { default = 32 }
[buffers.data]
type = "u32"
count = 2048
fill = "zero"
[buffers.counts]
type = "u32"
count = 64
fill = "zero"
[buffers.out]
type = "u32"
count = 2048
fill = "zero"
[[launch]]
entry = "ENTRY"
grid = "grid"
block = 64
arguments = [{ buffer = "data" }, { buffer = "counts" }, { buffer = "out" }]
)";

class Kernel {
 public:
  Kernel(const std::string& entry, const std::string& grid) {
    std::string launch = kLaunch;
    launch.replace(launch.find("ENTRY"), 5, entry);
    std::ofstream(folder_.path() / "k.cu") << kKernels;
    std::ofstream(folder_.path() / "k.toml") << launch;
    open_ = openWorkload((folder_.path() / "k.toml").string(), {{"grid", grid}});
  }
  Workload& workload() { return *open_.workload; }

 private:
  TemporaryFolder folder_;
  OpenWorkload open_;
};

struct Shape : Named {
  const char* platform;
  Sets sets;
};
const Shape kShapes[] = {
    {"fermi-chip", "fermi-chip", {}},
    {"waiting", "gtx480-caches", {"chip.sms=15"}},
    {"written through",
     "gtx480-caches",
     {"chip.sms=15", "l1.write_policy=through", "l2.write_policy=through"}},
    {"sectors",
     "gtx480-caches",
     {"chip.sms=15", "l1.fetch=sectors", "l1.write_policy=allocate", "l1.sets=", "l1.bytes=2048",
      "l1.split=free"}},
    {"sectors replay", "fermi-chip", {"l1.fetch=sectors", "l1.write_policy=allocate"}},
    {"slow links", "fermi-chip", {"interconnect.bytes_per_cycle=4", "interconnect.queue=1"}},
    {"ten slices",
     "gtx480-caches",
     {"chip.sms=7", "l2.bytes=20480", "l2.ways=4", "l2.slices=10", "l2.slice_indexer=ami 10",
      "l2.mshrs=40", "l2.input=10", "l2.queue=10", "l2.partitions=2",
      "interconnect.far_latency=40"}},
    {"twelve slices, AMI",
     "gtx480-caches",
     {"chip.sms=15", "l2.bytes=49152", "l2.slice_indexer=ami 12",
      "interconnect.slice_bytes_per_cycle=32"}},
    {"sixteen slices, XOR",
     "fermi-chip",
     {"l2.bytes=32768", "l2.slice_indexer=xor k1=0 k2=4 mask=15", "l2.sets=ami 15"}},
    {"one of each",
     "fermi-chip",
     {"l1.split=free", "l1.bytes=512", "l1.mshrs=1", "l1.queue=1", "l1.merges=1", "l2.bytes=1024",
      "l2.mshrs=1", "l2.merges=1", "l2.input=1", "l2.queue=1", "l2.slices=1", "dram.queue=1",
      "interconnect.queue=1"}},
    {"one multiprocessor", "fermi-ami", {}},
    {"epochs", "v100", {"chip.sms=8"}},
    {"epochs, accesses wait for the port", "v100", {"chip.sms=8", "core.memory_queue=8"}},
    {"schedulers with queues", "a100", {"chip.sms=3"}},
    {"one multiprocessor, schedulers with queues", "sm_80", {"global.memory=caches"}},
    {"epochs of 8 cycles", "fermi-chip", {"chip.epoch=8"}},
};

Configuration verified(const Shape& shape) {
  Sets sets = shape.sets;
  sets.push_back("verify=true");
  return platform(shape.platform, sets);
}

/// Fault on an edge.
enum class Fault {
  LostWrite,   ///< the bytes are not stored
  WrongWrite,  ///< one byte is stored with another value
  WrongRead
};

class Edge : public LineEdge {
 public:
  Edge(const sc_core::sc_module_name& name, std::optional<Fault> fault)
      : LineEdge(name), fault_(fault) {}

 private:
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    static unsigned char none = TLM_BYTE_DISABLED;
    if (phase == tlm::BEGIN_REQ && payload.is_write() && fault_ == Fault::LostWrite) {
      payload.set_byte_enable_ptr(&none);
      payload.set_byte_enable_length(1);
    }
    if (phase == tlm::BEGIN_REQ && payload.is_write() && fault_ == Fault::WrongWrite) {
      unsigned first = 0;
      while (!isEnabled(payload, first)) ++first;
      payload.get_data_ptr()[first] ^= 0x80;
    }
    const tlm::tlm_sync_enum status = out->nb_transport_fw(payload, phase, delay);
    if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP))
      answered(payload);
    return status;
  }
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (phase == tlm::BEGIN_RESP) answered(payload);
    return in->nb_transport_bw(payload, phase, delay);
  }
  void answered(Payload& payload) const {
    if (!payload.is_read() || fault_ != Fault::WrongRead) return;
    for (unsigned i = 0; i < payload.get_data_length(); ++i) payload.get_data_ptr()[i] ^= 0x80;
  }

  std::optional<Fault> fault_;
};

/// Puts a fault on one edge; edges are numbered in the order in which they are joined.
class Faulty : public Connector {
 public:
  static constexpr unsigned kAboveL2 = 0, kBehindL2 = 1, kFirstL1 = 2;

  Faulty(Fault fault, unsigned edge) : fault_(fault), edge_(edge) {}
  void joinLine(LineInitiatorSocket& from, LineTargetSocket& to) override {
    const auto number = static_cast<unsigned>(edges_.size());
    Edge& edge = edges_.emplace_back(("edge" + std::to_string(number)).c_str(),
                                     number == edge_ ? std::optional(fault_) : std::nullopt);
    from.bind(edge.in);
    edge.out.bind(to);
  }

 private:
  Fault fault_;
  unsigned edge_;
  std::deque<Edge> edges_;
};

struct Case {
  const char* kernel;
  const char* grid;
  Fault fault;
  unsigned edge;
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.kernel << " " << static_cast<int>(c.fault) << " " << c.edge;
}
// Two CTAs add to the same words; the later one is on multiprocessor 1.
const Case kCases[] = {{"counters", "2", Fault::LostWrite, Faulty::kFirstL1 + 1},
                       {"counters", "32", Fault::LostWrite, Faulty::kFirstL1},
                       {"counters", "32", Fault::LostWrite, Faulty::kAboveL2},
                       {"counters", "32", Fault::LostWrite, Faulty::kBehindL2},
                       {"counters", "32", Fault::WrongWrite, Faulty::kFirstL1 + 3},
                       {"counters", "32", Fault::WrongRead, Faulty::kFirstL1 + 3},
                       {"flag", "16", Fault::LostWrite, Faulty::kFirstL1},
                       {"flag", "16", Fault::WrongRead, Faulty::kFirstL1 + 5},
                       {"last", "16", Fault::WrongWrite, Faulty::kAboveL2},
                       {"last", "16", Fault::WrongRead, Faulty::kBehindL2}};

}  // namespace

BOOST_AUTO_TEST_SUITE(chip_verify)

BOOST_DATA_TEST_CASE(right_programs_pass,
                     bdata::make({"counters", "flag", "last", "behind", "race", "overtaken"}) *
                         bdata::make(kShapes),
                     entry, shape) {
  Kernel kernel(entry, "32");
  CheckedSimulation simulation(verified(shape));
  BOOST_TEST(simulation.run(kernel.workload()).compared > 0U);
  BOOST_TEST(simulation.simulation.memory()->compared() > 0U);
}

BOOST_DATA_TEST_CASE(a_lost_or_wrong_byte_is_found, bdata::make(kCases), c) {
  Kernel kernel(c.kernel, c.grid);
  Faulty connector(c.fault, c.edge);
  // Uses a small L2, so that memory behind it is written and read.
  Simulation simulation(verified({"", "fermi-chip", {"l2.bytes=4096", "l2.slices=1"}}), connector);
  BOOST_CHECK_EXCEPTION(simulation.run(kernel.workload()), std::exception,
                        says("verification failed"));
}

BOOST_AUTO_TEST_SUITE_END()
