// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation_table.h"
#include "ui/actions/actions.h"
#include "ui/models/comparison.h"
#include "ui/models/file_opener.h"
#include "ui/models/file_saver.h"
#include "ui/models/label_model.h"
#include "ui/models/object_model.h"
#include "ui/models/plot_model.h"
#include "ui/models/pointer_curve.h"
#include "ui/models/region_model.h"
#include "ui/models/run_controller.h"
#include "ui/models/run_model.h"
#include "ui/models/stroke_model.h"
#include "ui/models/sweep_controller.h"
#include "ui/models/unsaved.h"
#include "ui/models/workbench.h"

#include <QMainWindow>

#include <memory>
#include <optional>

class QToolBar;
class QVBoxLayout;

namespace seedwave::ui {

class CaseCommands;
class ComparePanel;
class FileCommands;
class HintCard;
class MapBar;
class PaintBar;
class PlotPanel;
class StatusLine;
class RunPanel;
class RegionCommands;
class ShownChannels;
class SlideParts;
class StudyPanel;
class SweepDialog;
class ViewGrid;
class WindowMenus;

/// The main window: views in the middle, panels around them, one table of actions.
///
/// It assembles the parts and handles the title, the docks and closing. WindowCommands, WindowMenus
/// and FileCommands implement the actions.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  /// `table` must outlive the window. `autosave` may be null: then nothing is saved automatically.
  MainWindow(const OperationTable& table, std::shared_ptr<Autosave> autosave);
  ~MainWindow() override;

  [[nodiscard]] Workbench& workbench() noexcept { return workbench_; }
  [[nodiscard]] RunController& runs() noexcept { return runs_; }
  [[nodiscard]] FileOpener& opener() noexcept { return opener_; }
  [[nodiscard]] FileSaver& saver() noexcept { return saver_; }
  [[nodiscard]] ViewGrid& views() noexcept { return *views_; }
  [[nodiscard]] Actions& actions() noexcept { return actions_; }
  [[nodiscard]] FileCommands& files() noexcept { return *files_; }
  [[nodiscard]] SweepController& sweep() noexcept { return sweep_; }
  [[nodiscard]] LabelModel& labels() noexcept { return labels_; }

  /// Shows three steps for first-time users, unless they were closed for ever.
  void show_hint();
  /// Saves the work automatically after an exception on the window's thread, and informs the user,
  /// who can continue.
  void rescue(const QString& what);
  /// Restores docks and window as the user left them, and stores them again on closing. `size`: the
  /// window gets this size, is not maximised, and only the docks are restored.
  void restore_arrangement(const std::optional<QSize>& size = std::nullopt);

 protected:
  void showEvent(QShowEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void changeEvent(QEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void build_centre();
  void build_tool_bars();
  /// Adds the tools that draw regions, for 2-D images.
  void add_region_button(QToolBar& bar);
  void build_docks();
  /// Adds the panel of cases beside `other`; it is there only while a list is open.
  void add_case_dock(QDockWidget& other);
  void connect_paint_bar();
  void connect_map_bar();
  void connect_status();
  void connect_comparison();
  void connect_plot();
  void connect_command();
  void arrange_docks();
  QDockWidget* add_dock(const QString& title, const char* name, QWidget* content,
                        Qt::DockWidgetArea area);
  void show_run();
  SweepDialog& show_sweep();
  void say(const QString& text);
  void update_title();

  Actions actions_;
  Workbench workbench_;
  RunController runs_;
  FileOpener opener_;
  FileSaver saver_;
  Unsaved unsaved_;
  LabelModel labels_;
  StrokeModel strokes_;
  RegionModel region_model_;
  ObjectModel object_model_;
  RunModel run_model_;
  Comparison comparison_;
  PlotModel plot_model_;
  PointerCurve pointer_curve_;
  SweepController sweep_;
  QVBoxLayout* centre_ = nullptr;
  ViewGrid* views_ = nullptr;
  WindowMenus* menus_ = nullptr;
  StatusLine* status_ = nullptr;
  FileCommands* files_ = nullptr;
  CaseCommands* cases_ = nullptr;
  PaintBar* paint_bar_ = nullptr;
  MapBar* map_bar_ = nullptr;
  StudyPanel* study_ = nullptr;
  RegionCommands* regions_ = nullptr;
  ShownChannels* channels_ = nullptr;
  SlideParts* parts_ = nullptr;
  RunPanel* run_panel_ = nullptr;
  ComparePanel* compare_ = nullptr;
  QDockWidget* compare_dock_ = nullptr;
  PlotPanel* plot_ = nullptr;
  QDockWidget* plot_dock_ = nullptr;
  SweepDialog* sweep_dialog_ = nullptr;
  HintCard* hint_ = nullptr;
  bool keeps_arrangement_ = false;
  /// The docks have the widths chosen by the user, or those of the first start.
  bool is_arranged_ = false;
  bool may_close_ = false;
  /// The message of rescue() is on screen.
  bool is_rescued_ = false;
};

}  // namespace seedwave::ui
