// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/hint_card.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QVBoxLayout>

namespace seedwave::ui {

namespace {

QString settings_key() {
  return QStringLiteral("window/hint_closed");
}

}  // namespace

HintCard::HintCard(QWidget* parent) : QFrame(parent) {
  setObjectName(QStringLiteral("hint"));
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  auto* layout = new QGridLayout(this);
  layout->setContentsMargins(12, 6, 12, 6);
  layout->setHorizontalSpacing(18);
  const QString steps[] = {
      tr("<b>1</b>  Paint what you want: left button. The right one erases."),
      tr("<b>2</b>  Press <b>2</b> and paint what you do not want."),
      tr("<b>3</b>  Watch the result follow. For the strokes of the sample press "
         "<b>Ctrl+Enter</b>."),
  };
  int column = 0;
  for (const QString& step : steps) {
    auto* label = new QLabel(step, this);
    label->setTextFormat(Qt::RichText);
    label->setWordWrap(true);
    layout->addWidget(label, 0, column);
    layout->setColumnStretch(column, 1);
    ++column;
  }
  auto* close = new QPushButton(tr("Close"), this);
  auto* never = new QPushButton(tr("Do not show again"), this);
  never->setObjectName(QStringLiteral("hint_never"));
  auto* buttons = new QVBoxLayout;
  buttons->addWidget(close);
  buttons->addWidget(never);
  layout->addLayout(buttons, 0, column);
  connect(close, &QPushButton::clicked, this, &HintCard::closed);
  connect(never, &QPushButton::clicked, this, [this] {
    QSettings().setValue(settings_key(), true);
    emit closed();
  });
}

bool HintCard::is_wanted() {
  return !QSettings().value(settings_key(), false).toBool();
}

}  // namespace seedwave::ui
