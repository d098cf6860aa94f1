// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/seed_set.h"
#include "ui/models/background_task.h"
#include "ui/models/workbench.h"

#include <QObject>

#include <memory>

namespace seedwave::ui {

/// Rasterises the document's strokes on the grid of the image, in the background. Views show a
/// stroke themselves until its seeds are ready.
class SeedRaster : public QObject {
  Q_OBJECT

 public:
  /// `workbench` must outlive this.
  explicit SeedRaster(const Workbench& workbench, QObject* parent = nullptr);

 signals:
  void ready(const std::shared_ptr<const seedwave::SeedVoxels>& seeds);

 private:
  void start();

  const Workbench& workbench_;
  BackgroundTask task_;
};

}  // namespace seedwave::ui
