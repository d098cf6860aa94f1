// SPDX-License-Identifier: Apache-2.0
#include "core/io/label_table.h"
#include "core/io/region_file.h"
#include "tests/fuzz/fuzz_file.h"

/// GeoJSON: regions that load are the same labels after being saved and loaded again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace seedwave;
  const fuzz::InputFile file(bytes, size);
  Geometry level0{.size = {64, 48, 1}, .spacing = {0.499, 0.499, 1}, .origin = {0.2495, 0.2495, 0}};
  level0.unit = LengthUnit::Micrometre;
  level0.planar = true;
  Geometry level = level0;
  level.size = {16, 12, 1};
  level.spacing = {1.996, 1.996, 1};
  level.origin = {0.998, 0.998, 0};
  try {
    Context context;
    const io::DrawnRegions regions = io::load_regions(file.path(), level, level0, context);
    io::OutputSet outputs;
    io::save_regions(outputs, file.path(), regions.labels, regions.names, level0, context);
    outputs.commit();
    const io::DrawnRegions again = io::load_regions(file.path(), level, level0, context);
    if (!(again.labels.labels() == regions.labels.labels())) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
