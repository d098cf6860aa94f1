// SPDX-License-Identifier: Apache-2.0
#include "core/io/label_table.h"
#include "core/io/labels.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cstdint>
#include <numeric>
#include <vector>

namespace seedwave::io {

namespace {

void write(const QString& path, const char* text) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(text);
}

}  // namespace

class TestStoredNames : public QObject {
  Q_OBJECT

 private slots:
  void reads_the_table_of_the_same_name() {
    const QTemporaryDir folder;
    const std::filesystem::path labels = folder.filePath("seg.nii.gz").toStdString();
    QVERIFY(stored_names(labels).names.empty());
    QVERIFY(stored_names(labels).warnings.empty());
    write(folder.filePath("seg.ctbl"), "4 hippo_R 255 255 0 255\n");
    QCOMPARE(stored_names(labels).names.front().name, std::string("hippo R"));
    write(folder.filePath("seg.label"), "4 255 255 0 1.0 1 1 \"Hippocampus right\"\n");
    QCOMPARE(stored_names(labels).names.front().name, std::string("Hippocampus right"));
    QCOMPARE(stored_names(folder.filePath("seg.nrrd").toStdString()).names.size(), std::size_t{1});
    QVERIFY(stored_names(folder.filePath("other.nrrd").toStdString()).names.empty());
  }

  void many_objects_are_read_again_without_names() {
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("objects.nrrd").toStdString();
    Geometry grid;
    grid.size = {300, 200, 1};
    grid.unit = LengthUnit::Pixel;
    std::vector<std::uint16_t> labels(300 * 200);
    std::iota(labels.begin(), labels.end(), std::uint16_t{1});
    save_named_labels(file, LabelMap(grid, labels), {});
    Context context;
    QVERIFY(read_labels(file, context).labels() == LabelMap(grid, labels).labels());
    QVERIFY(stored_names(file).names.empty());
  }

  void a_table_that_cannot_be_read_is_named_and_left_out() {
    const QTemporaryDir folder;
    write(folder.filePath("seg.label"), "four 255 255 0 1.0 1 1 \"x\"\n");
    const StoredNames beside = stored_names(folder.filePath("seg.nii").toStdString());
    QVERIFY(beside.names.empty());
    QCOMPARE(beside.warnings.size(), std::size_t{1});
    QVERIFY(beside.warnings.front().find("seg.label, line 1") != std::string::npos);
  }
};

}  // namespace seedwave::io

QTEST_MAIN(seedwave::io::TestStoredNames)
#include "test_stored_names.moc"
