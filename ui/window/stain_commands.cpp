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
  for (BackgroundTask& task : finding_) {
    connect(&task, &BackgroundTask::failed, this, [this](const QString& message) {
      if (dialog_ != nullptr) dialog_->say(message);
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
  connect(dialog_, &StainsDialog::source_chosen, this, &StainCommands::find_stain);
  connect(dialog_, &StainsDialog::show_wanted, &channels_, &ShownChannels::show_channel);
  connect(dialog_, &QDialog::accepted, this, &StainCommands::use);
  connect(dialog_, &QDialog::rejected, &channels_, [this] { channels_.show_channel({}); });
  fill_sources();
  dialog_->show();
  for (int stain = 0; stain < 2; ++stain)
    dialog_->choose(stain, 0);
}

void StainCommands::fill_sources() {
  sources_.clear();
  sources_.push_back({tr("The whole picture"), WholePicture{}});
  int number = 0;
  for (const auto& region : workbench_.document().regions) {
    if (region->is_object) continue;
    sources_.push_back({tr("Region %1: %2").arg(++number).arg(region_title(workbench_, *region)),
                        Regions{region}});
  }
  const SeedSet& strokes = workbench_.document().seeds;
  std::set<Label> painted;
  for (const Stroke& stroke : strokes.strokes)
    painted.insert(stroke.label);
  painted.erase(0);
  for (const Label label : painted) {
    sources_.push_back(
        {tr("Strokes of %1").arg(workbench_.label_name(label)), StainedStrokes{strokes, label}});
  }
  sources_.push_back({tr("Haematoxylin (QuPath)"), kHematoxylin});
  sources_.push_back({tr("Eosin (QuPath)"), kEosin});
  sources_.push_back({tr("DAB (QuPath)"), kDab});
  QStringList titles;
  for (const Source& source : sources_)
    titles << source.title;
  dialog_->offer(titles);
}

void StainCommands::find_stain(int stain, int source) {
  BackgroundTask& task = finding_.at(static_cast<std::size_t>(stain));
  task.cancel();
  if (source < 0) return;
  const auto of = sources_.at(static_cast<std::size_t>(source)).of;
  if (const auto* known = std::get_if<Vec3>(&of)) {
    dialog_->set_stain(stain, unit_of(*known));
    return;
  }
  StainSource from = std::get<StainSource>(of);
  if (auto* picture = std::get_if<WholePicture>(&from)) picture->stain = stain;
  task.start([this, stain, from = std::move(from),
              image = workbench_.image()](Context& context) -> BackgroundTask::Delivery {
    const Vec3 found = stain_from(image, from, context);
    return [this, stain, found] {
      if (dialog_ != nullptr) dialog_->set_stain(stain, found);
    };
  });
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
