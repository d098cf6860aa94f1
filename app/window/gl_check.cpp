// SPDX-License-Identifier: Apache-2.0
#include "app/window/gl_check.h"

#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QSurfaceFormat>

namespace seedwave::app {

namespace {

std::string gl_string(QOpenGLFunctions& gl, GLenum name) {
  const auto* text = reinterpret_cast<const char*>(gl.glGetString(name));
  return text == nullptr ? std::string("unknown") : std::string(text);
}

}  // namespace

GlInfo check_gl() {
  const std::string advice =
      "the 3-D view needs OpenGL 3.2, which this display does not offer: start with --software-gl, "
      "or "
      "install Mesa's software renderer (package libgl1-mesa-dri)";
  QOpenGLContext context;
  context.setFormat(QSurfaceFormat::defaultFormat());
  QOffscreenSurface surface;
  surface.setFormat(context.format());
  surface.create();
  if (!context.create() || !context.makeCurrent(&surface)) return {advice, {}, {}};
  GlInfo info{{},
              gl_string(*context.functions(), GL_RENDERER),
              gl_string(*context.functions(), GL_VERSION)};
  if (context.format().version() < qMakePair(3, 2)) {
    info.problem = advice + " (found " + info.version + ")";
  }
  context.doneCurrent();
  return info;
}

}  // namespace seedwave::app
