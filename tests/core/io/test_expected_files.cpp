// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/image/label_counts.h"
#include "core/image/label_map.h"
#include "core/io/image_source.h"
#include "core/io/labels.h"
#include "tests/support/test_data.h"

#include <QCryptographicHash>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <cmath>

using namespace seedwave;

namespace {

/// Adds what independent readers found in the test data: one row per file of the wanted kind.
void add_rows(const QString& kind) {
  QTest::addColumn<QJsonObject>("expected");
  const auto path = test::test_data("expected_geometry.json");
  QFile file(QString::fromStdString(path.string()));
  if (path.empty() || !file.open(QIODevice::ReadOnly)) {
    QTest::newRow("no test data") << QJsonObject();
    return;
  }
  const QJsonObject sets = QJsonDocument::fromJson(file.readAll()).object()["sets"].toObject();
  for (const auto& set : sets) {
    for (const auto& entry : set.toArray()) {
      const QJsonObject object = entry.toObject();
      if (object["kind"].toString() != kind) continue;
      QTest::newRow(object["path"].toString().toUtf8().constData()) << object;
    }
  }
}

QByteArray sha256_of(const Volume& volume) {
  const auto bytes = volume.bytes();
  return QCryptographicHash::hash(QByteArray(reinterpret_cast<const char*>(bytes.data()),
                                             static_cast<qsizetype>(bytes.size())),
                                  QCryptographicHash::Sha256)
      .toHex();
}

template <std::size_t N>
bool close_to(const std::array<double, N>& value, const QJsonArray& expected, double tolerance) {
  for (std::size_t i = 0; i < N; ++i) {
    if (!(std::abs(value[i] - expected[static_cast<int>(i)].toDouble()) <= tolerance)) return false;
  }
  return true;
}

bool same_counts(const LabelMap& map, const QJsonObject& expected) {
  const LabelCounts counts = count_labels(map);
  std::size_t found = 0;
  for (auto it = expected.begin(); it != expected.end(); ++it) {
    const auto label = static_cast<Label>(it.key().toInt());
    if (label == 0) continue;
    if (counts.of(label) != it.value().toInteger()) return false;
    found += counts.contains(label) ? 1 : 0;
  }
  return found == counts.size();
}

}  // namespace

/// The files of the test data give what independent readers found in them.
class TestExpectedFiles : public QObject {
  Q_OBJECT
 private slots:
  void reads_volumes_data() { add_rows("volume"); }
  void reads_volumes();
  void reads_pictures_data() { add_rows("image"); }
  void reads_pictures();
};

void TestExpectedFiles::reads_volumes() {
  QFETCH(QJsonObject, expected);
  const auto path = test::test_data(expected["path"].toString().toStdString());
  SEEDWAVE_NEED_DATA(path);
  Context context;
  const io::Scan scan = io::scan(path, context);
  QCOMPARE(scan.items.size(), std::size_t{1});
  const io::Item& item = scan.items.front();
  const io::LoadedImage image = io::load(item, context);
  const Geometry& g = image.volume.geometry();
  QVERIFY(same_grid(g, item.geometry));
  QCOMPARE(item.kind, io::ItemKind::Volume);
  QCOMPARE(image.volume.type(), item.type);
  for (int axis = 0; axis < 3; ++axis)
    QCOMPARE(g.size[axis], expected["dims"].toArray()[axis].toInteger());
  // The values were recorded with six decimals.
  QVERIFY(close_to(g.spacing, expected["spacing"].toArray(), 1e-6));
  QVERIFY(close_to(g.origin, expected["origin"].toArray(), 1e-5));
  QVERIFY(close_to(g.direction, expected["direction"].toArray(), 1e-6));
  const QString type = expected["value_type"].toString();
  QCOMPARE(image.volume.type(), type == "uint8" ? VoxelType::U8 : VoxelType::I16);
  const ValueRange range = value_range(image.volume);
  QCOMPARE(range.low, expected["value_range"].toArray()[0].toDouble());
  QCOMPARE(range.high, expected["value_range"].toArray()[1].toDouble());
  QCOMPARE(sha256_of(image.volume), expected["values_sha256"].toString().toLatin1());
  for (const auto& entry : expected["probes"].toArray()) {
    const QJsonArray at = entry.toObject()["index"].toArray();
    const Index3 index{at[0].toInteger(), at[1].toInteger(), at[2].toInteger()};
    QCOMPARE(image.volume.value_at(index), entry.toObject()["value"].toDouble());
    QVERIFY(close_to(g.to_world(index), entry.toObject()["lps"].toArray(), 1e-4));
  }
  if (expected.contains("label_voxels")) {
    QVERIFY(same_counts(io::load_labels(path, g, context), expected["label_voxels"].toObject()));
  }
}

void TestExpectedFiles::reads_pictures() {
  QFETCH(QJsonObject, expected);
  const auto path = test::test_data(expected["path"].toString().toStdString());
  SEEDWAVE_NEED_DATA(path);
  Context context;
  const io::Scan scan = io::scan(path, context);
  QCOMPARE(scan.items.size(), std::size_t{1});
  const io::LoadedImage image = io::load(scan.items.front(), context);
  const Geometry& g = image.volume.geometry();
  QCOMPARE(scan.items.front().kind, io::ItemKind::Image);
  QVERIFY(same_grid(g, scan.items.front().geometry));
  QCOMPARE(g.unit, LengthUnit::Pixel);
  QCOMPARE(g.size, (Index3{expected["width"].toInteger(), expected["height"].toInteger(), 1}));
  const QString mode = expected["mode"].toString();
  QCOMPARE(image.volume.components(), mode == "RGB" ? 3 : 1);
  QCOMPARE(image.volume.type(), mode == "I;16" ? VoxelType::U16 : VoxelType::U8);
  const ValueRange range = value_range(image.volume);
  QCOMPARE(range.low, expected["value_range"].toArray()[0].toDouble());
  QCOMPARE(range.high, expected["value_range"].toArray()[1].toDouble());
  if (expected.contains("pixels_sha256"))  // decoders of JPEG may round differently
    QCOMPARE(sha256_of(image.volume), expected["pixels_sha256"].toString().toLatin1());
  if (expected.contains("label_pixels"))
    QVERIFY(same_counts(io::load_labels(path, g, context), expected["label_pixels"].toObject()));
}

QTEST_GUILESS_MAIN(TestExpectedFiles)
#include "test_expected_files.moc"
