// SPDX-License-Identifier: Apache-2.0
#include "ui/window/stain_commands.h"

#include "core/image/stains.h"
#include "ui/models/region_model.h"
#include "ui/panels/stains_dialog.h"
#include "ui/window/shown_channels.h"

#include <QAction>
#include <QWidget>

#include <algorithm>
#include <set>
#include <utility>

namespace seedwave::ui {

StainCommands::StainCommands(Actions& actions, Workbench& workbench, ShownChannels& channels,
                             QWidget* window)
    : QObject(window),
      workbench_(workbench),
      channels_(channels),
      window_(window),
      action_(actions.at("own_stains")) {
  actions.on("own_stains", [this] { open_dialog(); });
  const auto follow = [this] {
    action_->setEnabled(workbench_.has_image() && workbench_.image().components() == 3 &&
                        workbench_.image().type() == VoxelType::U8);
    if (dialog_ != nullptr) dialog_->reject();
  };
  connect(&workbench_, &Workbench::image_changed, this, follow);
  connect(&workbench_, &Workbench::part_changed, this, [this](Part part) {
    const bool is_source = part == Part::Regions || part == Part::Seeds || part == Part::Labels;
    if (is_source && dialog_ != nullptr) fill_sources();
  });
  for (int row = 0; row <= StainsDialog::kBackground; ++row) {
    connect(&finding_.at(static_cast<std::size_t>(row)), &BackgroundTask::failed, this,
            [this, row](const QString& message) {
              if (dialog_ != nullptr) dialog_->tell_failed(row, message);
            });
  }
  follow();
}

void StainCommands::open_dialog() {
  if (dialog_ != nullptr) {
    dialog_->raise();
    dialog_->activateWindow();
    return;
  }
  dialog_ = new StainsDialog(window_);
  dialog_->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog_, &StainsDialog::source_chosen, this, &StainCommands::find);
  connect(dialog_, &StainsDialog::background_changed, this, &StainCommands::find_stains_again);
  connect(dialog_, &StainsDialog::show_wanted, &channels_, &ShownChannels::show_channel);
  connect(dialog_, &QDialog::accepted, this, &StainCommands::use);
  connect(dialog_, &QDialog::rejected, &channels_, [this] { channels_.show_channel({}); });
  fill_sources();
  dialog_->show();
  dialog_->choose(StainsDialog::kBackground, 0);  // before the stains, which depend on it
  for (int stain = 0; stain < StainsDialog::kBackground; ++stain)
    dialog_->choose(stain, 0);
}

void StainCommands::fill_sources() {
  std::vector<Source> of_stain{{tr("The whole picture"), WholePicture{}}};
  std::vector<Source> of_background{{tr("White"), kWhiteBackground},
                                    {tr("The whole picture"), WholePicture{}}};
  add_sources_of_document(of_stain);
  add_sources_of_document(of_background);
  of_stain.push_back({tr("Haematoxylin (QuPath)"), kHematoxylin});
  of_stain.push_back({tr("Eosin (QuPath)"), kEosin});
  of_stain.push_back({tr("DAB (QuPath)"), kDab});
  sources_ = {of_stain, of_stain, of_background};
  for (int row = 0; row <= StainsDialog::kBackground; ++row) {
    QStringList titles;
    for (const Source& source : sources_.at(static_cast<std::size_t>(row)))
      titles << source.title;
    dialog_->offer(row, titles);
  }
}

void StainCommands::add_sources_of_document(std::vector<Source>& sources) const {
  int number = 0;
  for (const auto& region : workbench_.document().regions) {
    if (region->is_object) continue;
    sources.push_back({tr("Region %1: %2").arg(++number).arg(region_title(workbench_, *region)),
                       Regions{region}});
  }
  const SeedSet& strokes = workbench_.document().seeds;
  std::set<Label> painted;
  for (const Stroke& stroke : strokes.strokes)
    painted.insert(stroke.label);
  painted.erase(0);
  for (const Label label : painted) {
    sources.push_back(
        {tr("Strokes of %1").arg(workbench_.label_name(label)), StainedStrokes{strokes, label}});
  }
}

void StainCommands::find(int row, int source) {
  const auto at = static_cast<std::size_t>(row);
  finding_.at(at).cancel();
  if (source < 0) return;
  const auto of = sources_.at(at).at(static_cast<std::size_t>(source)).of;
  if (const auto* known = std::get_if<Vec3>(&of)) {
    dialog_->set_stain(row, unit_of(*known));
  } else if (const auto* colour = std::get_if<Rgb>(&of)) {
    dialog_->set_background(*colour);
  } else if (row == StainsDialog::kBackground) {
    find_background(std::get<StainSource>(of));
  } else {
    find_stain(row, std::get<StainSource>(of));
  }
}

void StainCommands::find_stain(int stain, StainSource source) {
  const auto background = dialog_->background();
  if (!background) return;  // the stain is found when it is known
  if (auto* picture = std::get_if<WholePicture>(&source)) picture->stain = stain;
  finding_.at(static_cast<std::size_t>(stain))
      .start([this, stain, source = std::move(source), background = *background,
              image = workbench_.image()](Context& context) -> BackgroundTask::Delivery {
        const Vec3 found = stain_from(image, source, background, context);
        return [this, stain, found] {
          if (dialog_ != nullptr) dialog_->set_stain(stain, found);
        };
      });
}

void StainCommands::find_background(const StainSource& source) {
  finding_.back().start(
      [this, source, image = workbench_.image()](Context& context) -> BackgroundTask::Delivery {
        const Rgb found = background_from(image, source, context);
        return [this, source, found] {
          if (dialog_ == nullptr) return;
          dialog_->set_background(found);
          if (!std::holds_alternative<WholePicture>(source)) return;
          QString warning = QString::fromStdString(background_warning(found));
          if (warning.isEmpty()) return;
          warning[0] = warning[0].toUpper();
          dialog_->say(warning + QLatin1Char('.'));
        };
      });
}

void StainCommands::find_stains_again() {
  for (int stain = 0; stain < StainsDialog::kBackground; ++stain)
    find(stain, dialog_->source_of(stain));
}

void StainCommands::use() {
  const auto channels = dialog_->channels();
  if (!channels) return;
  const std::size_t first = seedwave::channels().size() + 1;
  workbench_.steps().set_own_channels({channels->begin(), channels->end()});
  emit said(tr("The stains are channels now: Alt+%1 and Alt+%2, and in the list of channels")
                .arg(first)
                .arg(first + 1));
}

}  // namespace seedwave::ui
