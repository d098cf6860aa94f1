// SPDX-License-Identifier: Apache-2.0
#include "ui/window/slide_parts.h"

#include "core/io/slides/slide_item.h"
#include "ui/window/view_grid.h"

#include <QAction>
#include <QMessageBox>

#include <algorithm>
#include <cmath>

namespace seedwave::ui {

namespace {

/// Runs on more take longer than a person waits for.
constexpr double kMostLivePixels = 16e6;

/// Returns the number of pixels of a level in a region of the finest.
double pixels_of(const Box& region, const io::SlideInfo& info, int level) {
  const auto factors = info.downsample(level);
  return static_cast<double>(region.hi[0] - region.lo[0]) *
         static_cast<double>(region.hi[1] - region.lo[1]) / (factors[0] * factors[1]);
}

}  // namespace

io::SlideView part_in_view(const io::SlideInfo& info, int shown, const SeenOfLevel& seen) {
  const auto spans = info.downsample(shown);
  const io::SlideLevel& finest = info.levels.front();
  const std::array<std::int64_t, 2> size{finest.width, finest.height};
  Box region{{0, 0, 0}, {0, 0, 1}};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const auto on_finest = [&](std::int64_t at) {
      return std::clamp<std::int64_t>(std::llround(static_cast<double>(at) * spans[axis]), 0,
                                      size[axis]);
    };
    region.lo[axis] = on_finest(seen.box.lo[axis]);
    region.hi[axis] = on_finest(seen.box.hi[axis]);
  }
  int level = info.level_for(std::max(spans[0], spans[1]) / seen.scale);
  while (level + 1 < std::ssize(info.levels) &&
         pixels_of(region, info, level) > static_cast<double>(io::kMostPixelsAtOnce))
    ++level;
  return {.level = level, .region = region};
}

std::optional<io::SlideView> part_around(const io::SlideInfo& info, const RegionBounds& bounds) {
  const Geometry finest = info.grid(0);
  const Vec3 low = finest.to_index({bounds.low[0], bounds.low[1], 0.0});
  const Vec3 high = finest.to_index({bounds.high[0], bounds.high[1], 0.0});
  Box region{{0, 0, 0}, {0, 0, 1}};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const auto size = static_cast<double>(finest.size[axis]);
    // Pixel 0 is the square from -0.5 to 0.5.
    region.lo[axis] = std::llround(std::clamp(std::floor(low[axis] + 0.5), 0.0, size));
    region.hi[axis] = std::llround(std::clamp(std::ceil(high[axis] + 0.5), 0.0, size));
  }
  if (region.empty()) return std::nullopt;
  int level = 0;
  while (level + 1 < std::ssize(info.levels) && pixels_of(region, info, level) > kMostLivePixels)
    ++level;
  return io::SlideView{.level = level, .region = region};
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

bool SlideParts::are_possible() const {
  const io::LoadedImage& loaded = workbench_.opened().loaded;
  return loaded.slide != nullptr && loaded.slide->info().mpp.has_value();
}

void SlideParts::work_on(const RegionBounds& bounds) {
  if (!are_possible()) return;
  if (const auto view = part_around(workbench_.opened().loaded.slide->info(), bounds)) open(*view);
}

void SlideParts::offer() {
  actions_.at("work_on_view")->setEnabled(are_possible());
  actions_.at("work_on_slide")
      ->setEnabled(are_possible() && !workbench_.document().image.view.is_whole());
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
