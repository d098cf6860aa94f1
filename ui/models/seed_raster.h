// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/seed_set.h"
#include "core/session/job_runner.h"
#include "ui/models/workbench.h"

#include <QObject>

#include <cstdint>
#include <memory>

namespace seedwave::ui {

/// Draws the document's strokes on the image's grid, in the background, for the views: they show
/// a stroke themselves until its seeds are there.
class SeedRaster : public QObject {
  Q_OBJECT

 public:
  /// `workbench` must outlive this.
  explicit SeedRaster(const Workbench& workbench, QObject* parent = nullptr);
  ~SeedRaster() override;

 signals:
  void ready(const std::shared_ptr<const seedwave::SeedVoxels>& seeds);

 private:
  void start();

  const Workbench& workbench_;
  std::uint64_t job_ = 0;
  std::shared_ptr<SeedVoxels> made_;
  JobRunner jobs_;  // last: its thread ends before the rest goes
};

}  // namespace seedwave::ui
