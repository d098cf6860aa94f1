// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/histogram.h"

#include <QAbstractTableModel>
#include <QColor>
#include <QString>

#include <cstddef>
#include <string>
#include <vector>

namespace seedwave::ui {

/// The look of one channel of a slide with several.
struct ChannelLook {
  QString name;
  QColor color;
  bool shown = true;
  /// Has the width 0 until the channel was read.
  GreyWindow window{0.0, 0.0};
  friend bool operator==(const ChannelLook&, const ChannelLook&) = default;
};

/// Returns the first look of each channel: colours by the usual dyes, otherwise in turn; the first
/// four are shown.
[[nodiscard]] std::vector<ChannelLook> first_looks(const std::vector<std::string>& names);

/// The channels of a slide: shown or not, colour, and the values that are black and full. The
/// channel that operations read is in bold.
class ChannelModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Channel, Black, Full, ColumnCount };

  using QAbstractTableModel::QAbstractTableModel;

  /// `image`: the channel that operations read.
  void set_looks(const std::vector<ChannelLook>& looks, int image);
  [[nodiscard]] const std::vector<ChannelLook>& looks() const noexcept { return looks_; }
  [[nodiscard]] int image_channel() const noexcept { return image_; }
  void set_shown(int channel, bool shown);
  void set_color(int channel, const QColor& color);
  void set_window(int channel, const GreyWindow& window);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

 signals:
  void look_changed(int channel);

 private:
  void change(int channel, const ChannelLook& look);

  std::vector<ChannelLook> looks_;
  int image_ = 0;
};

}  // namespace seedwave::ui
