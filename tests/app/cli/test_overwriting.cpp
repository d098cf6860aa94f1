// SPDX-License-Identifier: Apache-2.0
//
// An output that would overwrite an input is refused, whatever path names it.
#include "core/io/image_source.h"
#include "core/io/labels.h"
#include "tests/app/cli/cli_process.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace seedwave;
using test::CliOutcome;
using test::run_cli;

namespace fs = std::filesystem;

class TestOverwriting : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    Geometry grid;
    grid.size = {8, 6, 4};
    std::vector<std::int16_t> voxels(static_cast<std::size_t>(grid.voxel_count()));
    std::vector<std::uint16_t> labels(voxels.size());
    for (std::size_t i = 0; i < voxels.size(); ++i) {
      voxels[i] = static_cast<std::int16_t>(i);
      labels[i] = i < 8 ? 1 : i + 8 > voxels.size() ? 2 : 0;
    }
    fs::create_directory(path("study"));
    io::save_volume(path("study/a.nii"), Volume(grid, voxels));
    io::save_volume(path("a.nii"), Volume(grid, std::move(voxels)));
    io::save_labels(path("seeds.nii"), LabelMap(grid, labels));
    io::save_labels(path("truth.nii"), LabelMap(grid, std::move(labels)));
    fs::create_symlink(path("a.nii"), path("link.nii"));
    fs::create_hard_link(path("a.nii"), path("hard.nii"));
    fs::create_directory_symlink(path("study"), path("linked study"));
    fs::create_hard_link(path("truth.nii"), path("truth.csv"));
  }

  void is_refused_unless_allowed_data();
  void is_refused_unless_allowed();
  void what_is_not_read_is_overwritten_as_ever();

 private:
  [[nodiscard]] fs::path path(const char* name) const {
    return fs::path(folder_->path().toStdString()) / name;
  }
  [[nodiscard]] QString file(const char* name) const { return folder_->filePath(name); }
  [[nodiscard]] QByteArray bytes(const QString& name) const {
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

  std::unique_ptr<QTemporaryDir> folder_;
};

void TestOverwriting::is_refused_unless_allowed_data() {
  QTest::addColumn<QStringList>("words");  // %1: the folder
  QTest::addColumn<QString>("output");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* name, const QString& words, const QString& output,
                      const QString& part) {
    QTest::newRow(name) << words.split(' ') << output << part;
  };
  const QString threshold = "run threshold --image %1/a.nii --low 3";
  const QString irfc = "run irfc --image %1/a.nii --seeds %1/seeds.nii --reference %1/truth.nii";
  row("the image", threshold + " --out %1/a.nii", "a.nii", "--image names");
  row("another path to it", threshold + " --out %1/study/../a.nii", "a.nii", "--image names");
  row("a symbolic link", threshold + " --out %1/link.nii", "link.nii", "--image names");
  row("a hard link", threshold + " --out %1/hard.nii", "hard.nii", "--image names");
  row("the seeds", irfc + " --out %1/seeds.nii", "seeds.nii", "--seeds names");
  row("the reference", irfc + " --out-strength %1/truth.nii", "truth.nii", "--reference names");
  row("the mask", irfc + " --mask %1/hard.nii --out %1/hard.nii", "hard.nii", "names");
  row("a file of the folder", "run threshold --image %1/study --low 3 --out %1/study/a.nii",
      "study/a.nii", "a file in the folder that --image names");
  row("a file of the linked folder",
      "run threshold --image %1/linked_study --low 3 --out %1/study/a.nii", "study/a.nii",
      "a file in the folder that --image names");
  row("convert", "convert %1/a.nii %1/a.nii", "a.nii", "OUT would overwrite");
  row("sweep",
      "sweep threshold --image %1/a.nii --reference %1/truth.csv --vary low=1,2 "
      "--out %1/truth.csv",
      "truth.csv", "--reference names");
}

void TestOverwriting::is_refused_unless_allowed() {
  QFETCH(QStringList, words);
  QFETCH(QString, output);
  QFETCH(QString, part);
  for (QString& word : words)
    word.replace("%1", folder_->path()).replace("linked_study", "linked study");
  const QByteArray before = bytes(folder_->filePath(output));
  QVERIFY(!before.isEmpty());
  const CliOutcome refused = run_cli(words);
  QCOMPARE(refused.code, 2);
  QVERIFY2(refused.err.contains(part.toUtf8()), refused.err.constData());
  QVERIFY2(refused.err.contains("--overwrite"), refused.err.constData());
  QCOMPARE(refused.err.count('\n'), 1);
  QVERIFY(bytes(folder_->filePath(output)) == before);
  const CliOutcome allowed = run_cli(words + QStringList{"--overwrite"});
  QVERIFY2(allowed.code == 0, allowed.err.constData());
  if (words.front() != "convert") QVERIFY(bytes(folder_->filePath(output)) != before);
}

void TestOverwriting::what_is_not_read_is_overwritten_as_ever() {
  for (int i = 0; i < 2; ++i) {
    const CliOutcome outcome =
        run_cli({"run", "threshold", "--image", file("a.nii"), "--out", file("out.nii")});
    QVERIFY2(outcome.code == 0, outcome.err.constData());
  }
}

QTEST_GUILESS_MAIN(TestOverwriting)
#include "test_overwriting.moc"
