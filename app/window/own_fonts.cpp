// SPDX-License-Identifier: Apache-2.0
#include "app/window/own_fonts.h"

#include <QApplication>
#include <QDir>
#include <QFontDatabase>
#include <QFontInfo>

namespace seedwave::app {

void add_own_fonts_where_there_are_none() {
  // QFontDatabase::families() cannot tell: it lists fontconfig's generic names in any case.
  if (!QFontInfo(QApplication::font()).family().isEmpty()) return;
  const QDir folder(QCoreApplication::applicationDirPath() +
                    QStringLiteral("/../share/seedwave/fonts"));
  for (const QString& file : folder.entryList({QStringLiteral("*.ttf")}, QDir::Files))
    QFontDatabase::addApplicationFont(folder.filePath(file));
}

}  // namespace seedwave::app
