// SPDX-License-Identifier: Apache-2.0
#include "ui/models/seed_raster.h"

#include <QMetaObject>

namespace seedwave::ui {

SeedRaster::SeedRaster(const Workbench& workbench, QObject* parent)
    : QObject(parent),
      workbench_(workbench),
      jobs_([](std::uint64_t, const std::string&, double) {},
            [this](std::uint64_t job, const JobOutcome& outcome) {
              if (outcome.end != JobEnd::Done) return;
              QMetaObject::invokeMethod(
                  this,
                  [this, job] {
                    if (job == job_) emit ready(made_);
                  },
                  Qt::QueuedConnection);
            }) {
  connect(&workbench_, &Workbench::image_changed, this, &SeedRaster::start);
  connect(&workbench_, &Workbench::part_changed, this, [this](Part part) {
    if (part == Part::Seeds) start();
  });
}

SeedRaster::~SeedRaster() {
  jobs_.cancel();
}

void SeedRaster::start() {
  auto made = std::make_shared<SeedVoxels>();
  const Geometry geometry = workbench_.image().geometry();
  const bool has_image = workbench_.has_image();
  job_ = jobs_.submit([made, geometry, has_image, seeds = workbench_.document().seeds](Context&) {
    if (has_image) *made = seeds.rasterise(geometry);
  });
  made_ = made;
}

}  // namespace seedwave::ui
