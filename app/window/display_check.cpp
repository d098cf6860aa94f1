// SPDX-License-Identifier: Apache-2.0
#include "app/window/display_check.h"

#include "core/base/error.h"

#include <QString>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace seedwave::app {
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

}  // namespace seedwave::app
