// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/stain_source.h"
#include "ui/actions/actions.h"
#include "ui/models/background_task.h"
#include "ui/models/workbench.h"

#include <QObject>
#include <QPointer>
#include <QString>

#include <array>
#include <variant>
#include <vector>

class QWidget;

namespace seedwave::ui {

class ShownChannels;
class StainsDialog;

/// The user's own stains: found in regions, under strokes or in the whole picture, they become
/// channels of the document.
class StainCommands : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this.
  StainCommands(Actions& actions, Workbench& workbench, ShownChannels& channels, QWidget* window);

 signals:
  /// A temporary message for the status bar.
  void said(const QString& text);

 private:
  /// A source of a stain, or a known one.
  struct Source {
    QString title;
    std::variant<Vec3, StainSource> of;
  };
  void open_dialog();
  void fill_sources();
  void find_stain(int stain, int source);
  void use();

  Workbench& workbench_;
  ShownChannels& channels_;
  QWidget* window_;
  QAction* action_;
  /// In the order of the dialog.
  std::vector<Source> sources_;
  QPointer<StainsDialog> dialog_;
  std::array<BackgroundTask, 2> finding_;  // by stain; last, as they end before the others
};

}  // namespace seedwave::ui
