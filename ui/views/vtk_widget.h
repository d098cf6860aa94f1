// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QWidget>

#include <memory>

class QPainter;
class vtkGenericOpenGLRenderWindow;
class vtkRenderWindowInteractor;

namespace seedwave::ui {

/// Call before constructing the QApplication: VTK needs OpenGL 3.2 core in every context.
void set_default_surface_format();

/// A VTK render window in a Qt 6 widget: Debian 12's own bridge is built for Qt 5.
///
/// VTK draws off screen, in a context of the widget's own, which is created at the first painting;
/// the widget paints the picture. So the window has no OpenGL of its own: with an OpenGL widget in
/// it, Qt would put the whole window together by OpenGL for each change of any view, which takes
/// longer than the change on a computer without a GPU. Mouse and wheel go to the interactor.
class VtkWidget : public QWidget {
  Q_OBJECT

 public:
  explicit VtkWidget(QWidget* parent = nullptr);
  ~VtkWidget() override;

  [[nodiscard]] vtkGenericOpenGLRenderWindow* render_window() const;
  [[nodiscard]] vtkRenderWindowInteractor* interactor() const;

  /// Lets VTK draw the scene again; update() paints the last picture, and what lies over it.
  void redraw();

 signals:
  /// A new picture of the scene was painted.
  void drawn();

 protected:
  /// Draws the scene into an image with `scale` times the pixels of the screen. Null if the widget
  /// has never been shown, or if the graphics card cannot hold it. Calls paint_over() only if
  /// `texts`.
  [[nodiscard]] QImage draw_image(int scale, bool texts);
  /// The context was created. `renderer`: as OpenGL names it.
  virtual void started(const QString& renderer);
  /// VTK is about to draw the scene for the screen.
  virtual void about_to_draw();
  /// Called at each painting over the picture, for texts and the like. Logical pixels.
  virtual void paint_over(QPainter& painter);

  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  class Private;
  std::unique_ptr<Private> d_;
};

}  // namespace seedwave::ui
