// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/outline.h"
#include "ui/actions/actions.h"
#include "ui/models/background_task.h"
#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"
#include "ui/panels/region_panel.h"

#include <QObject>
#include <QString>

#include <cstddef>
#include <vector>

namespace seedwave::ui {

class SlideParts;
class ViewGrid;

/// The actions on regions: drawn by hand, kept of a result, removed, worked on.
class RegionCommands : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this.
  RegionCommands(Actions& actions, Workbench& workbench, const RunController& runs, ViewGrid& views,
                 SlideParts& parts, QObject* parent = nullptr);

  /// Follows the selection of the list.
  void follow(RegionPanel& panel);

 signals:
  /// A region was drawn: its row.
  void drawn(std::size_t row);
  /// Says what was done, or why nothing was.
  void said(const QString& text);

 private:
  void offer();
  void add_outlined(Label label, const Outline& outline);
  /// Returns whether a part of the bounds lies on the image or its slide.
  [[nodiscard]] bool meets_image(const RegionBounds& bounds) const;
  void keep_result();
  void remove_chosen();
  /// Gives the chosen regions the current label as their class.
  void classify_chosen();
  void fill_chosen();
  void clear_outside_chosen();
  [[nodiscard]] Regions chosen() const;
  void work_on_chosen();

  Actions& actions_;
  Workbench& workbench_;
  const RunController& runs_;
  ViewGrid& views_;
  SlideParts& parts_;
  std::vector<std::size_t> chosen_;
  BackgroundTask task_;
};

}  // namespace seedwave::ui
