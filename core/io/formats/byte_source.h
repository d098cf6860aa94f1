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

/// How the bytes of a part of a file are packed.
enum class Packing {
  None,
  /// gzip or zlib, told apart by their first bytes; several gzip members in a row are one stream.
  Deflate,
};

/// Reads a file from front to back, unpacking on the way, and never more than is asked for.
///
/// All functions throw InputError that names the file.
class ByteSource {
 public:
  /// Opens `file` at `offset` bytes from its start, before any unpacking.
  ByteSource(const std::filesystem::path& file, Packing packing, std::int64_t offset = 0);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// No more than this can come: what is left of the file, times the best that deflate can do.
  /// A header that claims more is lying, and nothing needs to be allocated to find out.
  [[nodiscard]] std::int64_t at_most() const noexcept { return at_most_; }

  /// Fills `bytes`; checks for cancellation between pieces. Throws when the data end early.
  void read(std::span<std::byte> bytes, Context& context);
  /// As many bytes as there are, up to the span's size: how many came.
  std::size_t read_some(std::span<std::byte> bytes);
  void skip(std::int64_t count, Context& context);
  /// True when at least one more byte follows.
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

/// The first bytes of a file, at most `count`, as they are on the disk. Throws InputError.
[[nodiscard]] std::vector<std::byte> read_head(const std::filesystem::path& file,
                                               std::size_t count);

/// A whole file of at most `limit` bytes. Throws InputError, also when it is larger.
[[nodiscard]] std::string read_text(const std::filesystem::path& file, std::int64_t limit);

/// Throws UnavailableError when this machine has not `bytes` of memory to give for `what`.
void require_memory(CheckedSize bytes, const std::string& what);

/// "cannot open NAME: reason", for a file that the user named.
[[noreturn]] void fail_to_open(const std::filesystem::path& file);

}  // namespace seedwave::io
