// SPDX-License-Identifier: Apache-2.0
#include "ui/models/stroke_model.h"

#include <QStringList>
#include <QTest>

namespace seedwave::ui {

namespace {

PreparedImage small_image() {
  Geometry geometry;
  geometry.size = {4, 3, 2};
  io::LoadedImage image;
  image.volume = Volume(geometry, std::vector<std::uint8_t>(24));
  return prepare(image, io::ItemKind::Volume);
}

Stroke stroke_at(double x) {
  return {.label = 1, .radius_mm = 1.0, .points = {{x, 0, 0}}, .plane = {}};
}

QStringList texts(const StrokeModel& model) {
  QStringList list;
  for (int row = 0; row < model.rowCount(); ++row) {
    list << model.data(model.index(row, StrokeModel::Label), Qt::DisplayRole).toString();
  }
  return list;
}

}  // namespace

class TestStrokeModel : public QObject {
  Q_OBJECT

 private slots:
  void a_stroke_keeps_its_number() {
    Workbench workbench;
    const StrokeModel model(workbench);
    workbench.set_image(small_image(), Source{});
    for (const double x : {0.0, 1.0, 2.0})
      workbench.steps().add_stroke(stroke_at(x));
    const QStringList all{"1  object", "2  object", "3  object"};
    QCOMPARE(texts(model), all);
    workbench.steps().withdraw_strokes({1});
    QCOMPARE(texts(model), (QStringList{"1  object", "3  object"}));
    workbench.steps().add_stroke(stroke_at(5.0));
    QCOMPARE(texts(model), (QStringList{"1  object", "3  object", "4  object"}));
    workbench.steps().undo_stack().undo();
    workbench.steps().undo_stack().undo();
    QCOMPARE(texts(model), all);
    workbench.steps().withdraw_strokes({0, 1, 2});
    workbench.steps().undo_stack().undo();
    QCOMPARE(texts(model), all);
  }

  void equal_strokes_have_numbers_of_their_own() {
    Workbench workbench;
    const StrokeModel model(workbench);
    workbench.set_image(small_image(), Source{});
    workbench.steps().add_stroke(stroke_at(0.0));
    workbench.steps().add_stroke(stroke_at(0.0));
    QCOMPARE(texts(model), (QStringList{"1  object", "2  object"}));
  }

  void another_image_counts_from_one() {
    Workbench workbench;
    const StrokeModel model(workbench);
    workbench.set_image(small_image(), Source{});
    workbench.steps().add_stroke(stroke_at(0.0));
    workbench.set_image(small_image(), Source{});
    workbench.steps().add_stroke(stroke_at(1.0));
    QCOMPARE(texts(model), QStringList{"1  object"});
  }
};

}  // namespace seedwave::ui

QTEST_MAIN(seedwave::ui::TestStrokeModel)
#include "test_stroke_model.moc"
