// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation_table.h"
#include "ui/actions/actions.h"
#include "ui/models/file_opener.h"
#include "ui/models/file_saver.h"
#include "ui/models/label_model.h"
#include "ui/models/run_controller.h"
#include "ui/models/run_model.h"
#include "ui/models/stroke_model.h"
#include "ui/models/workbench.h"

#include <QMainWindow>

#include <memory>

namespace seedwave::ui {

class FileCommands;
class StatusLine;
class ViewGrid;
class WindowCommands;

/// The window: views in the middle, panels around them, one table of actions.
///
/// It puts the parts together and knows the title, the docks and the closing; what actions do
/// stands in WindowCommands and FileCommands.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  /// `table` must outlive the window. `autosave` may be null: nothing is then kept.
  MainWindow(const OperationTable& table, std::shared_ptr<Autosave> autosave);
  ~MainWindow() override;

  [[nodiscard]] Workbench& workbench() noexcept { return workbench_; }
  [[nodiscard]] RunController& runs() noexcept { return runs_; }
  [[nodiscard]] FileOpener& opener() noexcept { return opener_; }
  [[nodiscard]] FileSaver& saver() noexcept { return saver_; }
  [[nodiscard]] ViewGrid& views() noexcept { return *views_; }
  [[nodiscard]] Actions& actions() noexcept { return actions_; }
  [[nodiscard]] FileCommands& files() noexcept { return *files_; }
  [[nodiscard]] StatusLine& status_line() noexcept { return *status_; }
  [[nodiscard]] LabelModel& labels() noexcept { return labels_; }

 protected:
  void closeEvent(QCloseEvent* event) override;
  void changeEvent(QEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void build_tool_bar();
  void build_docks();
  QDockWidget* add_dock(const QString& title, const char* name, QWidget* content,
                        Qt::DockWidgetArea area);
  void connect_status();
  void show_run();
  void update_title();

  Actions actions_;
  Workbench workbench_;
  RunController runs_;
  FileOpener opener_;
  FileSaver saver_;
  LabelModel labels_;
  StrokeModel strokes_;
  RunModel run_model_;
  ViewGrid* views_ = nullptr;
  StatusLine* status_ = nullptr;
  FileCommands* files_ = nullptr;
  WindowCommands* commands_ = nullptr;
};

}  // namespace seedwave::ui
