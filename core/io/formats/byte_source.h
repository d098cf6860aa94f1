// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/checked_size.h"
#include "core/parallel/context.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <vector>

struct z_stream_s;

namespace seedwave::io {

/// The compression of a part of a file.
enum class Packing {
  None,
  /// gzip or zlib, distinguished by their first bytes; several gzip members in a row are one
  /// stream.
  Deflate,
};

/// Reads a file from front to back, decompresses it, and never reads more than is requested.
///
/// All functions throw InputError that names the file.
class ByteSource {
 public:
  /// Opens `file` at `offset` bytes from its start, before any decompression.
  ByteSource(const std::filesystem::path& file, Packing packing, std::int64_t offset = 0);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Returns an upper limit of the bytes to come: the rest of the file times the highest
  /// compression of deflate. A header that claims more is wrong, which is found without allocating
  /// anything.
  [[nodiscard]] std::int64_t at_most() const noexcept { return at_most_; }

  /// Fills `bytes`; checks for cancellation between pieces. Throws if the data end early.
  void read(std::span<std::byte> bytes, Context& context);
  /// Reads as many bytes as there are, up to the span's size. Returns their number.
  std::size_t read_some(std::span<std::byte> bytes);
  void skip(std::int64_t count, Context& context);
  /// Returns whether at least one more byte follows.
  [[nodiscard]] bool has_more();

 private:
  std::size_t unpack(std::span<std::byte> bytes);
  std::size_t refill();

  std::string name_;
  std::ifstream file_;
  Packing packing_;
  std::int64_t at_most_ = 0;
  std::vector<std::byte> packed_;
  std::unique_ptr<z_stream_s> inflater_;
  bool finished_ = false;
};

/// Returns the first bytes of a file, at most `count`, without decompression. Throws InputError.
[[nodiscard]] std::vector<std::byte> read_head(const std::filesystem::path& file,
                                               std::size_t count);

/// Returns a whole file of at most `limit` bytes. Throws InputError, also if it is larger.
[[nodiscard]] std::string read_text(const std::filesystem::path& file, std::int64_t limit);

/// Throws UnavailableError if this machine does not have `bytes` of free memory for `what`.
void require_memory(CheckedSize bytes, const std::string& what);

/// Throws "cannot open NAME: reason" for a file that the user named.
[[noreturn]] void fail_to_open(const std::filesystem::path& file);

}  // namespace seedwave::io
