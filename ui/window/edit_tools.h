// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/actions/actions.h"
#include "ui/models/editor.h"
#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"

#include <QObject>
#include <QString>

namespace seedwave::ui {

class EditBar;
class ViewGrid;

/// The tools that edit by hand: passes what was drawn in a view to the editor, and shows the range,
/// the margin and the lock of the current label in their bar.
class EditTools : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this. `bar`: hidden until an edit tool is chosen for an image.
  EditTools(Actions& actions, Workbench& workbench, const RunController& runs, ViewGrid& views,
            EditBar& bar, QObject* parent = nullptr);

 signals:
  /// Why an edit came to nothing.
  void said(const QString& text);

 private:
  void connect_range();
  void choose_range();
  void begin_with_image();
  void show_bar();
  void show_lock();

  Actions& actions_;
  Workbench& workbench_;
  ViewGrid& views_;
  EditBar& bar_;
  Editor editor_;
};

}  // namespace seedwave::ui
