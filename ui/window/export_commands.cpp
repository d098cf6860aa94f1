// SPDX-License-Identifier: Apache-2.0
#include "ui/window/export_commands.h"

#include "core/base/error.h"
#include "core/image/label_counts.h"
#include "ui/models/displayed_recipe.h"
#include "ui/models/label_size.h"
#include "ui/panels/picture_dialog.h"
#include "ui/window/view_grid.h"
#include "ui/window/view_settings.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QSettings>

#include <algorithm>
#include <utility>

namespace seedwave::ui {

namespace {

constexpr std::size_t kMostSurfaceRows = 2000;

PictureChoice last_choice() {
  const QSettings settings;
  PictureChoice choice;
  if (settings.value(QStringLiteral("picture/active")).toBool())
    choice.views = PictureViews::Active;
  choice.scale = std::clamp(settings.value(QStringLiteral("picture/scale"), 1).toInt(), 1, 4);
  choice.annotations = settings.value(QStringLiteral("picture/annotations"), true).toBool();
  choice.crosshair = settings.value(QStringLiteral("picture/crosshair"), true).toBool();
  return choice;
}

void remember(const PictureChoice& choice, bool has_crosshair) {
  QSettings settings;
  settings.setValue(QStringLiteral("picture/active"), choice.views == PictureViews::Active);
  settings.setValue(QStringLiteral("picture/scale"), choice.scale);
  settings.setValue(QStringLiteral("picture/annotations"), choice.annotations);
  if (has_crosshair) settings.setValue(QStringLiteral("picture/crosshair"), choice.crosshair);
}

}  // namespace

ExportCommands::ExportCommands(Actions& actions, Workbench& workbench, const RunController& runs,
                               ViewGrid& views, FileCommands& files, QWidget* window)
    : QObject(window),
      workbench_(workbench),
      runs_(runs),
      views_(views),
      files_(files),
      window_(window) {
  actions.on("export_surfaces", [this] { export_surfaces(); });
  actions.on("save_picture", [this] { save_picture(); });
  actions.on("copy_picture", [this] { copy_picture(); });
  actions.on("save_recipe", [this] { save_recipe(); });
  const auto enable = [this, &actions] {
    const bool has_image = workbench_.has_image();
    const bool is_solid = has_image && !workbench_.image().geometry().is_2d();
    actions.at("export_surfaces")
        ->setEnabled(is_solid && !runs_.displayed().result().labels.empty());
    actions.at("save_recipe")->setEnabled(runs_.displayed().run() != nullptr);
    for (const char* id : {"save_picture", "copy_picture"})
      actions.at(id)->setEnabled(has_image);
  };
  connect(&workbench_, &Workbench::image_changed, this, enable);
  connect(&runs_.displayed(), &DisplayedResult::changed, this, enable);
  enable();
}

void ExportCommands::export_surfaces() {
  SurfaceDialog dialog(surface_rows(), window_);
  if (dialog.exec() == QDialog::Accepted) files_.export_surfaces(dialog.suffix(), dialog.choice());
}

std::vector<SurfaceRow> ExportCommands::surface_rows() const {
  // A run has counted them already, except where labels are not its main output.
  const Run* run = runs_.displayed().run();
  const bool counted = run != nullptr && !run->facts.voxels.empty();
  const LabelCounts counts =
      counted ? run->facts.voxels : count_labels(runs_.displayed().result().labels);
  // Nobody chooses among so many objects one by one.
  if (counts.size() > kMostSurfaceRows)
    return {{.label = 0, .text = tr("All %n label(s)", nullptr, static_cast<int>(counts.size()))}};
  const std::vector<Label> in_3d = views_.shown_in_3d(counts);
  std::vector<SurfaceRow> rows;
  for (const auto& [label, voxels] : counts) {
    rows.push_back({.label = label,
                    .text = tr("%1: %2 (%3)")
                                .arg(label)
                                .arg(runs_.displayed().label_text(label),
                                     size_text(workbench_.image().geometry(), voxels)),
                    .color = views_.color_of_result(label),
                    .is_shown = std::binary_search(in_3d.begin(), in_3d.end(), label)});
  }
  return rows;
}

void ExportCommands::save_picture() {
  const bool has_crosshair = views_.settings().display().show_crosshair;
  auto* dialog =
      new PictureDialog([this](const PictureChoice& choice) { return views_.picture(choice); },
                        last_choice(), has_crosshair, window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &PictureDialog::save_wanted, this,
          [this, dialog, has_crosshair](const QImage& picture) {
            remember(dialog->choice(), has_crosshair);
            files_.export_picture(picture);
          });
  connect(dialog, &PictureDialog::copy_wanted, this,
          [this, dialog, has_crosshair](const QImage& picture) {
            remember(dialog->choice(), has_crosshair);
            put_on_clipboard(picture);
          });
  dialog->open();
}

void ExportCommands::copy_picture() {
  put_on_clipboard(views_.picture(last_choice()));
}

void ExportCommands::save_recipe() {
  const Run* run = runs_.displayed().run();
  if (run == nullptr) return;
  try {
    files_.export_recipe(text_of(displayed_recipe(runs_, workbench_)));
    if (!run->recipe.edits.empty())
      emit said(tr("Edits by hand belong to this image and are not part of the recipe"));
  } catch (const InputError& error) {
    emit said(QString::fromUtf8(error.what()));
  }
}

void ExportCommands::put_on_clipboard(const QImage& picture) {
  if (picture.isNull()) {
    emit said(tr("The picture is too large for the graphics card: nothing was copied"));
    return;
  }
  QGuiApplication::clipboard()->setImage(picture);
  emit said(tr("Copied a picture of %1 x %2 pixels").arg(picture.width()).arg(picture.height()));
}

}  // namespace seedwave::ui
