// SPDX-License-Identifier: Apache-2.0
#include "ui/models/session_picture.h"

#include "core/base/error.h"
#include "core/io/labels.h"

#include <QBuffer>
#include <QImageReader>

namespace seedwave::ui {

namespace {

QString path_of(const std::filesystem::path& session) {
  return QString::fromStdString(picture_beside(session).string());
}

}  // namespace

std::filesystem::path picture_beside(const std::filesystem::path& session) {
  return session.parent_path() / (session.stem().string() + "-picture.png");
}

void keep_picture(const std::filesystem::path& session, const QImage& picture) {
  if (picture.isNull()) return;
  const QImage small = picture.scaled(kSessionPictureSide, kSessionPictureSide, Qt::KeepAspectRatio,
                                      Qt::SmoothTransformation);
  QByteArray content;
  QBuffer buffer(&content);
  buffer.open(QIODevice::WriteOnly);
  if (!small.save(&buffer, "PNG")) return;
  try {
    io::write_atomically(picture_beside(session), content.toStdString());
  } catch (const OutputError&) {
    // The session can be recognised without it.
  }
}

QImage kept_picture(const std::filesystem::path& session) {
  QImageReader reader(path_of(session), "PNG");
  // Our thumbnails are small; another file of that name must not be loaded.
  const QSize size = reader.size();
  if (size.width() > kSessionPictureSide || size.height() > kSessionPictureSide) return {};
  return reader.read();
}

}  // namespace seedwave::ui
