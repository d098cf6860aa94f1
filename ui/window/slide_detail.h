// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/slides/slide.h"
#include "ui/models/background_task.h"
#include "ui/models/workbench.h"

#include <QObject>

#include <optional>

namespace seedwave::ui {

/// A part of a level of a slide, in its pixels.
struct SlideWindow {
  int level = 0;
  Box box;
  friend bool operator==(const SlideWindow&, const SlideWindow&) = default;
};

/// Returns the part of a finer level that a view needs, which shows the box `visible` of the level
/// `shown` with `scale` pixels of the screen for each of its own; nothing if these suffice.
[[nodiscard]] std::optional<SlideWindow> window_for(const io::SlideInfo& info, int shown,
                                                    const Box& visible, double scale);

/// Returns the pixels of a part of a finer level on a grid that lies where it does in `image`, a
/// whole level.
[[nodiscard]] Volume placed_in(const Volume& part, const SlideWindow& window,
                               const io::SlideInfo& info, const Geometry& image);

/// Reads the finer pixels of an open slide where a view enlarges its image, in the background: the
/// view shows the image until they are there. One reading at a time; those that the view has left
/// behind are dropped.
class SlideDetail : public QObject {
  Q_OBJECT

 public:
  /// `workbench` must outlive this.
  explicit SlideDetail(const Workbench& workbench, QObject* parent = nullptr);

  /// Tells what is seen; see window_for().
  void look_at(const Box& visible, double scale);
  /// Another image is open.
  void forget();

 signals:
  /// A finer copy of a part of the image.
  void came(const seedwave::Volume& detail);

 private:
  const Workbench& workbench_;
  std::optional<SlideWindow> shown_;
  std::optional<SlideWindow> awaited_;
  BackgroundTask task_;
};

}  // namespace seedwave::ui
