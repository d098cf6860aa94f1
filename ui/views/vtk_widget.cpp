// SPDX-License-Identifier: Apache-2.0
#include "ui/views/vtk_widget.h"

#include "ui/views/slice_transform.h"

#include <QMouseEvent>
#include <QOpenGLContext>
#include <QOpenGLFramebufferObject>
#include <QOpenGLFunctions>
#include <QPainter>
#include <QPointer>
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

  void initialise();
  void release();
  /// Sets the size of VTK's window: that of the widget, times `scale`.
  void resize(int scale = 1);
  /// Draws the scene into a framebuffer of that size. The context must be current.
  void draw_into(GLuint target);
  void send_button(const QMouseEvent& event, unsigned long left, unsigned long right,
                   unsigned long middle);
  void put_position(const QPointF& position, Qt::KeyboardModifiers modifiers);

  VtkWidget& widget_;
  vtkNew<vtkGenericOpenGLRenderWindow> window_;
  vtkNew<vtkGenericRenderWindowInteractor> interactor_;
  vtkNew<vtkCallbackCommand> observer_;
  QPointer<QOpenGLContext> context_;
  /// VTK draws with the context current on this surface. QOpenGLWidget::makeCurrent() would bind
  /// Qt's framebuffer without VTK's knowledge.
  QSurface* surface_ = nullptr;
  bool painting_ = false;

 private:
  static void observe(vtkObject* caller, unsigned long event, void* self, void* data);
};

VtkWidget::Private::Private(VtkWidget& widget) : widget_(widget) {
  window_->SetReadyForRendering(false);
  window_->SetOwnContext(0);
  // The default mode shows black, because paintGL copies the result.
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
  release();
  if (context_) QObject::disconnect(context_, nullptr, &widget_, nullptr);
  interactor_->RemoveObserver(observer_);
  window_->RemoveObserver(observer_);
  interactor_->SetRenderWindow(nullptr);
  window_->SetInteractor(nullptr);
}

void VtkWidget::Private::observe(vtkObject*, unsigned long event, void* self, void* data) {
  auto& d = *static_cast<Private*>(self);
  switch (event) {
    case vtkCommand::WindowMakeCurrentEvent:
      if (d.context_ && d.surface_) d.context_->makeCurrent(d.surface_);
      break;
    case vtkCommand::WindowIsCurrentEvent:
      *static_cast<bool*>(data) = d.context_ && QOpenGLContext::currentContext() == d.context_;
      break;
    case vtkCommand::WindowSupportsOpenGLEvent:
    case vtkCommand::WindowIsDirectEvent:
      *static_cast<int*>(data) = 1;
      break;
    case vtkCommand::WindowFrameEvent:
      if (!d.painting_) d.widget_.update();
      break;
    case vtkCommand::RenderEvent:
      d.widget_.update();
      break;
    default:
      break;
  }
}

void VtkWidget::Private::initialise() {
  if (context_ && context_ != widget_.context()) {
    QObject::disconnect(context_, nullptr, &widget_, nullptr);
  }
  context_ = widget_.context();
  surface_ = context_->surface();
  // Direct: the context must still exist while VTK frees its resources.
  QObject::connect(
      context_, &QOpenGLContext::aboutToBeDestroyed, &widget_, [this] { release(); },
      Qt::DirectConnection);
  window_->SetForceMaximumHardwareLineWidth(1);
  window_->SetReadyForRendering(true);
  window_->InitializeFromCurrentContext();
}

void VtkWidget::Private::release() {
  if (!context_ || surface_ == nullptr) return;
  widget_.makeCurrent();
  window_->Finalize();
  window_->SetReadyForRendering(false);
  surface_ = nullptr;
  widget_.doneCurrent();
}

void VtkWidget::Private::draw_into(GLuint target) {
  painting_ = true;
  vtkOpenGLState* state = window_->GetState();
  state->Reset();
  state->Push();
  window_->Render();
  QOpenGLFunctions* gl = context_->functions();
  gl->glDisable(GL_SCISSOR_TEST);
  gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target);
  const int* size = window_->GetSize();
  window_->BlitDisplayFramebuffer(0, 0, 0, size[0], size[1], 0, 0, size[0], size[1],
                                  GL_COLOR_BUFFER_BIT, GL_NEAREST);
  state->Pop();
  gl->glBindFramebuffer(GL_FRAMEBUFFER, target);
  // VTK leaves the background transparent, and the desktop would show through.
  gl->glDisable(GL_SCISSOR_TEST);
  gl->glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_TRUE);
  gl->glClearColor(0, 0, 0, 1);
  gl->glClear(GL_COLOR_BUFFER_BIT);
  gl->glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  painting_ = false;
}

void VtkWidget::Private::resize(int scale) {
  const double ratio = widget_.devicePixelRatioF() * scale;
  const QSize device = device_size(widget_.size(), ratio);
  window_->SetSize(device.width(), device.height());
  window_->SetDPI(static_cast<int>(72 * ratio));
  interactor_->SetSize(device.width(), device.height());
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

VtkWidget::VtkWidget(QWidget* parent)
    : QOpenGLWidget(parent), d_(std::make_unique<Private>(*this)) {
  setUpdateBehavior(QOpenGLWidget::NoPartialUpdate);
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

void VtkWidget::paint_over(QPainter&) {}

void VtkWidget::initializeGL() {
  d_->initialise();
}

void VtkWidget::resizeGL(int, int) {
  d_->resize();
}

void VtkWidget::paintGL() {
  if (d_->surface_ == nullptr) return;
  // The ratio may have changed with the screen: Qt 6.4 has no event for it.
  d_->resize();
  d_->draw_into(defaultFramebufferObject());
  QPainter painter(this);
  paint_over(painter);
}

QImage VtkWidget::draw_image(int scale, bool texts) {
  if (d_->surface_ == nullptr) return {};
  makeCurrent();
  d_->resize(scale);
  const int* size = d_->window_->GetSize();
  QOpenGLFramebufferObject target(size[0], size[1]);
  QImage image;
  if (target.isValid()) {
    d_->draw_into(target.handle());
    image = target.toImage().convertToFormat(QImage::Format_RGB32);
  }
  d_->resize();
  doneCurrent();
  update();
  image.setDevicePixelRatio(devicePixelRatioF() * scale);
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
