// SPDX-License-Identifier: Apache-2.0
#include "app/window/unattended.h"
#include "core/base/error.h"
#include "core/io/labels.h"
#include "ui/models/path_text.h"
#include "ui/views/surface_view.h"
#include "ui/window/file_commands.h"
#include "ui/window/view_grid.h"

#include <QApplication>
#include <QBuffer>
#include <QByteArray>
#include <QPixmap>

#include <cstdio>

namespace seedwave::app {

namespace {

constexpr int kLookEveryMs = 50;
/// Number of consecutive checks that must find no activity: the last signals have then been
/// delivered.
constexpr int kQuietLooks = 6;
constexpr int kScreenshotLimitMs = 300'000;

}  // namespace

Screenshot::Screenshot(ui::MainWindow& window, const QString& file, QObject* parent)
    : QObject(parent), window_(window), file_(file) {
  look_.setInterval(kLookEveryMs);
  limit_.setInterval(kScreenshotLimitMs);
  limit_.setSingleShot(true);
  connect(&look_, &QTimer::timeout, this, &Screenshot::look);
  connect(&limit_, &QTimer::timeout, this,
          [this] { fail(tr("the screenshot was not ready within five minutes"), 1); });
  connect(&window_.opener().task(), &ui::NamedTask::failed, this,
          [this](const QString&, const QString& message) { fail(message, 3); });
  connect(&window_.opener(), &ui::FileOpener::damage_found, this,
          [this](const QString& message) { fail(message, 3); });
  connect(&window_.runs(), &ui::RunController::ended, this, [this](const QString& message) {
    if (!message.isEmpty()) fail(message, 3);
  });
}

void Screenshot::start(const QStringList& paths) {
  window_.show();
  window_.opener().set_session_use(ui::SessionUse::ReadOnly);
  if (paths.isEmpty()) {
    window_.files().open_sample();
  } else {
    window_.opener().open(paths);
  }
  look_.start();
  limit_.start();
}

bool Screenshot::settled() const {
  return !window_.opener().task().busy() && !window_.runs().busy() &&
         !window_.views().surface_view().busy();
}

void Screenshot::look() {
  quiet_looks_ = settled() ? quiet_looks_ + 1 : 0;
  if (quiet_looks_ < kQuietLooks) return;
  // The window falls back to another operation and says so; a screenshot of that is not what was
  // requested.
  if (const std::string unknown = window_.runs().next().unknown_operation(); !unknown.empty()) {
    fail(tr("this version has no operation '%1', which the session uses")
             .arg(QString::fromStdString(unknown)),
         3);
    return;
  }
  if (!ran_ && window_.workbench().has_image() && window_.runs().next().missing().isEmpty() &&
      window_.runs().displayed().result().run == 0) {
    ran_ = true;
    quiet_looks_ = 0;
    window_.runs().run();
    return;
  }
  take();
}

void Screenshot::take() {
  look_.stop();
  limit_.stop();
  QByteArray content;
  QBuffer buffer(&content);
  buffer.open(QIODevice::WriteOnly);
  window_.grab().save(&buffer, "PNG");
  try {
    io::write_atomically(ui::to_path(file_), content.toStdString());
  } catch (const OutputError& error) {
    fail(QString::fromStdString(error.what()), kExitOutput);
    return;
  }
  QApplication::exit(0);
}

void Screenshot::fail(const QString& message, int exit_code) {
  look_.stop();
  limit_.stop();
  std::fprintf(stderr, "seedwave: %s\n", qPrintable(message));
  QApplication::exit(exit_code);
}

}  // namespace seedwave::app
