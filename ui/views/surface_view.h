// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/image/volume.h"
#include "ui/views/slice_state.h"
#include "ui/views/vtk_widget.h"

#include <memory>
#include <vector>

namespace seedwave::ui {

/// What the 3-D view shows of the image itself.
enum class VolumeRendering { Off, Ct, Mr };

/// How the 3-D view looks; the owner is the caller.
struct SurfaceDisplay {
  bool show_surfaces = true;
  VolumeRendering volume = VolumeRendering::Off;
  /// The three planes through the cursor, with the image on them.
  bool show_planes = false;
  Vec3 cursor{0, 0, 0};  // world
  GreyWindow window;
  HeadFootLetters head_foot = HeadFootLetters::SuperiorInferior;
  friend bool operator==(const SurfaceDisplay&, const SurfaceDisplay&) = default;
};

/// The 3-D view: surfaces of the labels, or the volume itself.
///
/// Surfaces are computed on a thread of their own; the newest labels win, and the old surfaces stay
/// until the new ones are there. Setters return at once.
class SurfaceView : public VtkWidget {
  Q_OBJECT

 public:
  explicit SurfaceView(QWidget* parent = nullptr);
  ~SurfaceView() override;

  void set_image(const Volume& image);
  void set_result(const LabelMap& result);
  void set_labels(const std::vector<LabelStyle>& labels);
  void set_display(const SurfaceDisplay& display);
  [[nodiscard]] const SurfaceDisplay& display() const;
  /// Looks from the front, slightly from above, at all there is.
  void reset_view();
  /// True while surfaces are being computed.
  [[nodiscard]] bool busy() const;

 signals:
  /// The surfaces of the labels last set are on screen.
  void surfaces_shown(int triangles, double ms);
  void maximise_requested();
  void context_menu_requested(const QPoint& global);

 protected:
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void paint_over(QPainter& painter) override;

 private:
  class Private;
  std::unique_ptr<Private> d_;
};

}  // namespace seedwave::ui
