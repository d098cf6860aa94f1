// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/io/image_source.h"
#include "tests/fuzz/input_folder.h"

#include <string>

/// A folder of up to six files, as a user opens one: scanned, sorted into series, with every item
/// and its thumbnail loaded. Only an Error may be thrown, and each file must be used or named.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace seedwave;
  constexpr std::int64_t kMostVoxels = 1 << 20;
  const auto files = fuzz::files_of({bytes, size}, 6);
  const fuzz::InputFolder folder;
  for (std::size_t i = 0; i < files.size(); ++i)
    fuzz::write_file(folder.path() / ("IM" + std::to_string(i)), files[i]);
  Context context({.threads = 1});
  io::Scan scan;
  try {
    scan = io::scan(folder.path(), context);
  } catch (const InputError&) {
    return 0;
  }
  for (const io::Item& item : scan.items) {
    if (!item.usable || item.geometry.voxel_count() > kMostVoxels) continue;
    item.geometry.validate("an item");
    try {
      const io::LoadedImage image = io::load(item, context);
      if (image.volume.geometry().size != item.geometry.size) std::abort();
      (void)io::thumbnail(item, 64, context);
    } catch (const InputError&) {
    } catch (const UnavailableError&) {
    }
  }
  return 0;
}
