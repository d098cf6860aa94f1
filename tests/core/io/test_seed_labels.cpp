// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/io/labels.h"

#include <QObject>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>
#include <string>

namespace seedwave::io {

/// The labels of seeds JSON: their names and colours.
class TestSeedLabels : public QObject {
  Q_OBJECT

 private slots:
  void init() { QVERIFY(folder_.isValid()); }
  void what_is_written_is_read_again();
  void a_label_without_opacity_is_opaque();
  void a_wrong_file_is_refused_with_its_place_data();
  void a_wrong_file_is_refused_with_its_place();

 private:
  [[nodiscard]] std::filesystem::path path() const {
    return std::filesystem::path(folder_.path().toStdString()) / "seeds.json";
  }
  [[nodiscard]] static Geometry grid() {
    Geometry geometry;
    geometry.size = {7, 5, 3};
    return geometry;
  }
  void write(const std::string& text) const { std::ofstream(path()) << text; }

  QTemporaryDir folder_;
};

void TestSeedLabels::what_is_written_is_read_again() {
  SeedFile file;
  file.labels = {{.id = 1, .name = "brain", .color = "#e69f00"},
                 {.id = 2, .name = "other", .color = "#56b4e9", .opacity = 0.15}};
  file.seeds.strokes = {{.label = 1, .radius_mm = 1.5, .points = {{1, 2, 0}, {3.25, -4, 1e-3}}},
                        {.label = 0, .radius_mm = 0.0, .points = {{6, 4, 2}}}};
  save_seeds(path(), file);
  QVERIFY(is_seed_file(path()));
  const SeedFile read = load_seeds(path(), grid());
  QVERIFY(read.seeds == file.seeds);
  QVERIFY(read.labels == file.labels);
}

void TestSeedLabels::a_label_without_opacity_is_opaque() {
  write(R"({"seedwave": 1, "kind": "seeds", "space": "LPS-mm", "labels": [{"id": 3}],
            "strokes": []})");
  const SeedFile read = load_seeds(path(), grid());
  QCOMPARE(read.labels.size(), std::size_t{1});
  QCOMPARE(read.labels[0].opacity, 1.0);
}

void TestSeedLabels::a_wrong_file_is_refused_with_its_place_data() {
  QTest::addColumn<QString>("labels");
  QTest::addColumn<QString>("place");
  QTest::newRow("opacity above 1") << R"({"id": 1, "opacity": 2})"
                                   << "opacity";
  QTest::newRow("no colour") << R"({"id": 1, "color": "red"})"
                             << "color";
}

void TestSeedLabels::a_wrong_file_is_refused_with_its_place() {
  QFETCH(QString, labels);
  QFETCH(QString, place);
  write(R"({"seedwave": 1, "kind": "seeds", "space": "LPS-mm", "labels": [)" +
        labels.toStdString() + R"(], "strokes": []})");
  try {
    const SeedFile read = load_seeds(path(), grid());
    QFAIL("was read");
  } catch (const InputError& error) {
    const QString message = error.what();
    QVERIFY2(message.contains("seeds.json"), error.what());
    QVERIFY2(message.contains(place), error.what());
  }
}

}  // namespace seedwave::io

QTEST_GUILESS_MAIN(seedwave::io::TestSeedLabels)
#include "test_seed_labels.moc"
