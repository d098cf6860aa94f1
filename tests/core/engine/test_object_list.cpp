// SPDX-License-Identifier: Apache-2.0
#include "core/engine/object_filter.h"
#include "core/engine/object_list.h"
#include "core/image/channel.h"

#include <QString>
#include <QStringList>
#include <QTest>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

using namespace seedwave;

namespace {

/// A ring and a square of label 2, the square inside the ring's box, and a pixel of label 5.
LabelMap ring_and_square() {
  Geometry geometry;
  geometry.size = {7, 6, 1};
  geometry.unit = LengthUnit::Pixel;
  return {geometry, std::vector<std::uint8_t>{2, 2, 2, 2, 2, 0, 0,  //
                                              2, 0, 0, 0, 2, 0, 5,  //
                                              2, 0, 2, 0, 2, 0, 0,  //
                                              2, 0, 0, 0, 2, 0, 0,  //
                                              2, 2, 2, 2, 2, 0, 0,  //
                                              0, 0, 0, 0, 0, 0, 0}};
}

ObjectList list_of(const LabelMap& labels, bool are_numbered) {
  Context context;
  return {labels, are_numbered, {}, {}, context};
}

}  // namespace

class TestObjectList : public QObject {
  Q_OBJECT
 private slots:
  void parts_of_labels_are_objects();
  void numbered_labels_are_objects();
  void a_voxel_leads_to_its_object();
  void an_object_is_found_by_a_voxel_of_its_own();
  void the_table_keeps_the_order_asked_for();
  void own_stains_are_columns_of_their_own();
  void an_empty_map_has_none();
};

void TestObjectList::parts_of_labels_are_objects() {
  Context context;
  const ObjectList list = list_of(ring_and_square(), false);
  QCOMPARE(list.objects().size(), std::size_t{3});
  QCOMPARE(list.voxels_of(0, context).size(), std::size_t{16});
  QCOMPARE(list.voxels_of(1, context), (std::vector<std::int64_t>{13}));
  QCOMPARE(list.voxels_of(2, context), (std::vector<std::int64_t>{16}));
  QCOMPARE(list.median_voxels(), std::int64_t{1});
}

void TestObjectList::numbered_labels_are_objects() {
  Context context;
  const ObjectList list = list_of(ring_and_square(), true);
  QCOMPARE(list.objects().size(), std::size_t{2});
  QCOMPARE(list.objects()[0].label, Label{2});
  QCOMPARE(list.voxels_of(0, context).size(), std::size_t{17});
  QVERIFY(std::ranges::is_sorted(list.voxels_of(0, context)));
}

void TestObjectList::a_voxel_leads_to_its_object() {
  Context context;
  for (const bool are_numbered : {false, true}) {
    const LabelMap labels = ring_and_square();
    const ObjectList list = list_of(labels, are_numbered);
    for (std::size_t object = 0; object < list.objects().size(); ++object) {
      for (const std::int64_t voxel : list.voxels_of(object, context))
        QCOMPARE(list.object_at(labels.geometry().index_of(voxel), context), std::optional(object));
    }
    QVERIFY(!list.object_at({1, 1, 0}, context));
    QVERIFY(!list.object_at({7, 0, 0}, context));
    QVERIFY(!list.object_at({-1, 0, 0}, context));
  }
}

void TestObjectList::an_object_is_found_by_a_voxel_of_its_own() {
  Context context;
  const ObjectList list = list_of(ring_and_square(), false);
  // The centre of the ring is the pixel in its hole.
  QCOMPARE(list.objects()[0].centre(), (Vec3{2, 2, 0}));
  QCOMPARE(list.middle_of(0, context), (Index3{2, 0, 0}));
  QCOMPARE(list.middle_of(1, context), (Index3{6, 1, 0}));
}

void TestObjectList::the_table_keeps_the_order_asked_for() {
  const ObjectList list = list_of(ring_and_square(), false);
  const std::vector<std::int32_t> order{2, 0};
  const QStringList lines = QString::fromStdString(list.csv(order)).split('\n');
  QCOMPARE(lines.size(), 4);
  QVERIFY(
      lines[0].startsWith("number,label,voxels,size,x,y,z,left,top,front,columns,rows,slices,"));
  QVERIFY(lines[1].startsWith("1,2,1,1,2,2,0,2,2,0,1,1,1,"));
  QVERIFY(lines[2].startsWith("2,2,16,16,2,2,0,0,0,0,5,5,1,"));
}

void TestObjectList::own_stains_are_columns_of_their_own() {
  const LabelMap labels = ring_and_square();
  std::vector<std::uint8_t> rgb(static_cast<std::size_t>(3 * labels.geometry().voxel_count()));
  for (std::size_t i = 0; i < rgb.size(); ++i)
    rgb[i] = static_cast<std::uint8_t>(i * 7919 % 256);
  const Volume image(labels.geometry(), rgb, 3);
  const std::vector<std::string> own{"stain:0.6,0.7,0.3:0.2,0.5,0.8",
                                     "stain:0.2,0.5,0.8:0.6,0.7,0.3"};
  Context context;
  const ObjectList list(labels, false, image, own, context);
  QCOMPARE(list.own_stains(), own);
  for (std::size_t stain = 0; stain < own.size(); ++stain) {
    const std::string name = "stain_" + std::to_string(stain + 1) + "_";
    const ObjectList alone(labels, false, channel_of(image, own[stain]), own, context);
    QVERIFY(!alone.find_column(name + "mean"));  // the image has no colours
    for (const char* statistic : {"mean", "standard_deviation", "minimum", "maximum"}) {
      const auto column = list.find_column(name + statistic);
      QVERIFY(column.has_value());
      for (std::size_t object = 0; object < list.objects().size(); ++object)
        QCOMPARE(list.number(*column, object), alone.number(*alone.find_column(statistic), object));
    }
  }
  const ObjectFilter filter = parse_object_filter("stain_2_mean > 0.1 and Stain 1: Mean < 3", list);
  QCOMPARE(filter[0].column, *list.find_column("stain_2_mean"));
  QCOMPARE(filter[1].column, *list.find_column("stain_1_mean"));
  const QString csv = QString::fromStdString(list.csv(std::vector<std::int32_t>{0}));
  QVERIFY(csv.section('\n', 0, 0).endsWith("stain_2_minimum,stain_2_maximum"));
}

void TestObjectList::an_empty_map_has_none() {
  Context context;
  const ObjectList none;
  QVERIFY(none.objects().empty());
  QVERIFY(!none.object_at({0, 0, 0}, context));
  QCOMPARE(none.median_voxels(), std::int64_t{0});
}

QTEST_APPLESS_MAIN(TestObjectList)
#include "test_object_list.moc"
