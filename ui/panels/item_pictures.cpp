// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/item_pictures.h"

#include "core/base/error.h"

#include <string>

namespace seedwave::ui {

QImage image_of_bytes(const Volume& picture) {
  const auto width = static_cast<int>(picture.geometry().size[0]);
  const auto height = static_cast<int>(picture.geometry().size[1]);
  const qsizetype stride = qsizetype{width} * picture.components();
  const QImage borrowed(
      reinterpret_cast<const uchar*>(picture.bytes().data()), width, height, stride,
      picture.components() == 3 ? QImage::Format_RGB888 : QImage::Format_Grayscale8);
  return borrowed.copy();  // the picture's voxels are released
}

ItemPictures::ItemPictures(int side, QObject* parent)
    : QObject(parent),
      side_(side),
      jobs_([](std::uint64_t, const std::string&, double) {},
            [](std::uint64_t, const JobOutcome&) {}) {}

void ItemPictures::start(const std::vector<io::Item>& items) {
  jobs_.submit([this, items, series = ++series_](Context& context) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      context.checkpoint(static_cast<double>(i) / static_cast<double>(items.size()));
      QImage picture;
      try {
        picture = image_of_bytes(io::thumbnail(items[i], side_, context));
      } catch (const Error&) {
        continue;  // the list says why the item cannot be opened
      }
      mailbox_.post([this, i, picture, series] {
        if (series == series_) emit ready(i, picture);
      });
    }
  });
}

}  // namespace seedwave::ui
