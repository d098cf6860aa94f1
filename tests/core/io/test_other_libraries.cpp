// SPDX-License-Identifier: Apache-2.0
#include "core/io/image_source.h"

#include <QCryptographicHash>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <cmath>

using namespace seedwave;

namespace {

/// SHA-256 of the values as little-endian doubles, x fastest.
QByteArray sha256_of(const Volume& volume) {
  return visit_voxels(volume, [](auto voxels) {
    const std::vector<double> values(voxels.begin(), voxels.end());
    const QByteArray bytes(reinterpret_cast<const char*>(values.data()),
                           static_cast<qsizetype>(values.size() * sizeof(double)));
    return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex();
  });
}

template <std::size_t N>
double largest_difference(const std::array<double, N>& values, const QJsonArray& expected) {
  double largest = 0.0;
  for (std::size_t i = 0; i < N; ++i)
    largest = std::max(largest, std::abs(values[i] - expected[static_cast<int>(i)].toDouble()));
  return largest;
}

}  // namespace

/// Files written by nibabel, SimpleITK, pynrrd, pydicom, tifffile and numpy give what these
/// libraries read in them. tests/oracles/make_formats.py made the files and the list.
class TestOtherLibraries : public QObject {
  Q_OBJECT
 private slots:
  void reads_what_they_wrote_data();
  void reads_what_they_wrote();
};

void TestOtherLibraries::reads_what_they_wrote_data() {
  QTest::addColumn<QJsonObject>("expected");
  QFile file(QStringLiteral(SEEDWAVE_FORMATS "/expected.json"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QJsonArray cases = QJsonDocument::fromJson(file.readAll()).object()["cases"].toArray();
  QVERIFY(cases.size() > 90);
  for (const auto& entry : cases) {
    const QJsonObject one = entry.toObject();
    QTest::newRow(one["file"].toString().toUtf8().constData()) << one;
  }
}

void TestOtherLibraries::reads_what_they_wrote() {
  QFETCH(QJsonObject, expected);
  const std::string path =
      std::string(SEEDWAVE_FORMATS "/") + expected["file"].toString().toStdString();
  Context context;
  std::stop_source stop;
  stop.request_stop();
  Context stopped(Context::Settings{.stop = stop.get_token()});
  const io::Scan scan = io::scan(path, context);
  const QJsonArray images = expected["images"].toArray();
  QCOMPARE(static_cast<qsizetype>(scan.items.size()), images.size());
  for (std::size_t i = 0; i < scan.items.size(); ++i) {
    const io::Item& item = scan.items[i];
    const QJsonObject image = images[static_cast<int>(i)].toObject();
    const io::LoadedImage loaded = io::load(item, context);
    const Geometry& g = loaded.volume.geometry();
    QCOMPARE(item.kind == io::ItemKind::Volume ? "volume" : "image", expected["kind"].toString());
    QCOMPARE(g.unit == LengthUnit::Millimetre, expected["placed"].toBool());
    QVERIFY(same_grid(g, item.geometry));
    for (int axis = 0; axis < 3; ++axis)
      QCOMPARE(g.size[axis], image["size"].toArray()[axis].toInteger());
    QCOMPARE(loaded.volume.components(), image["components"].toInt());
    QCOMPARE(QString(name_of(loaded.volume.type()).data()), image["type"].toString());
    // NIfTI and GIPL store 32-bit numbers.
    QVERIFY(largest_difference(g.spacing, image["spacing"].toArray()) < 1e-6);
    QVERIFY(largest_difference(g.origin, image["origin"].toArray()) < 1e-4);
    QVERIFY(largest_difference(g.direction, image["direction"].toArray()) < 2e-6);
    QCOMPARE(sha256_of(loaded.volume), image["sha256"].toString().toLatin1());
    QVERIFY_EXCEPTION_THROWN((void)io::load(item, stopped), Cancelled);
  }
}

QTEST_GUILESS_MAIN(TestOtherLibraries)
#include "test_other_libraries.moc"
