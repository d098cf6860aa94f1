// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/region.h"
#include "core/io/slides/slide_view.h"
#include "ui/actions/actions.h"
#include "ui/models/file_opener.h"
#include "ui/models/workbench.h"
#include "ui/window/slide_detail.h"

#include <QObject>

#include <optional>

class QWidget;

namespace seedwave::ui {

class ViewGrid;

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
  SlideParts(Actions& actions, Workbench& workbench, FileOpener& opener, const ViewGrid& views,
             QWidget* window);

  /// Returns whether an image is open that has parts.
  [[nodiscard]] bool are_possible() const;
  /// Works on the box around an area of the slide.
  void work_on(const RegionBounds& bounds);

 private:
  void offer();
  void work_on_view();
  /// Asks first if edits by hand would be lost.
  void open(const io::SlideView& view);

  Actions& actions_;
  Workbench& workbench_;
  FileOpener& opener_;
  const ViewGrid& views_;
  QWidget* window_;
};

}  // namespace seedwave::ui
