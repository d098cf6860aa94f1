// SPDX-License-Identifier: Apache-2.0
#include "ui/views/vtk_widget.h"

#include "ui/views/slice_transform.h"

#include <QMouseEvent>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFramebufferObject>
#include <QOpenGLFunctions>
#include <QPainter>
#include <QSurfaceFormat>
#include <QWheelEvent>
#include <vtkCallbackCommand.h>
#include <vtkCommand.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkGenericRenderWindowInteractor.h>
#include <vtkNew.h>
#include <vtkOpenGLFramebufferObject.h>
#include <vtkOpenGLState.h>

#include <vector>

namespace seedwave::ui {

void set_default_surface_format() {
  QSurfaceFormat format;
  format.setRenderableType(QSurfaceFormat::OpenGL);
  format.setVersion(3, 2);
  format.setProfile(QSurfaceFormat::CoreProfile);
  format.setRedBufferSize(8);
  format.setGreenBufferSize(8);
  format.setBlueBufferSize(8);
  format.setAlphaBufferSize(8);
  format.setDepthBufferSize(24);
  format.setStencilBufferSize(8);
  // VTK antialiases in its own framebuffers.
  format.setSamples(0);
  QSurfaceFormat::setDefaultFormat(format);
}

class VtkWidget::Private {
 public:
  explicit Private(VtkWidget& widget);
  ~Private();

  /// Creates the context with the first call. Returns whether there is one.
  bool start();
  /// Returns a picture of the scene, of the size of the widget times `scale`; null if the graphics
  /// card cannot hold it.
  [[nodiscard]] QImage draw(int scale);
  void send_button(const QMouseEvent& event, unsigned long left, unsigned long right,
                   unsigned long middle);
  void put_position(const QPointF& position, Qt::KeyboardModifiers modifiers);

  VtkWidget& widget_;
  vtkNew<vtkGenericOpenGLRenderWindow> window_;
  vtkNew<vtkGenericRenderWindowInteractor> interactor_;
  vtkNew<vtkCallbackCommand> observer_;
  QImage picture_;
  bool stale_ = true;

 private:
  static void observe(vtkObject* caller, unsigned long event, void* self, void* data);
  /// Sets the size of VTK's window: that of the widget, times `scale`.
  QSize resize(int scale);
  /// Draws the scene into a framebuffer of that size, the first row on top.
  void draw_into(GLuint target);

  QOffscreenSurface surface_;
  QOpenGLContext context_;
  bool drawing_ = false;
};

VtkWidget::Private::Private(VtkWidget& widget) : widget_(widget) {
  window_->SetReadyForRendering(false);
  window_->SetOwnContext(0);
  // The default mode would draw into the framebuffer of a window.
  window_->SetFrameBlitModeToNoBlit();
  window_->SetMultiSamples(0);
  interactor_->SetRenderWindow(window_);
  interactor_->EnableRenderOff();
  interactor_->Initialize();
  observer_->SetClientData(this);
  observer_->SetCallback(&Private::observe);
  for (const auto event : {vtkCommand::WindowMakeCurrentEvent, vtkCommand::WindowIsCurrentEvent,
                           vtkCommand::WindowSupportsOpenGLEvent, vtkCommand::WindowIsDirectEvent,
                           vtkCommand::WindowFrameEvent}) {
    window_->AddObserver(event, observer_);
  }
  interactor_->AddObserver(vtkCommand::RenderEvent, observer_);
}

VtkWidget::Private::~Private() {
  if (context_.isValid() && context_.makeCurrent(&surface_)) {
    window_->Finalize();
    window_->SetReadyForRendering(false);
    context_.doneCurrent();
  }
  interactor_->RemoveObserver(observer_);
  window_->RemoveObserver(observer_);
  interactor_->SetRenderWindow(nullptr);
  window_->SetInteractor(nullptr);
}

void VtkWidget::Private::observe(vtkObject*, unsigned long event, void* self, void* data) {
  auto& d = *static_cast<Private*>(self);
  switch (event) {
    case vtkCommand::WindowMakeCurrentEvent:
      if (d.context_.isValid()) d.context_.makeCurrent(&d.surface_);
      break;
    case vtkCommand::WindowIsCurrentEvent:
      *static_cast<bool*>(data) = QOpenGLContext::currentContext() == &d.context_;
      break;
    case vtkCommand::WindowSupportsOpenGLEvent:
    case vtkCommand::WindowIsDirectEvent:
      *static_cast<int*>(data) = 1;
      break;
    case vtkCommand::WindowFrameEvent:
      if (!d.drawing_) d.widget_.redraw();
      break;
    case vtkCommand::RenderEvent:
      d.widget_.redraw();
      break;
    default:
      break;
  }
}

bool VtkWidget::Private::start() {
  if (context_.isValid()) return true;
  context_.setFormat(QSurfaceFormat::defaultFormat());
  surface_.setFormat(context_.format());
  surface_.create();
  if (!context_.create() || !context_.makeCurrent(&surface_)) return false;
  window_->SetForceMaximumHardwareLineWidth(1);
  window_->SetReadyForRendering(true);
  window_->InitializeFromCurrentContext();
  const auto* name = reinterpret_cast<const char*>(context_.functions()->glGetString(GL_RENDERER));
  widget_.started(QString::fromLatin1(name));
  return true;
}

QSize VtkWidget::Private::resize(int scale) {
  const double ratio = widget_.devicePixelRatioF() * scale;
  const QSize device = device_size(widget_.size(), ratio);
  window_->SetSize(device.width(), device.height());
  window_->SetDPI(static_cast<int>(72 * ratio));
  interactor_->SetSize(device.width(), device.height());
  return device;
}

void VtkWidget::Private::draw_into(GLuint target) {
  vtkOpenGLState* state = window_->GetState();
  state->Reset();
  state->Push();
  window_->Render();
  QOpenGLFunctions* gl = context_.functions();
  gl->glDisable(GL_SCISSOR_TEST);
  gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target);
  const int* size = window_->GetSize();
  // OpenGL's first row is the lowest.
  window_->BlitDisplayFramebuffer(0, 0, size[1], size[0], -size[1], 0, 0, size[0], size[1],
                                  GL_COLOR_BUFFER_BIT, GL_NEAREST);
  state->Pop();
  gl->glBindFramebuffer(GL_FRAMEBUFFER, target);
}

