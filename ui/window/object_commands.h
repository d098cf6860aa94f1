// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/actions/actions.h"
#include "ui/models/background_task.h"
#include "ui/models/object_model.h"
#include "ui/panels/object_panel.h"
#include "ui/window/file_commands.h"
#include "ui/window/view_grid.h"

#include <QObject>

#include <vector>

namespace seedwave::ui {

/// Links the table of objects with the picture: a row chosen there is shown here, and a click here
/// chooses its row.
class ObjectCommands : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this.
  ObjectCommands(Actions& actions, ObjectModel& model, ObjectPanel& panel, ViewGrid& views,
                 FileCommands& files, QObject* parent = nullptr);

 private:
  void pick(const Vec3& world, ObjectPanel& panel);
  void outline(const std::vector<int>& rows);
  void go_to(int row);
  void fill_view_with(int row);

  ObjectModel& model_;
  ViewGrid& views_;
  /// Large objects take time to look at.
  BackgroundTask picking_;
  BackgroundTask outlining_;
  BackgroundTask going_;
};

}  // namespace seedwave::ui
