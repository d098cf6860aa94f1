// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/job_runner.h"
#include "core/io/image_source.h"
#include "ui/base/mailbox.h"

#include <QImage>
#include <QObject>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace seedwave::ui {

/// Makes thumbnails of a scan's items in the background, one after the other.
class ItemPictures : public QObject {
  Q_OBJECT

 public:
  /// `side`: pixels of the longer side.
  explicit ItemPictures(int side, QObject* parent = nullptr);

  /// Replaces what is under way. An item that cannot be read gets no picture.
  void start(const std::vector<io::Item>& items);

 signals:
  /// `item`: its place among those that start() was given.
  void ready(std::size_t item, const QImage& picture);

 private:
  int side_;
  std::uint64_t series_ = 0;
  Mailbox mailbox_;
  JobRunner jobs_;  // last: its thread ends before the rest goes
};

}  // namespace seedwave::ui
