// SPDX-License-Identifier: Apache-2.0
#include "app/window/display.h"

#include "core/base/error.h"

#include <QApplication>
#include <QDir>
#include <QFontDatabase>
#include <QFontInfo>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QString>
#include <QSurfaceFormat>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

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

namespace {

struct Message {
  QtMsgType type = QtWarningMsg;
  QString text;
};
// A message handler is a plain function. Its messages matter only if Qt goes on.
std::vector<Message> g_held_back;

std::string display_problem() {
  const char* display = std::getenv("DISPLAY");
  if (display == nullptr || *display == '\0') {
    return "cannot open a window: there is no display (DISPLAY is not set)";
  }
  return std::string("cannot open a window: the display '") + display + "' cannot be used";
}

void on_message(QtMsgType type, const QMessageLogContext& /*context*/, const QString& text) {
  if (type != QtFatalMsg) {
    g_held_back.push_back({type, text});
    return;
  }
  std::fprintf(stderr, "seedwave: %s; seedwave-cli needs none\n", display_problem().c_str());
  // Not exit(): Qt is half constructed, and would be torn down.
  std::fflush(stderr);
  std::_Exit(kExitUnavailable);
}

}  // namespace

DisplayCheck::DisplayCheck() : before_(qInstallMessageHandler(on_message)) {}

DisplayCheck::~DisplayCheck() {
  qInstallMessageHandler(before_);
  for (const Message& message : std::exchange(g_held_back, {}))
    qt_message_output(message.type, QMessageLogContext(), message.text);
}

void add_own_fonts_where_there_are_none() {
  // QFontDatabase::families() cannot tell: it lists fontconfig's generic names in any case.
  if (!QFontInfo(QApplication::font()).family().isEmpty()) return;
  const QDir folder(QCoreApplication::applicationDirPath() +
                    QStringLiteral("/../share/seedwave/fonts"));
  for (const QString& file : folder.entryList({QStringLiteral("*.ttf")}, QDir::Files))
    QFontDatabase::addApplicationFont(folder.filePath(file));
}

}  // namespace seedwave::app
