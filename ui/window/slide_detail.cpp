// SPDX-License-Identifier: Apache-2.0
#include "ui/window/slide_detail.h"

#include <algorithm>
#include <cmath>

namespace seedwave::ui {
namespace {

/// Share of the visible part that is read beyond it on every side, so that small movements need no
/// reading.
constexpr double kMargin = 0.3;

bool holds(const Box& outer, const Box& inner) {
  return outer.lo[0] <= inner.lo[0] && outer.lo[1] <= inner.lo[1] && outer.hi[0] >= inner.hi[0] &&
         outer.hi[1] >= inner.hi[1];
}

bool meets(const Box& a, const Box& b) {
  return a.lo[0] < b.hi[0] && b.lo[0] < a.hi[0] && a.lo[1] < b.hi[1] && b.lo[1] < a.hi[1];
}

SlideWindow with_margin(const SlideWindow& window, const io::SlideInfo& info) {
  const io::SlideLevel& level = info.levels[static_cast<std::size_t>(window.level)];
  const Index3 size{level.width, level.height, 1};
  SlideWindow wider = window;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const auto margin = static_cast<std::int64_t>(
        kMargin * static_cast<double>(window.box.hi[axis] - window.box.lo[axis]));
    wider.box.lo[axis] = std::max<std::int64_t>(0, window.box.lo[axis] - margin);
    wider.box.hi[axis] = std::min(size[axis], window.box.hi[axis] + margin);
  }
  return wider;
}

}  // namespace

int level_seen(const io::SlideInfo& info, int shown, double scale) {
  const auto spans = info.downsample(shown);
  return info.level_for(std::max(spans[0], spans[1]) / scale);
}

namespace {

/// Returns the part of a level that covers `visible` of another.
SlideWindow window_in(const io::SlideInfo& info, int shown, const Box& visible, int level) {
  SlideWindow window{.level = level, .box = {}};
  const io::SlideLevel& from = info.levels[static_cast<std::size_t>(shown)];
  const io::SlideLevel& to = info.levels[static_cast<std::size_t>(window.level)];
  const std::array<double, 2> factor{
      static_cast<double>(to.width) / static_cast<double>(from.width),
      static_cast<double>(to.height) / static_cast<double>(from.height)};
  const std::array<std::int64_t, 2> size{to.width, to.height};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    window.box.lo[axis] = std::clamp<std::int64_t>(
        std::llround(std::floor(static_cast<double>(visible.lo[axis]) * factor[axis])), 0,
        size[axis] - 1);
    window.box.hi[axis] = std::clamp<std::int64_t>(
        std::llround(std::ceil(static_cast<double>(visible.hi[axis]) * factor[axis])),
        window.box.lo[axis] + 1, size[axis]);
  }
  window.box.hi[2] = 1;
  return window;
}

}  // namespace

std::optional<SlideWindow> window_for(const io::SlideInfo& info, int shown,
                                      const SeenOfLevel& seen) {
  if (shown == 0 || !(seen.scale > 1.0) || seen.box.empty()) return std::nullopt;
  const int level = level_seen(info, shown, seen.scale);
  if (level >= shown) return std::nullopt;
  return window_in(info, shown, seen.box, level);
}

Volume placed_in(const Volume& part, const SlideWindow& window, const io::SlideInfo& info,
                 const Geometry& whole) {
  const io::SlideLevel& level = info.levels[static_cast<std::size_t>(window.level)];
  const std::array<double, 2> size{static_cast<double>(level.width),
                                   static_cast<double>(level.height)};
  Geometry grid = whole;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    grid.size[axis] = part.geometry().size[axis];
    grid.spacing[axis] = whole.spacing[axis] * static_cast<double>(whole.size[axis]) / size[axis];
    const double edge = whole.origin[axis] - 0.5 * whole.spacing[axis];
    grid.origin[axis] =
        edge + (static_cast<double>(window.box.lo[axis]) + 0.5) * grid.spacing[axis];
  }
  return part.on_grid(grid);
}

SlideDetail::SlideDetail(const Workbench& workbench, QObject* parent)
    : QObject(parent), workbench_(workbench) {
  connect(&task_, &BackgroundTask::ended, this, [this] { awaited_.reset(); });
}

void SlideDetail::look_at(const SeenOfLevel& seen) {
  const io::LoadedImage& loaded = workbench_.opened().loaded;
  if (loaded.slide == nullptr || seen.box.empty()) return;
  const io::SlideInfo& info = loaded.slide->info();
  auto needed = window_for(info, loaded.slide_level, seen);
  // Beyond the image there is nothing but a coarse copy.
  if (!needed && !holds(loaded.slide_box, seen.box)) {
    const int level = level_seen(info, loaded.slide_level, seen.scale);
    needed = window_in(info, loaded.slide_level, seen.box, level);
  }
  if (!needed) return;
  const auto serves = [&](const std::optional<SlideWindow>& window) {
    return window && window->level == needed->level && holds(window->box, needed->box);
  };
  if (serves(shown_) || serves(awaited_)) return;
  // A reading that shows a part of it is finished first: a view in motion would see nothing else.
  if (awaited_ && awaited_->level == needed->level && meets(awaited_->box, needed->box)) return;
  const SlideWindow window = with_margin(*needed, info);
  awaited_ = window;
  std::vector<int> channels{loaded.slide_channel};
  channels.insert(channels.end(), channels_.begin(), channels_.end());
  task_.start([this, window, channels, slide = loaded.slide,
               grid = info.grid(loaded.slide_level)](Context& context) -> BackgroundTask::Delivery {
    std::vector<Volume> details;
    for (const int channel : channels) {
      const io::SlidePart part = slide->read(window.level, window.box, channel, context);
      details.push_back(placed_in(part.pixels, window, slide->info(), grid));
    }
    return [this, window, channels, details] {
      shown_ = window;
      emit came(details.front());
      for (std::size_t i = 1; i < channels.size(); ++i)
        emit channel_came(channels[i], details[i]);
    };
  });
}

void SlideDetail::set_channels(const std::vector<int>& channels) {
  if (channels == channels_) return;
  channels_ = channels;
  forget();
}

void SlideDetail::forget() {
  task_.cancel();
  awaited_.reset();
  shown_.reset();
}

}  // namespace seedwave::ui
