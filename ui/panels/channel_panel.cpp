// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/channel_panel.h"

#include "ui/panels/list_view.h"
#include "ui/panels/swatch.h"

#include <QColorDialog>
#include <QGridLayout>
#include <QPushButton>
#include <QTreeView>

namespace seedwave::ui {

ChannelPanel::ChannelPanel(ChannelModel& model, QWidget* parent) : QWidget(parent), model_(model) {
  auto* layout = new QGridLayout(this);
  list_ = make_list_view(model, QStringLiteral("channels"), tr("Channels"), ChannelModel::Channel,
                         this, tr("For slides with several channels."));
  list_->setItemDelegateForColumn(ChannelModel::Channel, new SwatchDelegate(list_));
  list_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  layout->addWidget(list_, 0, 0, 1, 2);
  const auto add_button = [&](const QString& text, const QString& tip, int row, int column) {
    auto* button = new QPushButton(text, this);
    button->setToolTip(tip);
    layout->addWidget(button, row, column);
    return button;
  };
  auto* color = add_button(tr("Colour…"), tr("Choose the colour of the channel"), 1, 0);
  auto* automatic =
      add_button(tr("Automatic"), tr("Set black and full from the channel's values"), 1, 1);
  auto* work = add_button(tr("Work on it"), tr("Let operations read this channel"), 2, 0);
  work->setObjectName(QStringLiteral("work_on_channel"));
  connect(color, &QPushButton::clicked, this, &ChannelPanel::choose_color);
  connect(automatic, &QPushButton::clicked, this, [this] {
    if (current() >= 0) emit automatic_wanted(current());
  });
  connect(work, &QPushButton::clicked, this, [this] {
    if (current() >= 0) emit work_wanted(current());
  });
}

int ChannelPanel::current() const {
  return list_->currentIndex().isValid() ? list_->currentIndex().row() : model_.image_channel();
}

void ChannelPanel::choose_color() {
  if (model_.rowCount() == 0) return;
  const ChannelLook& look = model_.looks().at(static_cast<std::size_t>(current()));
  const QColor color = QColorDialog::getColor(look.color, this, tr("Colour of %1").arg(look.name));
  if (color.isValid()) model_.set_color(current(), color);
}

}  // namespace seedwave::ui
