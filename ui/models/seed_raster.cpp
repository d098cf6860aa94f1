// SPDX-License-Identifier: Apache-2.0
#include "ui/models/seed_raster.h"

namespace seedwave::ui {

SeedRaster::SeedRaster(const Workbench& workbench, QObject* parent)
    : QObject(parent), workbench_(workbench) {
  connect(&workbench_, &Workbench::image_changed, this, &SeedRaster::start);
  connect(&workbench_, &Workbench::part_changed, this, [this](Part part) {
    if (part == Part::Seeds) start();
  });
}

void SeedRaster::start() {
  const Geometry geometry = workbench_.image().geometry();
  const bool has_image = workbench_.has_image();
  task_.start([this, geometry, has_image, seeds = workbench_.document().seeds](Context&) {
    auto made = std::make_shared<SeedVoxels>();
    if (has_image) *made = seeds.rasterise(geometry);
    return [this, made] { emit ready(made); };
  });
}

}  // namespace seedwave::ui
