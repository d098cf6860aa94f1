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

/// Returns a copy of an image of u8 with one component (grey) or three (RGB).
[[nodiscard]] QImage image_of_bytes(const Volume& picture);

/// Renders thumbnails of the items of a scan in the background, one after the other.
class ItemPictures : public QObject {
  Q_OBJECT

 public:
  /// `side`: the longer side in pixels.
  explicit ItemPictures(int side, QObject* parent = nullptr);

  /// Replaces the current work. An item that cannot be read gets no thumbnail.
  void start(const std::vector<io::Item>& items);

 signals:
  /// `item`: its place among the items given to start().
  void ready(std::size_t item, const QImage& picture);

 private:
  int side_;
  std::uint64_t series_ = 0;
  Mailbox mailbox_;
  JobRunner jobs_;  // last: its thread ends before the other members are destroyed
};

}  // namespace seedwave::ui
