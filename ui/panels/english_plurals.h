// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTranslator>

namespace seedwave::ui {

/// Plural forms of the source language: "%n stroke(s)" reads "1 stroke" or "2 strokes".
///
/// Other languages have Qt Linguist files with their own plural forms. Install this translator
/// before them.
class EnglishPlurals : public QTranslator {
  Q_OBJECT

 public:
  using QTranslator::QTranslator;

  [[nodiscard]] QString translate(const char* context, const char* source,
                                  const char* disambiguation, int n) const override;
  [[nodiscard]] bool isEmpty() const override { return false; }
};

}  // namespace seedwave::ui
