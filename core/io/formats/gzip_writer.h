// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/formats/atomic_file.h"
#include "core/io/formats/output_set.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

struct z_stream_s;

namespace seedwave::io {

/// Writes bytes as one gzip member to a file. Throws OutputError.
class GzipWriter {
 public:
  explicit GzipWriter(AtomicFile& file);
  ~GzipWriter();
  GzipWriter(const GzipWriter&) = delete;
  GzipWriter& operator=(const GzipWriter&) = delete;

  void write(std::span<const std::byte> bytes);
  /// Ends the member; the file itself is still to be committed.
  void finish();

 private:
  void deflate_all(int flush);

  AtomicFile& file_;
  std::unique_ptr<z_stream_s> deflater_;
  std::vector<std::byte> packed_;
};

/// Adds a file that consists of `parts` in order, compressed if its name ends in ".gz".
void write_file(OutputSet& outputs, const std::filesystem::path& path,
                std::span<const std::span<const std::byte>> parts);

}  // namespace seedwave::io
