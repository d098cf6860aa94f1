// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/io/formats/format.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace seedwave::fuzz {

using namespace seedwave::io;

/// The fuzzer's bytes as a file in memory, because readers need a path.
class InputFile {
 public:
  InputFile(const std::uint8_t* bytes, std::size_t size)
      : path_("/dev/shm/seedwave-fuzz-" + std::to_string(::getpid())) {
    std::FILE* file = std::fopen(path_.c_str(), "wb");
    // An empty input has a null pointer, which must not be written from.
    if (file == nullptr || (size > 0 && std::fwrite(bytes, 1, size, file) != size)) std::abort();
    std::fclose(file);
  }
  ~InputFile() { std::filesystem::remove(path_); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Scans and loads the bytes with one format's reader. A refusal is fine. Other errors are found by
/// the sanitizers, or here: voxels that differ from the header's promise.
inline void read_with(const Format& format, const std::uint8_t* bytes, std::size_t size) {
  const InputFile file(bytes, size);
  try {
    const auto items = format.scan(file.path());
    for (std::size_t i = 0; i < items.size() && i < 8; ++i) {
      if (!items[i].usable) continue;
      Context context;
      // Reading damaged images covers more of the decoders than a refusal.
      LoadOptions all;
      all.damaged = Damaged::Read;
      const LoadedImage image = format.load(items[i], all, context);
      image.volume.geometry().validate("a volume that was loaded");
      if (image.volume.geometry().size != items[i].geometry.size) std::abort();
      if (image.volume.components() != items[i].components) std::abort();
      const LoadOptions one_slice{.slices = {items[i].geometry.size[2] / 2, 1},
                                  .as = ReadAs::Labels};
      if (!format.load(items[i], one_slice, context).volume.geometry().is_2d()) std::abort();
    }
  } catch (const InputError&) {
  } catch (const UnavailableError&) {
  }
}

}  // namespace seedwave::fuzz
