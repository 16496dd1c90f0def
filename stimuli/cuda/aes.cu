// AES-128 (FIPS 197) of independent blocks of 16 bytes, after S. Manavski, CUDA Compatible GPU
// as an Efficient Hardware Accelerator for AES Cryptography (2007), as in figure 2 of Gou and
// Gaydadjiev, Elastic Pipeline (2011). A thread has one column of a state, 32 bits; 256 threads
// have 64 states. Shared memory holds four tables of 256 words, which substitute and mix one
// byte each, and two stages of 256 words. The rounds alternate between the stages: a round
// reads four bytes from one, each from another column (the shifted rows), takes a word from
// each table and writes their sum to the other. The stages are accessed in sequence. The tables
// are read at bytes that look random: degree 2.5 on 8 banks, 2.9 on 16, 3.2 on 32; no padding
// helps.

constexpr unsigned kThreads = 256;
constexpr unsigned kEntries = 256;  ///< entries of a table, one for every byte
constexpr unsigned kColumns = 4;    ///< columns of a state; as many rows
constexpr unsigned kRounds = 10;

/// One word for each column and round; byte r of a word is row r, like in the text.
__constant__ unsigned roundKeys[kColumns * (kRounds + 1)];

struct Tables {
  unsigned words[kColumns][kEntries];
};

/// Places of the four bytes of a thread's next column in a stage. Row r comes from the column that
/// is `Step` r further on.
template <unsigned Step>
struct ShiftedRows {
  unsigned place[kColumns];

  __device__ __forceinline__ explicit ShiftedRows(unsigned t) {
#pragma unroll
    for (unsigned r = 0; r < kColumns; ++r)
      place[r] = ((t & ~(kColumns - 1)) + ((t + Step * r) & (kColumns - 1))) * 4 + r;
  }

  __device__ __forceinline__ unsigned byte(const unsigned* stage, unsigned r) const {
    return reinterpret_cast<const unsigned char*>(stage)[place[r]];
  }
};

static __device__ __forceinline__ void copyTables(const unsigned* from, Tables& to) {
#pragma unroll
  for (unsigned k = 0; k < kColumns; ++k)
    to.words[k][threadIdx.x] = from[k * kEntries + threadIdx.x];
}

/// Runs all rounds except the last; the state is then in `odd`.
template <unsigned Rounds, class Rows>
static __device__ __forceinline__ void mixRounds(const Tables& tables, const Rows& rows,
                                                 const unsigned* key, unsigned* odd,
                                                 unsigned* even) {
#pragma unroll
  for (unsigned round = 1; round < Rounds; ++round) {
    const unsigned* from = round % 2 == 1 ? even : odd;
    unsigned* to = round % 2 == 1 ? odd : even;
    unsigned column = key[round * kColumns];
#pragma unroll
    for (unsigned r = 0; r < kColumns; ++r) column ^= tables.words[r][rows.byte(from, r)];
    to[threadIdx.x] = column;
    __syncthreads();
  }
}

extern "C" __global__ void aes(const unsigned* text, const unsigned* tables, unsigned* out) {
  __shared__ Tables mix;
  __shared__ unsigned stage1[kThreads];
  __shared__ unsigned stage2[kThreads];
  const unsigned t = threadIdx.x;
  const unsigned* key = roundKeys + t % kColumns;
  copyTables(tables, mix);
  stage2[t] = text[blockIdx.x * kThreads + t] ^ key[0];
  __syncthreads();
  const ShiftedRows<1> rows(t);
  mixRounds<kRounds>(mix, rows, key, stage1, stage2);
  // The last round mixes nothing. It needs only the substitute: row r + 1 of a table's word for a
  // byte, which is 1 times the byte's substitute.
  unsigned column = key[kRounds * kColumns];
#pragma unroll
  for (unsigned r = 0; r < kColumns; ++r) {
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(mix.words[r]);
    const unsigned substitute = bytes[rows.byte(stage1, r) * 4 + (r + 1) % kColumns];
    column ^= substitute << (8 * r);
  }
  out[blockIdx.x * kThreads + t] = column;
}

