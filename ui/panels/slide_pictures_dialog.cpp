// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/slide_pictures_dialog.h"

#include "core/base/error.h"
#include "ui/panels/item_pictures.h"
#include "ui/views/profile_colors.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPixmap>
#include <QTabWidget>
#include <QVBoxLayout>

#include <utility>
#include <vector>

namespace seedwave::ui {
namespace {

/// Largest size of a picture in the dialog.
constexpr int kMostWidth = 720;
constexpr int kMostHeight = 480;

struct ReadPicture {
  QString name;
  QImage image;
  /// The reason if it cannot be read.
  QString failure;
};

QImage image_of(const io::SlidePicture& picture, bool by_profile) {
  QImage image = image_of_bytes(picture.pixels);
  const auto colors = by_profile ? ProfileColors::from(picture.color_profile) : nullptr;
  if (colors == nullptr) return image;
  image.convertTo(QImage::Format_RGB32);
  colors->show(image.rect(), image);
  return image;
}

QWidget* page_of(const ReadPicture& picture, QWidget* parent) {
  auto* page = new QLabel(parent);
  page->setAlignment(Qt::AlignCenter);
  page->setMargin(8);
  if (picture.image.isNull()) {
    page->setText(picture.failure);
    page->setWordWrap(true);
    return page;
  }
  const bool fits = picture.image.width() <= kMostWidth && picture.image.height() <= kMostHeight;
  page->setPixmap(
      QPixmap::fromImage(fits ? picture.image
                              : picture.image.scaled(kMostWidth, kMostHeight, Qt::KeepAspectRatio,
                                                     Qt::SmoothTransformation)));
  page->setToolTip(SlidePicturesDialog::tr("%1 × %2 pixels")
                       .arg(picture.image.width())
                       .arg(picture.image.height()));
  return page;
}

}  // namespace

SlidePicturesDialog::SlidePicturesDialog(const std::shared_ptr<const io::Slide>& slide,
                                         bool by_profile, QWidget* parent)
    : QDialog(parent) {
  setObjectName(QStringLiteral("slide_pictures"));
  setWindowTitle(tr("Pictures of the slide"));
  auto* layout = new QVBoxLayout(this);
  auto* tabs = new QTabWidget(this);
  tabs->setMinimumSize(360, 240);
  layout->addWidget(tabs);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  layout->addWidget(buttons);
  task_.start([this, slide, by_profile, tabs](Context& context) -> BackgroundTask::Delivery {
    std::vector<ReadPicture> pictures;
    for (const std::string& name : slide->info().pictures) {
      ReadPicture read{.name = QString::fromStdString(name), .image = {}, .failure = {}};
      try {
        read.image = image_of(slide->picture(name, context), by_profile);
      } catch (const InputError& error) {
        read.failure = QString::fromUtf8(error.what());
      }
      pictures.push_back(std::move(read));
    }
    return [this, tabs, pictures] {
      for (const ReadPicture& picture : pictures)
        tabs->addTab(page_of(picture, tabs), picture.name);
      adjustSize();
    };
  });
}

}  // namespace seedwave::ui
