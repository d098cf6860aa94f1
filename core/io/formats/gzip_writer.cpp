// SPDX-License-Identifier: Apache-2.0
#include "core/io/formats/gzip_writer.h"

#include <algorithm>
#include <new>
#include <zlib.h>

namespace seedwave::io {
namespace {

constexpr std::size_t kDeflatePiece = std::size_t{1} << 20;
/// Compared with level 6: a CT is 1 % larger in a third of the time, a label map half as large
/// again (1 of 7 MB) in a fifth. Saving must not delay the window.
constexpr int kLevel = 1;

}  // namespace

GzipWriter::GzipWriter(AtomicFile& file)
    : file_(file), deflater_(std::make_unique<z_stream_s>()), packed_(kDeflatePiece) {
  constexpr int kGzip = 16;
  constexpr int kMemoryLevel = 8;
  if (deflateInit2(deflater_.get(), kLevel, Z_DEFLATED, kGzip + MAX_WBITS, kMemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
}

GzipWriter::~GzipWriter() {
  deflateEnd(deflater_.get());
}

void GzipWriter::deflate_all(int flush) {
  z_stream_s& z = *deflater_;
  do {
    z.next_out = reinterpret_cast<Bytef*>(packed_.data());
    z.avail_out = static_cast<uInt>(packed_.size());
    deflate(&z, flush);
    file_.write(std::span(packed_).first(packed_.size() - z.avail_out));
  } while (z.avail_out == 0);
}

void GzipWriter::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(bytes.size(), kDeflatePiece));
    // zlib does not write through next_in, but its interface lacks const.
    deflater_->next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(piece.data()));
    deflater_->avail_in = static_cast<uInt>(piece.size());
    deflate_all(Z_NO_FLUSH);
    bytes = bytes.subspan(piece.size());
  }
}

void GzipWriter::finish() {
  deflater_->avail_in = 0;
  deflate_all(Z_FINISH);
}

void write_file(OutputSet& outputs, const std::filesystem::path& path,
                std::span<const std::span<const std::byte>> parts) {
  AtomicFile& file = outputs.create(path);
  if (path.extension() == ".gz") {
    GzipWriter packer(file);
    for (const auto part : parts)
      packer.write(part);
    packer.finish();
  } else {
    for (const auto part : parts)
      file.write(part);
  }
}

}  // namespace seedwave::io
