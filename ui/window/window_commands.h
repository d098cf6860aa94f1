// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/actions/actions.h"
#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"
#include "ui/views/surface_state.h"
#include "ui/window/shown_channels.h"

#include <QObject>

namespace seedwave::ui {

class LabelModel;
class ShownComparison;
class ViewGrid;
class ViewSettings;

/// The actions of the view, display, tool, label and run menus.
class WindowCommands : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this.
  WindowCommands(Actions& actions, Workbench& workbench, RunController& runs, ViewGrid& views,
                 LabelModel& labels, ShownChannels& channels, QObject* parent = nullptr);

 protected:
  /// Holding H hides the overlays, and holding K shows the other of two runs, unless a text field
  /// has the focus.
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void connect_views();
  void connect_display();
  void connect_comparison();
  void connect_tools();
  void connect_labels();
  void connect_runs();
  void add_number_keys();
  void number_pressed(int number);
  void choose_window_preset(int key);
  void show_volume(VolumeRendering rendering);
  void offer_volume();
  void offer_solid();
  void step_label(int step);
  void step_opacity(double step);
  void show_state();
  void show_comparison();

  Actions& actions_;
  Workbench& workbench_;
  RunController& runs_;
  ViewGrid& views_;
  ViewSettings& settings_;
  ShownComparison& comparison_;
  LabelModel& labels_;
  ShownChannels& channels_;
};

}  // namespace seedwave::ui
