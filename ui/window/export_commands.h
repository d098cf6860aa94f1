// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/actions/actions.h"
#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"
#include "ui/panels/surface_dialog.h"
#include "ui/window/file_commands.h"

#include <QObject>

#include <vector>

class QWidget;

namespace seedwave::ui {

class ViewGrid;

/// The actions by which what is on screen leaves the program: surfaces of labels, pictures, and the
/// recipe of the displayed run.
class ExportCommands : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this.
  ExportCommands(Actions& actions, Workbench& workbench, const RunController& runs, ViewGrid& views,
                 FileCommands& files, QWidget* window);

 signals:
  /// A temporary message for the status bar.
  void said(const QString& text);

 private:
  void export_surfaces();
  [[nodiscard]] std::vector<SurfaceRow> surface_rows() const;
  void save_picture();
  void copy_picture();
  void save_recipe();
  void put_on_clipboard(const QImage& picture);

  Workbench& workbench_;
  const RunController& runs_;
  ViewGrid& views_;
  FileCommands& files_;
  QWidget* window_;
};

}  // namespace seedwave::ui
