// SPDX-License-Identifier: Apache-2.0
#include "core/io/formats/byte_source.h"

#include "core/base/available_memory.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/base/scratch_files.h"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <system_error>
#include <zlib.h>

namespace seedwave::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPackedPiece = std::size_t{1} << 18;
/// Bytes read between two checks of the stop token: under 20 ms even if they are inflated.
constexpr std::size_t kReadPiece = std::size_t{1} << 21;
/// The highest compression of deflate: 258 bytes in two bits.
constexpr std::int64_t kBestDeflate = 1032;

std::ifstream open(const fs::path& file) {
  std::error_code error;
  // A folder opens like a file, and a pipe would wait forever.
  if (fs::exists(file, error) && !fs::is_regular_file(file, error)) {
    throw InputError(file.string() + " is not a file");
  }
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) fail_to_open(file);
  return stream;
}

std::int64_t size_of(const fs::path& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  return error ? 0 : static_cast<std::int64_t>(size);
}

}  // namespace

void fail_to_open(const fs::path& file) {
  const int error = errno;
  throw InputError("cannot open " + file.string() +
                   (error != 0 ? ": " + std::generic_category().message(error) : std::string()));
}

ByteSource::ByteSource(const fs::path& file, Packing packing, std::int64_t offset)
    : name_(file.string()), file_(open(file)), packing_(packing) {
  const std::int64_t left = size_of(file) - offset;
  if (offset < 0 || left < 0) throw InputError(name_ + " ends before its voxels begin");
  file_.seekg(offset);
  at_most_ = left;
  if (packing == Packing::None) return;
  at_most_ =
      (CheckedSize(left) * kBestDeflate).value().value_or(std::numeric_limits<std::int64_t>::max());
  packed_.resize(kPackedPiece);
  inflater_ = std::make_unique<z_stream_s>();
  // 32: detects gzip or zlib by the header.
  if (inflateInit2(inflater_.get(), 32 + MAX_WBITS) != Z_OK) throw std::bad_alloc();
}

ByteSource::~ByteSource() {
  if (inflater_) inflateEnd(inflater_.get());
}

std::size_t ByteSource::refill() {
  file_.read(reinterpret_cast<char*>(packed_.data()), static_cast<std::streamsize>(packed_.size()));
  const auto count = static_cast<std::size_t>(file_.gcount());
  inflater_->next_in = reinterpret_cast<Bytef*>(packed_.data());
  inflater_->avail_in = static_cast<uInt>(count);
  return count;
}

std::size_t ByteSource::unpack(std::span<std::byte> bytes) {
  z_stream_s& z = *inflater_;
  z.next_out = reinterpret_cast<Bytef*>(bytes.data());
  z.avail_out = static_cast<uInt>(bytes.size());
  while (z.avail_out > 0 && !finished_) {
    if (z.avail_in == 0 && refill() == 0) break;
    const int state = inflate(&z, Z_NO_FLUSH);
    if (state == Z_STREAM_END) {
      // Another member may follow, or padding of zeros, which ends the stream.
      if (z.avail_in == 0) refill();
      finished_ = z.avail_in == 0 || *z.next_in != 0x1f || inflateReset(&z) != Z_OK;
    } else if (state != Z_OK && state != Z_BUF_ERROR) {
      throw InputError(name_ + " is damaged: its compressed data cannot be unpacked");
    }
  }
  return bytes.size() - z.avail_out;
}

std::size_t ByteSource::read_some(std::span<std::byte> bytes) {
  if (packing_ == Packing::Deflate) return unpack(bytes);
  file_.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return static_cast<std::size_t>(file_.gcount());
}

void ByteSource::read(std::span<std::byte> bytes, Context& context) {
  const std::size_t all = bytes.size();
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(bytes.size(), kReadPiece));
    if (read_some(piece) != piece.size()) {
      throw InputError(name_ + " is truncated: it ends before the last of its " +
                       std::to_string(all) + " bytes of voxels");
    }
    bytes = bytes.subspan(piece.size());
    context.checkpoint(1.0 - static_cast<double>(bytes.size()) / static_cast<double>(all));
  }
}

void ByteSource::skip(std::int64_t count, Context& context) {
  if (packing_ == Packing::None) {
    file_.seekg(count, std::ios::cur);
    return;
  }
  std::vector<std::byte> scratch(kReadPiece);
  while (count > 0) {
    const auto piece = std::min<std::int64_t>(count, static_cast<std::int64_t>(kReadPiece));
    const auto came = unpack(std::span(scratch).first(static_cast<std::size_t>(piece)));
    if (came == 0) throw InputError(name_ + " is truncated: it ends before its voxels begin");
    count -= static_cast<std::int64_t>(came);
    if (context.stop_requested()) throw Cancelled();
  }
}

bool ByteSource::has_more() {
  std::byte next{};
  return read_some(std::span(&next, 1)) == 1;
}

std::vector<std::byte> read_head(const fs::path& file, std::size_t count) {
  std::ifstream stream = open(file);
  std::vector<std::byte> head(std::min(count, static_cast<std::size_t>(size_of(file))));
  stream.read(reinterpret_cast<char*>(head.data()), static_cast<std::streamsize>(head.size()));
  if (stream.bad()) fail_to_open(file);
  head.resize(static_cast<std::size_t>(stream.gcount()));
  return head;
}

std::string read_text(const fs::path& file, std::int64_t limit) {
  std::ifstream stream = open(file);
  const std::int64_t size = size_of(file);
  if (size > limit) {
    throw InputError(file.string() + " is too large: " + in_gigabytes(size) + ", at most " +
                     in_gigabytes(limit) + " are read");
  }
  std::string text(static_cast<std::size_t>(size), '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

void require_memory(CheckedSize bytes, const std::string& what) {
  const std::int64_t memory = available_memory();
  const std::int64_t available =
      memory + std::min(scratch::room(), std::numeric_limits<std::int64_t>::max() - memory);
  if (bytes.fits(available)) return;
  throw UnavailableError(
      what + " needs " +
      (bytes.is_valid() ? in_gigabytes(*bytes.value()) : std::string("more than 8 exabytes")) +
      " of memory, but only " + in_gigabytes(available) + " are free");
}

}  // namespace seedwave::io
