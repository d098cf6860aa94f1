// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/region.h"
#include "core/io/slides/slide_view.h"
#include "ui/actions/actions.h"
#include "ui/models/file_opener.h"
#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"
#include "ui/window/slide_detail.h"
#include "ui/window/view_grid.h"

#include <QObject>
#include <QString>

#include <optional>

namespace seedwave::ui {

/// Returns the part of a slide to work on for a view: what it shows, of the level that it needs, or
/// of a coarser one if that has too many pixels to work on at once. `shown`: the level of the image
/// that the view shows.
[[nodiscard]] io::SlideView part_in_view(const io::SlideInfo& info, int shown,
                                         const SeenOfLevel& seen);

/// Returns the part of a slide that holds an area of the world, of the finest level that has few
/// enough pixels for live runs. Empty if the area does not lie on the slide.
[[nodiscard]] std::optional<io::SlideView> part_around(const io::SlideInfo& info,
                                                       const RegionBounds& bounds);

/// Chooses the part of the open slide that operations work on: what is in view, or the whole.
class SlideParts : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this.
  SlideParts(Actions& actions, Workbench& workbench, RunController& runs, FileOpener& opener,
             ViewGrid& views, QObject* parent = nullptr);

  /// Returns whether an image is open that has parts.
  [[nodiscard]] bool are_possible() const;
  /// Works on the box around an area of the slide.
  void work_on(const RegionBounds& bounds);
  /// Works on another channel of the same part of the slide.
  void work_on_channel(int channel);

 signals:
  /// A message for the user.
  void said(const QString& text);

 private:
  void offer();
  void work_on_view();
  /// Opens a part in the channel that is open.
  void open(io::SlideView view);
  void begin();
  /// A slide is looked at first: a drag moves it until a tool is chosen.
  void begin_with_slide();
  /// Returns how many strokes lie outside the open part.
  [[nodiscard]] int strokes_outside() const;

  Actions& actions_;
  Workbench& workbench_;
  RunController& runs_;
  FileOpener& opener_;
  ViewGrid& views_;
  /// The view to take up in the next part; fitted without.
  std::optional<ViewGrid::Look> look_;
};

}  // namespace seedwave::ui
