// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/channel_model.h"

#include <QWidget>

class QTreeView;

namespace seedwave::ui {

/// The channels of a slide with several: which are seen, in which colours, how bright, and which
/// one operations read.
class ChannelPanel : public QWidget {
  Q_OBJECT

 public:
  /// `model` must outlive this.
  explicit ChannelPanel(ChannelModel& model, QWidget* parent = nullptr);

 signals:
  /// Operations shall read the channel.
  void work_wanted(int channel);
  /// The channel's brightness shall follow its values.
  void automatic_wanted(int channel);

 private:
  void choose_color();
  /// Returns the channel of the current row; -1 for none.
  [[nodiscard]] int current() const;

  ChannelModel& model_;
  QTreeView* list_ = nullptr;
};

}  // namespace seedwave::ui
