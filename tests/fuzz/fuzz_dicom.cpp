// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/io/dicom/dicom_source.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace {

/// A file in memory that the reader opens by a path.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* bytes, std::size_t size) : descriptor_(memfd_create("dicom", 0)) {
    if (descriptor_ < 0 || write(descriptor_, bytes, size) != static_cast<ssize_t>(size)) {
      std::abort();
    }
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

/// Larger images only slow down the fuzzer; their sizes are checked earlier.
constexpr std::int64_t kMostVoxels = 1 << 22;

}  // namespace

/// Any bytes as one DICOM file: scanned, with every item loaded. Only an Error may be thrown.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const MemoryFile file(bytes, size);
  const std::array<std::filesystem::path, 1> files{file.path()};
  seedwave::Context::Settings settings;
  settings.threads = 1;
  seedwave::Context context(settings);
  (void)seedwave::io::looks_like_dicom(files[0]);
  seedwave::io::Scan scan;
  seedwave::io::scan_dicom(files, scan, context);
  for (const auto& item : scan.items) {
    item.geometry.validate("an item");
    if (item.geometry.voxel_count() > kMostVoxels) continue;
    try {
      const auto image = seedwave::io::load_dicom(item, context);
      (void)seedwave::value_range(image.volume);
    } catch (const seedwave::Error&) {
      continue;
    }
  }
  return 0;
}
