// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "ui/actions/actions.h"
#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"
#include "ui/panels/memory_dialog.h"
#include "ui/tools/bindings.h"

#include <QObject>

#include <vector>

class QAction;
class QMenu;
class QPoint;
class QWidget;

namespace seedwave::ui {

class ShownChannels;
class ViewGrid;

/// Menus that are not in the table of actions, for example window presets, mouse bindings and
/// panels. Also the context menu of the views and the dialogs of the help menu.
class WindowMenus : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this.
  WindowMenus(Actions& actions, Workbench& workbench, const RunController& runs, ViewGrid& views,
              ShownChannels& channels, QWidget* window);

  /// Returns the menu of the actions that show and hide panels.
  [[nodiscard]] QMenu& panels() { return *panels_; }

  /// Shows the menu of a label in the list of labels.
  void show_label_menu(Label label, const QPoint& global);
  /// Shows the menu of a label that only the result has.
  void show_merge_menu(Label label, const QPoint& global);

 private:
  void add_window_presets();
  void add_magnifications();
  void fill_window_presets();
  void add_mouse_habits();
  void choose_mouse(BindingPreset preset);
  void add_label_palettes();
  void edit_keys();
  void add_appearance();
  void add_operations();
  void add_panels();
  void show_context_menu(const QPoint& global);
  void add_merging(QMenu& menu, Label label);
  void show_keys();
  void show_palette();
  [[nodiscard]] MemoryUse memory_use() const;
  void show_memory_use();
  void offer_slide_pictures();
  void show_slide_pictures();

  Actions& actions_;
  Workbench& workbench_;
  const RunController& runs_;
  ViewGrid& views_;
  ShownChannels& channels_;
  QWidget* window_;
  QMenu* presets_ = nullptr;
  /// For slides only.
  QMenu* magnifications_ = nullptr;
  /// The actions of Tool > Mouse bindings, in the order of kBindingPresets.
  std::vector<QAction*> mouse_habits_;
  /// One action for each operation: not in a menu, but in the command palette.
  std::vector<QAction*> operations_;
  QMenu* panels_ = nullptr;
  /// Submenus whose actions are also in the command palette.
  std::vector<QMenu*> submenus_;
};

}  // namespace seedwave::ui
