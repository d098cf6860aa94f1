// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QOpenGLWidget>

#include <memory>

class QPainter;
class vtkGenericOpenGLRenderWindow;
class vtkRenderWindowInteractor;

namespace seedwave::ui {

/// Call before constructing the QApplication: VTK needs OpenGL 3.2 core in every context.
void set_default_surface_format();

/// A VTK render window in a Qt 6 widget: Debian 12's own bridge is built for Qt 5.
///
/// VTK draws into its own framebuffers; paintGL copies the result to Qt's. Mouse and wheel go to
/// the interactor. Moving the widget to another window creates a new context and is allowed.
class VtkWidget : public QOpenGLWidget {
  Q_OBJECT

 public:
  explicit VtkWidget(QWidget* parent = nullptr);
  ~VtkWidget() override;

  [[nodiscard]] vtkGenericOpenGLRenderWindow* render_window() const;
  [[nodiscard]] vtkRenderWindowInteractor* interactor() const;

 protected:
  /// Draws the scene into an image with `scale` times the pixels of the screen. Null if the widget
  /// has never been shown, or if the graphics card cannot hold it. Calls paint_over() only if
  /// `texts`.
  [[nodiscard]] QImage draw_image(int scale, bool texts);
  /// Called after VTK has drawn, for texts and the like. Logical pixels.
  virtual void paint_over(QPainter& painter);

  void initializeGL() override;
  void resizeGL(int width, int height) override;
  void paintGL() override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  class Private;
  std::unique_ptr<Private> d_;
};

}  // namespace seedwave::ui
