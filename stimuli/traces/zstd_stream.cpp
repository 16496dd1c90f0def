#include <fermata/stimuli/traces/zstd_stream.h>

#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace fermata::traces {

namespace {

/// Returns the call's result; throws ZstdError if it is an error.
std::size_t checked(std::size_t result) {
  if (ZSTD_isError(result) != 0) throw ZstdError(ZSTD_getErrorName(result));
  return result;
}

template <class Type>
Type* allocated(Type* made) {
  if (made == nullptr) throw std::bad_alloc();
  return made;
}

}  // namespace

struct ZstdInput::Context {
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> zstd{allocated(ZSTD_createDCtx()),
                                                            &ZSTD_freeDCtx};
};

ZstdInput::ZstdInput(std::string head, std::unique_ptr<std::istream> rest)
    : rest_(std::move(rest)),
      context_(std::make_unique<Context>()),
      packed_(std::max(ZSTD_DStreamInSize(), head.size())),
      end_(head.size()),
      plain_(ZSTD_DStreamOutSize()) {
  std::memcpy(packed_.data(), head.data(), head.size());
}

ZstdInput::~ZstdInput() = default;

bool ZstdInput::refill() {
  const std::streamsize got =
      rest_->rdbuf()->sgetn(packed_.data(), static_cast<std::streamsize>(packed_.size()));
  begin_ = 0;
  end_ = got > 0 ? static_cast<std::size_t>(got) : 0;
  return end_ != 0;
}

/// Returns the bytes that came out; none only at the end.
std::size_t ZstdInput::decompress() {
  for (;;) {
    const bool more = begin_ != end_ || refill();
    ZSTD_inBuffer in{packed_.data(), end_, begin_};
    ZSTD_outBuffer out{plain_.data(), plain_.size(), 0};
    if (!more && !inFrame_) return 0;
    inFrame_ = checked(ZSTD_decompressStream(context_->zstd.get(), &out, &in)) != 0;
    begin_ = in.pos;
    if (out.pos != 0) return out.pos;
    if (!more) throw ZstdError("the zstd frame is cut off");
  }
}

ZstdInput::int_type ZstdInput::underflow() {
  const std::size_t size = decompress();
  if (size == 0) return traits_type::eof();
  setg(plain_.data(), plain_.data(), plain_.data() + size);
  return traits_type::to_int_type(plain_.front());
}

struct ZstdOutput::Context {
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> zstd{allocated(ZSTD_createCCtx()),
                                                            &ZSTD_freeCCtx};
};

ZstdOutput::ZstdOutput() : context_(std::make_unique<Context>()) {}

ZstdOutput::~ZstdOutput() = default;

std::string_view ZstdOutput::compress(std::string_view bytes, bool last) {
  packed_.resize(ZSTD_compressBound(bytes.size()));
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  std::size_t used = 0;
  for (;;) {
    ZSTD_outBuffer out{packed_.data(), packed_.size(), used};
    const std::size_t left = checked(
        ZSTD_compressStream2(context_->zstd.get(), &out, &in, last ? ZSTD_e_end : ZSTD_e_continue));
    used = out.pos;
    if (in.pos == in.size && (!last || left == 0)) return {packed_.data(), used};
    packed_.resize(packed_.size() + std::max(left, ZSTD_CStreamOutSize()));
  }
}

std::string_view ZstdOutput::add(std::string_view bytes) {
  return compress(bytes, false);
}

std::string_view ZstdOutput::finish() {
  return compress({}, true);
}

}  // namespace fermata::traces
