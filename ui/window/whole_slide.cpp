// SPDX-License-Identifier: Apache-2.0
#include "ui/window/whole_slide.h"

#include "core/image/label_color.h"
#include "core/image/length_scale.h"
#include "ui/models/path_text.h"
#include "ui/panels/whole_slide_dialog.h"
#include "ui/views/whole_picture.h"

#include <QAction>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace seedwave::ui {
namespace {

/// Largest size of the slide in the dialog.
constexpr int kMapWidth = 640;
constexpr int kMapHeight = 400;

/// Returns "25,000 x 25,000, 0.25 µm (40x)".
QString level_text(const io::SlideInfo& info, int level) {
  const io::SlideLevel& of = info.levels[static_cast<std::size_t>(level)];
  const QString size = WholeSlide::tr("%L1 × %L2").arg(of.width).arg(of.height);
  const auto micrometres = micrometres_per_pixel(info.grid(level));
  if (!micrometres) return size;
  return WholeSlide::tr("%1, %2 µm per pixel (%3×)")
      .arg(size)
      .arg(*micrometres, 0, 'g', 3)
      .arg(kMicrometresAtOne / *micrometres, 0, 'g', 3);
}

}  // namespace

WholeSlide::WholeSlide(Actions& actions, Workbench& workbench, const RunController& runs,
                       FileOpener& opener, const ViewSettings& view_settings, QWidget* window)
    : QObject(window),
      actions_(actions),
      workbench_(workbench),
      runs_(runs),
      opener_(opener),
      view_settings_(view_settings),
      window_(window) {
  connect(&workbench_, &Workbench::image_changed, this, &WholeSlide::offer);
  connect(&runs_.displayed(), &DisplayedResult::changed, this, &WholeSlide::offer);
  connect(&run_, &WholeSlideRun::ended, this, &WholeSlide::offer);
  actions_.on("whole_slide", [this] { open_dialog(); });
  offer();
}

void WholeSlide::offer() {
  const bool has_slide = workbench_.opened().loaded.slide != nullptr;
  actions_.at("whole_slide")
      ->setEnabled(run_.busy() || (has_slide && runs_.displayed().run() != nullptr));
}

void WholeSlide::open_dialog() {
  if (dialog_ != nullptr && run_.busy()) {
    dialog_->show();
    dialog_->raise();
    return;
  }
  const Run* run = runs_.displayed().run();
  if (run == nullptr || workbench_.opened().loaded.slide == nullptr) return;
  delete dialog_;
  const io::SlideInfo& info = workbench_.opened().loaded.slide->info();
  const Operation& operation = runs_.next().table().at(run->recipe.operation);
  const bool gives_labels = !runs_.displayed().result().labels.empty();
  const QString pyramid = tr("OME-TIFF pyramid (*.ome.tif)");
  QStringList levels;
  for (int level = 0; level < static_cast<int>(info.levels.size()); ++level)
    levels << level_text(info, level);
  const QFileInfo slide(to_text(workbench_.document().image.path));
  QString name = slide.completeBaseName();
  if (name.endsWith(QStringLiteral(".ome"))) name.chop(4);
  dialog_ = new WholeSlideDialog(
      {.what = tr("Run %1: %2").arg(run->id).arg(QString::fromStdString(operation.title)),
       .levels = levels,
       .output = slide.absolutePath() + QLatin1Char('/') + name + QLatin1Char('-') +
                 QString::fromStdString(operation.id) +
                 (gives_labels ? QStringLiteral(".geojson") : QStringLiteral(".ome.tif")),
       .filter =
           gives_labels ? tr("Regions (*.geojson)") + QStringLiteral(";;") + pyramid : pyramid,
       .slide = gives_labels ? picture_of_slide() : QImage(),
       .color_of =
           [this](Label label) {
             const QString color = workbench_.label_color(label);
             if (!color.isEmpty()) return QColor(color);
             const Rgb rgb = label_color(label);
             return QColor(rgb[0], rgb[1], rgb[2]);
           }},
      run_, window_);
  // The run as it is now: the displayed one may change meanwhile.
  connect(dialog_, &WholeSlideDialog::wanted, this,
          [this, of = *run, image = workbench_.document().image](int level, const QString& output) {
            start(of, image, level, output);
          });
  connect(dialog_, &WholeSlideDialog::show_wanted, &opener_, &FileOpener::import_regions);
  dialog_->show();
}

QImage WholeSlide::picture_of_slide() const {
  const PreparedImage& opened = workbench_.opened();
  const bool is_part = !opened.surroundings.empty();
  const PictureVolumes slide{.image = is_part ? opened.surroundings : opened.loaded.volume,
                             .levels = is_part ? std::vector<Volume>() : opened.levels,
                             .surroundings = {},
                             .detail = {}};
  const Geometry& grid = slide.image.geometry();
  const QSizeF extent(static_cast<double>(grid.size[0]) * grid.spacing[0],
                      static_cast<double>(grid.size[1]) * grid.spacing[1]);
  const double ratio = window_->devicePixelRatioF();
  const QSizeF most(kMapWidth * ratio, kMapHeight * ratio);
  // Only the pixels: a result lies on the slide as it is stored, and has channels of its own.
  DisplayState display = view_settings_.display();
  display.turn = {};
  display.tints.clear();
  return whole_picture(slide, {}, display, extent.scaled(most, Qt::KeepAspectRatio).toSize(),
                       ratio);
}

void WholeSlide::start(const Run& run, const Source& image, int level, const QString& output) {
  Source whole = image;
  whole.view = {.level = level};
  run_.start({.table = runs_.next().table(),
              .step = run,
              .image = std::move(whole),
              .grid = workbench_.image().geometry(),
              .names = workbench_.label_names(),
              .output = output});
}

}  // namespace seedwave::ui