/// Decrypts, with rounds in the order of the equivalent inverse cipher (FIPS 197, 5.3.5). Its
/// tables hold no plain substitute, so that the last round has a table of its own.
extern "C" __global__ void aesdec(const unsigned* text, const unsigned* tables,
                                  const unsigned char* substitutes, unsigned* out) {
  __shared__ Tables mix;
  __shared__ unsigned char inverse[kEntries];
  __shared__ unsigned stage1[kThreads];
  __shared__ unsigned stage2[kThreads];
  const unsigned t = threadIdx.x;
  const unsigned* key = roundKeys + t % kColumns;
  copyTables(tables, mix);
  inverse[t] = substitutes[t];
  stage2[t] = text[blockIdx.x * kThreads + t] ^ key[0];
  __syncthreads();
  const ShiftedRows<kColumns - 1> rows(t);
  mixRounds<kRounds>(mix, rows, key, stage1, stage2);
  unsigned column = key[kRounds * kColumns];
#pragma unroll
  for (unsigned r = 0; r < kColumns; ++r)
    column ^= unsigned{inverse[rows.byte(stage1, r)]} << (8 * r);
  out[blockIdx.x * kThreads + t] = column;
}

constexpr unsigned kRounds256 = 14;  ///< of a key of 256 bits

__constant__ unsigned roundKeys256[kColumns * (kRounds256 + 1)];

/// Has the columns of ShiftedRows in shared memory, from which each byte of each round reads its
/// own: as Manavski's kernels do, whose columns are in constant memory.
template <unsigned Step>
struct SharedRows {
  const volatile unsigned* columns;  ///< kColumns for each row
  unsigned t;

  __device__ __forceinline__ SharedRows(volatile unsigned* to, unsigned t) : columns(to), t(t) {
    if (t < kColumns * kColumns) to[t] = (t + Step * (t / kColumns)) % kColumns;
  }

  __device__ __forceinline__ unsigned byte(const unsigned* stage, unsigned r) const {
    const unsigned column = (t & ~(kColumns - 1)) + columns[r * kColumns + t % kColumns];
    return reinterpret_cast<const unsigned char*>(stage)[column * 4 + r];
  }
};

/// Runs all rounds as Manavski's kernels do: the text passes a stage before the first key is added,
/// and the last round writes bytes. `substitute(r, byte)` reads the substitute for row r.
template <unsigned Step, class Substitute>
static __device__ __forceinline__ void rounds256(const unsigned* text, const Tables& mix,
                                                 volatile unsigned* columns, unsigned* stage1,
                                                 unsigned* stage2, unsigned* out,
                                                 const Substitute& substitute) {
  const unsigned t = threadIdx.x;
  const unsigned* key = roundKeys256 + t % kColumns;
  stage1[t] = text[blockIdx.x * kThreads + t];
  const SharedRows<Step> rows(columns, t);
  __syncthreads();
  stage2[t] = stage1[t] ^ key[0];
  __syncthreads();
  mixRounds<kRounds256>(mix, rows, key, stage1, stage2);
  const unsigned last = key[kRounds256 * kColumns];
  volatile unsigned char* bytes = reinterpret_cast<unsigned char*>(stage2 + t);
#pragma unroll
  for (unsigned r = 0; r < kColumns; ++r)
    bytes[r] = substitute(r, rows.byte(stage1, r)) ^ (last >> (8 * r));
  __syncthreads();
  out[blockIdx.x * kThreads + t] = stage2[t];
}

/// Substitutes by the tables: row r + 1 of a word.
struct TableSubstitute {
  const Tables& mix;
  __device__ __forceinline__ unsigned operator()(unsigned r, unsigned byte) const {
    return reinterpret_cast<const unsigned char*>(mix.words[r])[byte * 4 + (r + 1) % kColumns];
  }
};

struct ByteSubstitute {
  const unsigned char* inverse;
  __device__ __forceinline__ unsigned operator()(unsigned, unsigned byte) const {
    return inverse[byte];
  }
};

extern "C" __global__ void aes256(const unsigned* text, const unsigned* tables, unsigned* out) {
  __shared__ Tables mix;
  __shared__ unsigned stage1[kThreads];
  __shared__ unsigned stage2[kThreads];
  __shared__ unsigned columns[kColumns * kColumns];
  copyTables(tables, mix);
  rounds256<1>(text, mix, columns, stage1, stage2, out, TableSubstitute{mix});
}

extern "C" __global__ void aesdec256(const unsigned* text, const unsigned* tables,
                                     const unsigned char* substitutes, unsigned* out) {
  __shared__ Tables mix;
  __shared__ unsigned char inverse[kEntries];
  __shared__ unsigned stage1[kThreads];
  __shared__ unsigned stage2[kThreads];
  __shared__ unsigned columns[kColumns * kColumns];
  copyTables(tables, mix);
  inverse[threadIdx.x] = substitutes[threadIdx.x];
  rounds256<kColumns - 1>(text, mix, columns, stage1, stage2, out, ByteSubstitute{inverse});
}
