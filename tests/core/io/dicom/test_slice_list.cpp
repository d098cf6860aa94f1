// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/io/dicom/slice_list.h"

#include <QTest>

#include <string>
#include <vector>

using namespace seedwave;
using namespace seedwave::io::dicom;

class TestSliceList : public QObject {
  Q_OBJECT
 private slots:
  void is_written_briefly_data();
  void is_written_briefly();
  void refuses_what_it_does_not_write();
};

void TestSliceList::is_written_briefly_data() {
  QTest::addColumn<std::vector<int>>("frames");
  QTest::addColumn<bool>("resampled");
  QTest::addColumn<QString>("text");
  const auto row = [](const char* text, std::vector<int> frames, bool resampled = false) {
    QTest::newRow(text) << std::move(frames) << resampled << text;
  };
  row("", {});
  row("repair=resample", {}, true);
  row("frames=3", {3});
  row("frames=0,1", {0, 1});
  row("frames=0-2", {0, 1, 2});
  row("frames=0-3", {0, 1, 2, 3});
  row("frames=1-7/2", {1, 3, 5, 7});
  row("frames=5,4,3", {5, 4, 3});
  row("frames=0-62/2,70;repair=resample",
      {0,  2,  4,  6,  8,  10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32,
       34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 70},
      true);
  row("frames=0-2,9,4-6", {0, 1, 2, 9, 4, 5, 6});
}

void TestSliceList::is_written_briefly() {
  QFETCH(std::vector<int>, frames);
  QFETCH(bool, resampled);
  QFETCH(QString, text);
  const SliceList list{.frames = frames, .repair = resampled ? Repair::Resample : Repair::None};
  QCOMPARE(QString::fromStdString(write_part(list)), text);
  const SliceList again = read_part(text.toStdString());
  QCOMPARE(again.frames, list.frames);
  QVERIFY(again.repair == list.repair);
}

void TestSliceList::refuses_what_it_does_not_write() {
  for (const char* text : {"frames=", "frames=1-", "frames=3-1", "frames=1-5/0", "frames=1;",
                           "frames=1,", "repair=", "3", "frames=-1", "frames=0-2000000000"})
    QVERIFY_EXCEPTION_THROWN((void)read_part(text), InputError);
}

QTEST_GUILESS_MAIN(TestSliceList)
#include "test_slice_list.moc"
