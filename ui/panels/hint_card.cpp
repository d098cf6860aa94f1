// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/hint_card.h"

#include "core/image/label_map.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QVBoxLayout>

namespace seedwave::ui {

namespace {

QString hint_key() {
  return QStringLiteral("window/hint_closed");
}

}  // namespace

HintCard::HintCard(const Workbench& workbench, QWidget* parent)
    : QFrame(parent), workbench_(workbench) {
  setObjectName(QStringLiteral("hint"));
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  auto* layout = new QGridLayout(this);
  layout->setContentsMargins(12, 6, 12, 6);
  layout->setHorizontalSpacing(18);
  int column = 0;
  for (QLabel*& label : steps_) {
    label = new QLabel(this);
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
    QSettings().setValue(hint_key(), true);
    emit closed();
  });
  connect(&workbench_, &Workbench::part_changed, this, [this](Part part) {
    if (part == Part::Labels) name_labels();
  });
  connect(&workbench_, &Workbench::image_changed, this, &HintCard::name_labels);
  name_labels();
}

void HintCard::name_labels() {
  const auto& labels = workbench_.document().labels;
  // "the object (brain)", or without labels "the object".
  const auto named = [&](std::size_t at, const QString& what) {
    if (at >= labels.size()) return what;
    return tr("%1 (<i>%2</i>)").arg(what, QString::fromStdString(labels[at].name).toHtmlEscaped());
  };
  const Label key = labels.size() > 1 ? labels[1].id : Label{2};
  steps_[0]->setText(tr("<b>1</b>  Paint %1 with the left mouse button. The right button erases.")
                         .arg(named(0, tr("the object"))));
  steps_[1]->setText(
      tr("<b>2</b>  Press <b>%1</b> and paint %2.").arg(key).arg(named(1, tr("everything else"))));
  steps_[2]->setText(
      tr("<b>3</b>  Watch the result update. For the strokes of the sample, press "
         "<b>Ctrl+Enter</b>."));
}

bool HintCard::is_wanted() {
  return !QSettings().value(hint_key(), false).toBool();
}

}  // namespace seedwave::ui
