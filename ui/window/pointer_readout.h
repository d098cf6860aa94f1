// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"
#include "ui/views/readout.h"
#include "ui/views/slice_state.h"
#include "ui/window/map_display.h"
#include "ui/window/view_settings.h"

#include <QObject>

#include <optional>
#include <vector>

namespace seedwave::ui {

/// The voxel under the pointer in words, also when the result changes under a still pointer.
class PointerReadout : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this.
  PointerReadout(const Workbench& workbench, const RunController& runs,
                 const ViewSettings& settings, const MapDisplay& maps);

  void point_at(const Hover& hover);
  void leave();
  /// Returns the label of the displayed result under the pointer; 0 if there is none.
  [[nodiscard]] Label label() const;

 signals:
  /// The pointer is over a voxel of the image. Followed by ended() when it leaves the image.
  void pointed(const seedwave::Index3& index);
  void changed(const seedwave::ui::Readout& readout);
  void ended();

 private:
  void read_labels();
  void tell();

  const Workbench& workbench_;
  const RunController& runs_;
  const ViewSettings& settings_;
  const MapDisplay& maps_;
  std::vector<LabelStyle> labels_;
  std::optional<Hover> hover_;
};

}  // namespace seedwave::ui
