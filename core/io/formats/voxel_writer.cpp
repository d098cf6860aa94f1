// SPDX-License-Identifier: Apache-2.0
#include "core/io/formats/voxel_writer.h"

#include "core/base/scratch_files.h"
#include "core/io/formats/gzip_writer.h"

#include <array>
#include <span>

namespace seedwave::io {

bool lies_in_file(const Volume& volume) {
  return scratch::holds(volume.bytes().data());
}

void write_voxels(OutputSet& outputs, const std::filesystem::path& path, const Volume& volume,
                  const HeaderOfLength& header) {
  if (path.extension() != ".gz" && lies_in_file(volume)) {
    const std::string front = header(scratch::kRoomBefore);
    if (!front.empty()) {
      AtomicFile& file = outputs.create(path);
      if (file.take_over(front, volume.bytes())) return;
      file.write(front);
      file.write(volume.bytes());
      return;
    }
  }
  const std::string front = header(0);
  const std::array<std::span<const std::byte>, 2> parts{std::as_bytes(std::span(front)),
                                                        volume.bytes()};
  write_file(outputs, path, parts);
}

}  // namespace seedwave::io
