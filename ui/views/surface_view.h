// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/image/volume.h"
#include "ui/views/slice_state.h"
#include "ui/views/surface_state.h"
#include "ui/views/view_picture.h"
#include "ui/views/vtk_widget.h"

#include <memory>
#include <vector>

namespace seedwave::ui {

/// The 3-D view: surfaces of the labels, or the volume itself.
///
/// A background thread computes surfaces. The newest labels win, and old surfaces stay until the
/// new ones are ready. Setters return immediately.
class SurfaceView : public VtkWidget {
  Q_OBJECT

 public:
  explicit SurfaceView(QWidget* parent = nullptr);
  ~SurfaceView() override;

  /// Removes the surfaces of the previous image.
  void set_image(const Volume& image);
  void set_result(const LabelMap& result);
  /// Takes a result that the next one soon replaces: no surface is made of it.
  void skip_result(const LabelMap& result);
  void set_labels(const std::vector<LabelStyle>& labels);
  void set_display(const SurfaceDisplay& display);
  [[nodiscard]] const SurfaceDisplay& display() const;
  /// Looks from the front, slightly from above, at everything.
  void reset_view();
  /// Returns whether surfaces are being computed.
  [[nodiscard]] bool busy() const;
  /// Returns a picture of the view; null if it has never been shown.
  [[nodiscard]] QImage picture(const PictureChoice& choice);

 signals:
  /// Emitted when the surfaces of the current labels are on screen.
  void surfaces_shown(int triangles, double ms);
  void maximise_requested();
  void context_menu_requested(const QPoint& global);

 protected:
  void started(const QString& renderer) override;
  void about_to_draw() override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void paint_over(QPainter& painter) override;

 private:
  class Private;
  std::unique_ptr<Private> d_;
};

}  // namespace seedwave::ui
