// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "ui/panels/slide_pictures_dialog.h"

#include <QColorSpace>
#include <QLabel>
#include <QPixmap>
#include <QTabWidget>
#include <QTest>

#include <memory>

using namespace seedwave;

namespace {

constexpr QRgb kStored = 0xFF28B450;  // changed by Adobe RGB in every channel

/// A slide with a label in Adobe RGB, and a macro picture that cannot be read.
class LabelledSlide final : public io::Slide {
 public:
  LabelledSlide() : Slide({.levels = {{1, 1, 1, 1}}, .pictures = {"label", "macro"}}) {}

 private:
  [[nodiscard]] io::SlidePicture read_picture(std::size_t at, Context& /*context*/) const override {
    if (at == 1) throw InputError("the picture is damaged");
    Geometry grid;
    grid.size = {1, 1, 1};
    const QByteArray profile = QColorSpace(QColorSpace::AdobeRgb).iccProfile();
    return {Volume(grid,
                   std::vector<std::uint8_t>{static_cast<std::uint8_t>(qRed(kStored)),
                                             static_cast<std::uint8_t>(qGreen(kStored)),
                                             static_cast<std::uint8_t>(qBlue(kStored))},
                   3),
            {profile.begin(), profile.end()}};
  }
  [[nodiscard]] Volume tile(int /*level*/, int /*channel*/, std::int64_t /*column*/,
                            std::int64_t /*row*/) const override {
    return {};
  }
};

/// Returns the pages of the dialog once they are there.
std::vector<QLabel*> pages_of(const ui::SlidePicturesDialog& dialog) {
  auto* const tabs = dialog.findChild<QTabWidget*>();
  (void)QTest::qWaitFor([&] { return tabs->count() == 2; });
  std::vector<QLabel*> pages;
  for (int i = 0; i < tabs->count(); ++i)
    pages.push_back(qobject_cast<QLabel*>(tabs->widget(i)));
  return pages;
}

QRgb color_of(const QLabel& page) {
  return page.pixmap().toImage().pixel(0, 0);
}

}  // namespace

class TestSlidePictures : public QObject {
  Q_OBJECT
 private slots:
  void colours_are_shown_by_the_picture_s_own_profile() {
    const ui::SlidePicturesDialog dialog(std::make_shared<LabelledSlide>(), true);
    const std::vector<QLabel*> pages = pages_of(dialog);
    QCOMPARE(pages.size(), std::size_t{2});
    const QRgb shown = color_of(*pages[0]);
    const QRgb expected = QColorSpace(QColorSpace::AdobeRgb)
                              .transformationToColorSpace(QColorSpace::SRgb)
                              .map(QRgb{kStored});
    QVERIFY(std::abs(qRed(shown) - qRed(expected)) <= 2);
    QVERIFY(std::abs(qGreen(shown) - qGreen(expected)) <= 2);
    QVERIFY(std::abs(qBlue(shown) - qBlue(expected)) <= 2);
    QVERIFY(shown != kStored);
  }

  void without_profiles_they_are_as_stored() {
    const ui::SlidePicturesDialog dialog(std::make_shared<LabelledSlide>(), false);
    QCOMPARE(color_of(*pages_of(dialog)[0]), QRgb{kStored});
  }

  void a_picture_that_cannot_be_read_says_why() {
    const ui::SlidePicturesDialog dialog(std::make_shared<LabelledSlide>(), true);
    QCOMPARE(pages_of(dialog)[1]->text(), QStringLiteral("the picture is damaged"));
  }
};

QTEST_MAIN(TestSlidePictures)
#include "test_slide_pictures.moc"
