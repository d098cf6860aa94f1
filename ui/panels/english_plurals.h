// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTranslator>

namespace seedwave::ui {

/// Gives the source language its plural forms: "%n stroke(s)" reads "1 stroke" or "2 strokes".
///
/// Other languages come from Qt Linguist files, which hold theirs; installed before those.
class EnglishPlurals : public QTranslator {
  Q_OBJECT

 public:
  using QTranslator::QTranslator;

  [[nodiscard]] QString translate(const char* context, const char* source,
                                  const char* disambiguation, int n) const override;
  [[nodiscard]] bool isEmpty() const override { return false; }
};

}  // namespace seedwave::ui
