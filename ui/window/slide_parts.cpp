// SPDX-License-Identifier: Apache-2.0
#include "ui/window/slide_parts.h"

#include "core/io/slides/slide_item.h"
#include "ui/window/view_grid.h"

#include <QAction>
#include <QMessageBox>

#include <algorithm>
#include <cmath>

namespace seedwave::ui {

io::SlideView part_in_view(const io::SlideInfo& info, int shown, const SeenOfLevel& seen) {
  const auto spans = info.downsample(shown);
  const io::SlideLevel& finest = info.levels.front();
  const std::array<std::int64_t, 2> size{finest.width, finest.height};
  Box region{{0, 0, 0}, {0, 0, 1}};
  double pixels = 1.0;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const auto on_finest = [&](std::int64_t at) {
      return std::clamp<std::int64_t>(std::llround(static_cast<double>(at) * spans[axis]), 0,
                                      size[axis]);
    };
    region.lo[axis] = on_finest(seen.box.lo[axis]);
    region.hi[axis] = on_finest(seen.box.hi[axis]);
    pixels *= static_cast<double>(region.hi[axis] - region.lo[axis]);
  }
  const auto pixels_at = [&](int level) {
    const auto factors = info.downsample(level);
    return pixels / (factors[0] * factors[1]);
  };
  int level = info.level_for(std::max(spans[0], spans[1]) / seen.scale);
  while (level + 1 < std::ssize(info.levels) &&
         pixels_at(level) > static_cast<double>(io::kMostPixelsAtOnce))
    ++level;
  return {.level = level, .region = region};
}

SlideParts::SlideParts(Actions& actions, Workbench& workbench, FileOpener& opener,
                       const ViewGrid& views, QWidget* window)
    : QObject(window),
      actions_(actions),
      workbench_(workbench),
      opener_(opener),
      views_(views),
      window_(window) {
  connect(&workbench_, &Workbench::image_changed, this, &SlideParts::offer);
  actions_.on("work_on_view", [this] { work_on_view(); });
  actions_.on("work_on_slide", [this] { open({}); });
  offer();
}

void SlideParts::offer() {
  const io::LoadedImage& loaded = workbench_.opened().loaded;
  const bool has_scale = loaded.slide != nullptr && loaded.slide->info().mpp.has_value();
  actions_.at("work_on_view")->setEnabled(has_scale);
  actions_.at("work_on_slide")
      ->setEnabled(has_scale && !workbench_.document().image.view.is_whole());
}

void SlideParts::work_on_view() {
  const io::LoadedImage& loaded = workbench_.opened().loaded;
  if (const auto seen = views_.seen_of_slide())
    open(part_in_view(loaded.slide->info(), loaded.slide_level, *seen));
}

void SlideParts::open(const io::SlideView& view) {
  if (!workbench_.document().edits.empty()) {
    const auto answer = QMessageBox::question(
        window_, tr("Edits by hand"),
        tr("The edits by hand lie on the pixels of the present part, and are lost in another one. "
           "Go on?"),
        QMessageBox::Yes | QMessageBox::Cancel, QMessageBox::Cancel);
    if (answer != QMessageBox::Yes) return;
  }
  opener_.open_part(view);
}

}  // namespace seedwave::ui