QImage VtkWidget::Private::draw(int scale) {
  if (!start() || !context_.makeCurrent(&surface_)) return {};
  drawing_ = true;
  const QSize size = resize(scale);
  QImage picture;
  {
    QOpenGLFramebufferObject target(size);
    if (target.isValid()) {
      draw_into(target.handle());
      picture = QImage(size, QImage::Format_RGB32);
      if (!picture.isNull()) {
        context_.functions()->glReadPixels(0, 0, size.width(), size.height(), GL_BGRA,
                                           GL_UNSIGNED_BYTE, picture.bits());
      }
      picture.setDevicePixelRatio(widget_.devicePixelRatioF() * scale);
    }
  }
  if (scale != 1) resize(1);
  context_.doneCurrent();
  drawing_ = false;
  return picture;
}

void VtkWidget::Private::put_position(const QPointF& position, Qt::KeyboardModifiers modifiers) {
  const QPointF device = position * widget_.devicePixelRatioF();
  interactor_->SetEventInformationFlipY(static_cast<int>(device.x()), static_cast<int>(device.y()),
                                        modifiers & Qt::ControlModifier ? 1 : 0,
                                        modifiers & Qt::ShiftModifier ? 1 : 0);
}

void VtkWidget::Private::send_button(const QMouseEvent& event, unsigned long left,
                                     unsigned long right, unsigned long middle) {
  put_position(event.position(), event.modifiers());
  if (event.button() == Qt::LeftButton) interactor_->InvokeEvent(left);
  if (event.button() == Qt::RightButton) interactor_->InvokeEvent(right);
  if (event.button() == Qt::MiddleButton) interactor_->InvokeEvent(middle);
}

VtkWidget::VtkWidget(QWidget* parent) : QWidget(parent), d_(std::make_unique<Private>(*this)) {
  setAttribute(Qt::WA_OpaquePaintEvent);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
}

VtkWidget::~VtkWidget() = default;

vtkGenericOpenGLRenderWindow* VtkWidget::render_window() const {
  return d_->window_;
}

vtkRenderWindowInteractor* VtkWidget::interactor() const {
  return d_->interactor_;
}

void VtkWidget::redraw() {
  d_->stale_ = true;
  update();
}

void VtkWidget::started(const QString&) {}

void VtkWidget::about_to_draw() {}

void VtkWidget::paint_over(QPainter&) {}

void VtkWidget::paintEvent(QPaintEvent*) {
  // The ratio may have changed with the screen: Qt 6.4 has no event for it.
  const bool fits = d_->picture_.size() == device_size(size(), devicePixelRatioF());
  const bool anew = d_->stale_ || !fits;
  if (anew && d_->start()) {
    about_to_draw();
    d_->picture_ = d_->draw(1);
    d_->stale_ = false;
  }
  QPainter painter(this);
  if (d_->picture_.isNull()) {
    painter.fillRect(rect(), Qt::black);
  } else {
    painter.drawImage(0, 0, d_->picture_);
  }
  paint_over(painter);
  if (anew) emit drawn();
}

QImage VtkWidget::draw_image(int scale, bool texts) {
  if (d_->picture_.isNull()) return {};
  QImage image = d_->draw(scale);
  redraw();
  if (texts && !image.isNull()) {
    QPainter painter(&image);
    paint_over(painter);
  }
  return image;
}

void VtkWidget::mousePressEvent(QMouseEvent* event) {
  d_->send_button(*event, vtkCommand::LeftButtonPressEvent, vtkCommand::RightButtonPressEvent,
                  vtkCommand::MiddleButtonPressEvent);
}

void VtkWidget::mouseMoveEvent(QMouseEvent* event) {
  d_->put_position(event->position(), event->modifiers());
  d_->interactor_->InvokeEvent(vtkCommand::MouseMoveEvent);
}

void VtkWidget::mouseReleaseEvent(QMouseEvent* event) {
  d_->send_button(*event, vtkCommand::LeftButtonReleaseEvent, vtkCommand::RightButtonReleaseEvent,
                  vtkCommand::MiddleButtonReleaseEvent);
}

void VtkWidget::wheelEvent(QWheelEvent* event) {
  d_->put_position(event->position(), event->modifiers());
  const QPoint delta = event->angleDelta();
  const int turned = delta.y() != 0 ? delta.y() : delta.x();
  if (turned > 0) d_->interactor_->InvokeEvent(vtkCommand::MouseWheelForwardEvent);
  if (turned < 0) d_->interactor_->InvokeEvent(vtkCommand::MouseWheelBackwardEvent);
  event->accept();
}

}  // namespace seedwave::ui
