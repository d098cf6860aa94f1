// SPDX-License-Identifier: Apache-2.0
#include "ui/models/channel_model.h"

#include <QFont>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace seedwave::ui {
namespace {

/// More at once are a muddle of colours.
constexpr std::size_t kShownAtFirst = 4;

const QColor kBlue(64, 110, 255);
const QColor kGreen(0, 220, 0);
const QColor kRed(255, 50, 40);
const QColor kMagenta(235, 60, 235);
const QColor kYellow(235, 215, 0);
const QColor kCyan(0, 215, 225);

/// The colours in which microscopists expect the usual dyes.
const std::array<std::pair<const char*, QColor>, 18> kDyes{{{"dapi", kBlue},
                                                            {"hoechst", kBlue},
                                                            {"405", kBlue},
                                                            {"fitc", kGreen},
                                                            {"gfp", kGreen},
                                                            {"488", kGreen},
                                                            {"tritc", kRed},
                                                            {"rfp", kRed},
                                                            {"cy3", kYellow},
                                                            {"546", kYellow},
                                                            {"555", kYellow},
                                                            {"568", kRed},
                                                            {"594", kRed},
                                                            {"texas", kRed},
                                                            {"mcherry", kRed},
                                                            {"cy5", kMagenta},
                                                            {"647", kMagenta},
                                                            {"cy7", kCyan}}};

QColor color_of_dye(const QString& name) {
  for (const auto& [part, color] : kDyes) {
    if (name.contains(QLatin1String(part), Qt::CaseInsensitive)) return color;
  }
  return {};
}

double edge_of(const GreyWindow& window, int column) {
  return column == ChannelModel::Black ? window.low() : window.high();
}

}  // namespace

std::vector<ChannelLook> first_looks(const std::vector<std::string>& names) {
  std::vector<ChannelLook> looks;
  std::vector<QColor> free{kBlue, kGreen, kRed, kYellow, kMagenta, kCyan};
  for (const std::string& name : names) {
    const QString title = QString::fromStdString(name);
    looks.push_back({.name = title,
                     .color = color_of_dye(title),
                     .shown = looks.size() < kShownAtFirst,
                     .window = {0.0, 0.0}});
    std::erase(free, looks.back().color);
  }
  std::size_t next = 0;
  for (ChannelLook& look : looks) {
    if (look.color.isValid()) continue;
    look.color = next < free.size() ? free[next] : QColor(Qt::white);
    ++next;
  }
  return looks;
}

void ChannelModel::set_looks(const std::vector<ChannelLook>& looks, int image) {
  beginResetModel();
  looks_ = looks;
  image_ = image;
  endResetModel();
}

void ChannelModel::change(int channel, const ChannelLook& look) {
  if (channel < 0 || channel >= rowCount()) return;
  ChannelLook& now = looks_[static_cast<std::size_t>(channel)];
  if (look == now) return;
  now = look;
  emit dataChanged(index(channel, 0), index(channel, ColumnCount - 1));
  emit look_changed(channel);
}

void ChannelModel::set_shown(int channel, bool shown) {
  ChannelLook look = looks_.at(static_cast<std::size_t>(channel));
  look.shown = shown;
  change(channel, look);
}

void ChannelModel::set_color(int channel, const QColor& color) {
  ChannelLook look = looks_.at(static_cast<std::size_t>(channel));
  look.color = color;
  change(channel, look);
}

void ChannelModel::set_window(int channel, const GreyWindow& window) {
  ChannelLook look = looks_.at(static_cast<std::size_t>(channel));
  look.window = window;
  change(channel, look);
}

int ChannelModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(looks_.size());
}

int ChannelModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant ChannelModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const ChannelLook& look = looks_[static_cast<std::size_t>(index.row())];
  if (role == Qt::FontRole && index.row() == image_) {
    QFont bold;
    bold.setBold(true);
    return bold;
  }
  if (role == Qt::ToolTipRole) {
    const QString key = index.row() < 9 ? tr(" (Alt+%1)").arg(index.row() + 1) : QString();
    return index.row() == image_ ? tr("Operations read this channel") + key
                                 : tr("Show or hide the channel") + key;
  }
  if (index.column() == Channel) {
    if (role == Qt::DisplayRole) return look.name;
    if (role == Qt::DecorationRole) return look.color;
    if (role == Qt::CheckStateRole) return look.shown ? Qt::Checked : Qt::Unchecked;
    return {};
  }
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignRight | Qt::AlignVCenter);
  if ((role == Qt::DisplayRole || role == Qt::EditRole) && look.window.width > 0.0) {
    // Finer than a thousandth of the window is not seen.
    const double step = std::pow(10.0, std::floor(std::log10(look.window.width)) - 3.0);
    return QString::number(std::round(edge_of(look.window, index.column()) / step) * step, 'g', 6);
  }
  return {};
}

Qt::ItemFlags ChannelModel::flags(const QModelIndex& index) const {
  const Qt::ItemFlags usual = QAbstractTableModel::flags(index);
  if (!index.isValid()) return usual;
  return index.column() == Channel ? usual | Qt::ItemIsUserCheckable : usual | Qt::ItemIsEditable;
}

bool ChannelModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || index.row() >= rowCount()) return false;
  if (index.column() == Channel) {
    if (role != Qt::CheckStateRole) return false;
    set_shown(index.row(), value.toInt() == Qt::Checked);
    return true;
  }
  bool is_number = false;
  const double edge = value.toString().toDouble(&is_number);
  const GreyWindow& window = looks_[static_cast<std::size_t>(index.row())].window;
  const double black = index.column() == Black ? edge : edge_of(window, Black);
  const double full = index.column() == Full ? edge : edge_of(window, Full);
  if (!is_number || !(full > black)) return false;
  set_window(index.row(), GreyWindow::between(black, full));
  return true;
}

QVariant ChannelModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case Channel:
      return tr("Channel");
    case Black:
      return tr("Black");
    default:
      return tr("Full");
  }
}

}  // namespace seedwave::ui
