// SPDX-License-Identifier: Apache-2.0
#include "ui/window/slide_parts.h"

#include "core/io/slides/slide_item.h"

#include <QAction>

#include <algorithm>
#include <cmath>
#include <utility>

namespace seedwave::ui {

namespace {

/// Runs on more take longer than a person waits for.
constexpr double kMostLivePixels = 16e6;
/// Least side of the part around a region, in pixels of the finest level.
constexpr double kLeastSide = 256.0;

/// Returns the number of pixels of a level in a region of the finest.
double pixels_of(const Box& region, const io::SlideInfo& info, int level) {
  const auto factors = info.downsample(level);
  return static_cast<double>(region.hi[0] - region.lo[0]) *
         static_cast<double>(region.hi[1] - region.lo[1]) / (factors[0] * factors[1]);
}

/// Returns the first level from `level` on that has at most so many pixels in a region of the
/// finest, or the coarsest.
int coarsened(int level, const Box& region, const io::SlideInfo& info, double most) {
  while (level + 1 < std::ssize(info.levels) && pixels_of(region, info, level) > most)
    ++level;
  return level;
}

}  // namespace

io::SlideView part_in_view(const io::SlideInfo& info, int shown, const SeenOfLevel& seen) {
  const auto spans = info.downsample(shown);
  const Geometry finest = info.grid(0);
  Box region{{0, 0, 0}, {0, 0, 1}};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const auto on_finest = [&](std::int64_t at) {
      return std::clamp<std::int64_t>(std::llround(static_cast<double>(at) * spans[axis]), 0,
                                      finest.size[axis]);
    };
    region.lo[axis] = on_finest(seen.box.lo[axis]);
    region.hi[axis] = on_finest(seen.box.hi[axis]);
  }
  const int level = coarsened(level_seen(info, shown, seen.scale), region, info,
                              static_cast<double>(io::kMostPixelsAtOnce));
  if (region == Box::whole(finest) && level == io::opened_level(info)) return {};
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
    if (high[axis] < -0.5 || low[axis] > size - 0.5) return std::nullopt;
    // A small region with what is around it.
    const double margin = std::max(0.0, (kLeastSide - (high[axis] - low[axis])) / 2.0);
    region.lo[axis] = std::llround(std::clamp(std::floor(low[axis] + 0.5 - margin), 0.0, size));
    region.hi[axis] = std::llround(std::clamp(std::ceil(high[axis] + 0.5 + margin), 0.0, size));
  }
  if (region.empty()) return std::nullopt;
  return io::SlideView{.level = coarsened(0, region, info, kMostLivePixels), .region = region};
}

SlideParts::SlideParts(Actions& actions, Workbench& workbench, RunController& runs,
                       FileOpener& opener, ViewGrid& views, QObject* parent)
    : QObject(parent),
      actions_(actions),
      workbench_(workbench),
      runs_(runs),
      opener_(opener),
      views_(views) {
  connect(&workbench_, &Workbench::image_changed, this, &SlideParts::offer);
  connect(&opener_, &FileOpener::part_opened, this, &SlideParts::begin);
  connect(&opener_, &FileOpener::item_opened, this, &SlideParts::begin_with_slide);
  actions_.on("work_on_view", [this] { work_on_view(); });
  actions_.on("work_on_slide", [this] {
    look_ = views_.look();
    open({});
  });
  offer();
}

bool SlideParts::are_possible() const {
  const io::LoadedImage& loaded = workbench_.opened().loaded;
  return loaded.slide != nullptr && loaded.slide->info().mpp.has_value();
}

void SlideParts::work_on(const RegionBounds& bounds) {
  if (!are_possible()) return;
  const auto view = part_around(workbench_.opened().loaded.slide->info(), bounds);
  if (!view) {
    emit said(tr("The region does not lie on the slide."));
    return;
  }
  look_.reset();
  open(*view);
}

void SlideParts::work_on_channel(int channel) {
  io::SlideView view = workbench_.document().image.view;
  if (workbench_.opened().loaded.slide == nullptr || view.channel == channel) return;
  view.channel = channel;
  look_ = views_.look();
  opener_.open_part(view);
}

void SlideParts::offer() {
  actions_.at("work_on_view")->setEnabled(are_possible());
  actions_.at("work_on_slide")
      ->setEnabled(are_possible() && !workbench_.document().image.view.is_whole_channel());
}

void SlideParts::work_on_view() {
  const io::LoadedImage& loaded = workbench_.opened().loaded;
  const auto seen = views_.seen_of_slide();
  if (!seen) return;
  look_ = views_.look();
  open(part_in_view(loaded.slide->info(), loaded.slide_level, *seen));
}

void SlideParts::open(io::SlideView view) {
  view.channel = workbench_.document().image.view.channel;
  if (view == workbench_.document().image.view) {
    emit said(tr("All that is in view is worked on already."));
    return;
  }
  opener_.open_part(view);
}

void SlideParts::begin_with_slide() {
  const bool is_slide = workbench_.opened().loaded.slide != nullptr;
  if (is_slide && workbench_.document().seeds.strokes.empty())
    actions_.at("tool_navigate")->trigger();
}

int SlideParts::strokes_outside() const {
  const Geometry& grid = workbench_.image().geometry();
  const auto& strokes = workbench_.document().seeds.strokes;
  return static_cast<int>(std::ranges::count_if(strokes, [&grid](const Stroke& stroke) {
    return std::ranges::none_of(stroke.points, [&grid](const Vec3& point) {
      return grid.contains(grid.nearest_index(point));
    });
  }));
}

void SlideParts::begin() {
  if (const auto look = std::exchange(look_, std::nullopt)) views_.look_as(*look);
  if (const int outside = strokes_outside(); outside > 0) {
    emit said(tr("%n stroke(s) outside this part take no part in its runs", nullptr, outside));
  }
  const bool has_result = runs_.displayed().result().run != 0 || runs_.is_coming();
  if (runs_.live() && !has_result && runs_.next().missing().isEmpty()) runs_.run();
}

}  // namespace seedwave::ui
