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

/// The user's own stains and their background: found in regions, under strokes or in the whole
/// picture, they become channels of the document.
class StainCommands : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this.
  StainCommands(Actions& actions, Workbench& workbench, ShownChannels& channels, QWidget* window);

 signals:
  /// A temporary message for the status bar.
  void said(const QString& text);

 private:
  /// A source of a stain or the background, a known stain, or a known background.
  struct Source {
    QString title;
    std::variant<StainSource, Vec3, Rgb> of;
  };
  void open_dialog();
  void fill_sources();
  void add_sources_of_document(std::vector<Source>& sources) const;
  void find(int row, int source);
  void find_stain(int stain, StainSource source);
  void find_background(const StainSource& source);
  void find_stains_again();
  void use();

  Workbench& workbench_;
  ShownChannels& channels_;
  QWidget* window_;
  QAction* action_;
  /// By row of the dialog, in its order.
  std::array<std::vector<Source>, 3> sources_;
  QPointer<StainsDialog> dialog_;
  std::array<BackgroundTask, 3> finding_;  // by row; last, as they end before the others
};

}  // namespace seedwave::ui
