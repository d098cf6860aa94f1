// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/slides/slide.h"
#include "ui/models/background_task.h"
#include "ui/models/workbench.h"

#include <QObject>

#include <optional>
#include <vector>

namespace seedwave::ui {

/// A part of a level of a slide, in its pixels.
struct SlideWindow {
  int level = 0;
  Box box;
  friend bool operator==(const SlideWindow&, const SlideWindow&) = default;
};

/// The part of a level that a view shows.
struct SeenOfLevel {
  /// In pixels of the level.
  Box box;
  /// Pixels of the screen for each of its own.
  double scale = 1.0;
};

/// Returns the level that a view needs, which shows the level `shown` with `scale` pixels of the
/// screen for each of its own.
[[nodiscard]] int level_seen(const io::SlideInfo& info, int shown, double scale);

/// Returns the part of a finer level that a view needs, which shows a part of the level `shown`;
/// nothing if the pixels of this level suffice.
[[nodiscard]] std::optional<SlideWindow> window_for(const io::SlideInfo& info, int shown,
                                                    const SeenOfLevel& seen);

/// Returns the pixels of a part of a level on a grid that lies where it does in `whole`, the grid
/// of some whole level.
[[nodiscard]] Volume placed_in(const Volume& part, const SlideWindow& window,
                               const io::SlideInfo& info, const Geometry& whole);

/// Reads the finer pixels of an open slide where a view enlarges its image, or sees beyond it, in
/// the background: the view shows what it has until they are there. One reading at a time; those
/// that the view has left behind are dropped.
class SlideDetail : public QObject {
  Q_OBJECT

 public:
  /// `workbench` must outlive this.
  explicit SlideDetail(const Workbench& workbench, QObject* parent = nullptr);

  /// Tells what is seen, in pixels of the level of the image.
  void look_at(const SeenOfLevel& seen);
  /// Sets the channels to read beside that of the image.
  void set_channels(const std::vector<int>& channels);
  /// Another image is open.
  void forget();

 signals:
  /// A finer copy of a part of the image or of its surroundings.
  void came(const seedwave::Volume& detail);
  /// The same part of another channel; follows came().
  void channel_came(int channel, const seedwave::Volume& detail);

 private:
  const Workbench& workbench_;
  std::vector<int> channels_;
  std::optional<SlideWindow> shown_;
  std::optional<SlideWindow> awaited_;
  BackgroundTask task_;
};

}  // namespace seedwave::ui
