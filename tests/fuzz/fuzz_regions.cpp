// SPDX-License-Identifier: Apache-2.0
#include "core/io/label_table.h"
#include "core/io/region_file.h"
#include "tests/fuzz/fuzz_file.h"

/// GeoJSON: regions that load are the same labels after being saved and loaded again, and as many
/// regions with the same classes.
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
    const io::ReadRegions as_regions = io::read_regions(file.path(), level0, context);
    const io::DrawnRegions regions = io::load_regions(file.path(), level, level0, context);
    io::OutputSet outputs;
    io::save_regions(outputs, file.path(), regions.labels, regions.names, level0, context);
    outputs.commit();
    const io::DrawnRegions again = io::load_regions(file.path(), level, level0, context);
    if (!(again.labels.labels() == regions.labels.labels())) std::abort();
    io::OutputSet more;
    io::save_regions(more, file.path(), as_regions.regions, as_regions.names, level0, context);
    more.commit();
    const io::ReadRegions read = io::read_regions(file.path(), level0, context);
    if (read.regions.size() != as_regions.regions.size()) std::abort();
    for (std::size_t i = 0; i < read.regions.size(); ++i) {
      const bool same = (read.regions[i]->label == 0) == (as_regions.regions[i]->label == 0) &&
                        read.regions[i]->is_object == as_regions.regions[i]->is_object;
      if (!same) std::abort();
      (void)runs_inside(read.regions, level, 1);
    }
  } catch (const InputError&) {
  }
  return 0;
}
