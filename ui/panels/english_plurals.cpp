// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/english_plurals.h"

namespace seedwave::ui {

QString EnglishPlurals::translate(const char* /*context*/, const char* source,
                                  const char* /*disambiguation*/, int n) const {
  const QString text = QString::fromUtf8(source);
  if (n < 0 || !text.contains(QLatin1String("(s)"))) return {};  // no translation: Qt continues
  return QString(text).replace(QLatin1String("(s)"), n == 1 ? QString() : QStringLiteral("s"));
}

}  // namespace seedwave::ui
