// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/actions/actions.h"
#include "ui/models/file_opener.h"
#include "ui/models/run_controller.h"
#include "ui/models/whole_slide_run.h"
#include "ui/models/workbench.h"
#include "ui/window/view_settings.h"

#include <QImage>
#include <QObject>
#include <QPointer>

class QWidget;

namespace seedwave::ui {

class WholeSlideDialog;

/// Repeats the displayed run on the whole slide, at any of its levels, in the background.
class WholeSlide : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this.
  WholeSlide(Actions& actions, Workbench& workbench, const RunController& runs, FileOpener& opener,
             const ViewSettings& view_settings, QWidget* window);

 private:
  void offer();
  void open_dialog();
  [[nodiscard]] QImage picture_of_slide() const;
  void start(const Run& run, const Source& image, int level, const QString& output);

  Actions& actions_;
  Workbench& workbench_;
  const RunController& runs_;
  FileOpener& opener_;
  const ViewSettings& view_settings_;
  QWidget* window_;
  WholeSlideRun run_;
  QPointer<WholeSlideDialog> dialog_;
};

}  // namespace seedwave::ui
