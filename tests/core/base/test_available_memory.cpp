// SPDX-License-Identifier: Apache-2.0
#include "core/base/available_memory.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <map>
#include <memory>
#include <utility>

using namespace seedwave;

using Files = std::map<QString, QByteArray>;
Q_DECLARE_METATYPE(Files)

namespace {

constexpr std::int64_t kMega = std::int64_t{1} << 20;

QByteArray mega(std::int64_t count) {
  return QByteArray::number(static_cast<qlonglong>(count * kMega)) + "\n";
}

/// Returns a machine with 8,000 MB free and these additional files.
Files machine(Files more) {
  more.emplace("proc/meminfo",
               "MemTotal:       16000000 kB\nMemFree:         1000000 kB\n"
               "MemAvailable:    8192000 kB\nBuffers: 12 kB\n");
  return more;
}

constexpr const char* kV2Mount =
    "22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n"
    "30 22 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
constexpr const char* kV1Mounts =
    "22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n"
    "31 30 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
    "33 30 0:29 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n";

}  // namespace

class TestAvailableMemory : public QObject {
  Q_OBJECT
 private slots:
  void is_the_least_of_all_limits_data();
  void is_the_least_of_all_limits();
  void this_machine_has_some();
};

void TestAvailableMemory::is_the_least_of_all_limits_data() {
  QTest::addColumn<Files>("files");
  QTest::addColumn<std::int64_t>("expected_mega");
  const auto row = [](const char* name, Files files, std::int64_t expected) {
    QTest::newRow(name) << machine(std::move(files)) << expected;
  };
  row("no groups", {}, 8000);
  const Files v2{{"proc/self/mountinfo", kV2Mount}, {"proc/self/cgroup", "0::/a/b\n"}};
  const auto with = [](Files files, const Files& more) {
    files.insert(more.begin(), more.end());
    return files;
  };
  const QString top = "sys/fs/cgroup/";
  row("v2 without limits",
      with(v2, {{top + "a/b/memory.max", "max\n"},
                {top + "a/b/memory.high", "max\n"},
                {top + "a/b/memory.current", mega(900)}}),
      8000);
  row("v2, a limit of its own",
      with(v2, {{top + "a/b/memory.max", mega(400)}, {top + "a/b/memory.current", mega(100)}}),
      300);
  row("v2, page cache is given back",
      with(v2, {{top + "a/b/memory.max", mega(400)},
                {top + "a/b/memory.current", mega(390)},
                {top + "a/b/memory.stat",
                 "anon " + mega(40) + "file " + mega(350) + "inactive_file " + mega(350)}}),
      360);
  row("v2, high is below max",
      with(v2, {{top + "a/b/memory.max", mega(400)},
                {top + "a/b/memory.high", mega(200)},
                {top + "a/b/memory.current", mega(50)}}),
      150);
  row("v2, the group above is tighter",
      with(v2, {{top + "a/b/memory.max", mega(4000)},
                {top + "a/b/memory.current", mega(10)},
                {top + "a/memory.max", mega(1000)},
                {top + "a/memory.current", mega(900)}}),
      100);
  row("v2, nothing is left",
      with(v2, {{top + "a/b/memory.max", mega(400)}, {top + "a/b/memory.current", mega(410)}}), 0);
  row("v2, a container sees itself as the top",
      {{"proc/self/mountinfo", kV2Mount},
       {"proc/self/cgroup", "0::/\n"},
       {top + "memory.max", mega(400)},
       {top + "memory.current", mega(150)}},
      250);
  row("v2, its group lies outside of what is mounted",
      {{"proc/self/mountinfo", kV2Mount},
       {"proc/self/cgroup", "0::/../other\n"},
       {top + "memory.max", mega(700)},
       {top + "memory.current", mega(0)}},
      700);
  row("v2, a limit above what the machine has",
      with(v2, {{top + "a/b/memory.max", mega(90'000)}, {top + "a/b/memory.current", mega(1)}}),
      8000);
  const Files v1{{"proc/self/mountinfo", kV1Mounts},
                 {"proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/docker/c1\n0::/x\n"}};
  row("v1 without limits",
      with(v1, {{top + "memory/docker/c1/memory.limit_in_bytes", "9223372036854771712\n"},
                {top + "memory/docker/c1/memory.usage_in_bytes", mega(30)}}),
      8000);
  row("v1, a limit",
      with(v1,
           {{top + "memory/docker/c1/memory.limit_in_bytes", mega(400)},
            {top + "memory/docker/c1/memory.usage_in_bytes", mega(300)},
            {top + "memory/docker/c1/memory.stat", "cache " + mega(1) + "inactive_file " + mega(1) +
                                                       "total_inactive_file " + mega(100)}}),
      200);
  row("v1, the mount is the container's own group",
      {{"proc/self/mountinfo",
        "33 30 0:29 /docker/c1 /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"},
       {"proc/self/cgroup", "4:memory:/docker/c1/job\n"},
       {top + "memory/memory.limit_in_bytes", mega(500)},
       {top + "memory/memory.usage_in_bytes", mega(100)},
       {top + "memory/job/memory.limit_in_bytes", mega(250)},
       {top + "memory/job/memory.usage_in_bytes", mega(50)}},
      200);
  // The mount point is looked up, not guessed.
  row("both, mounted elsewhere",
      {{"proc/self/mountinfo",
        "33 30 0:29 / /v1/memory rw - cgroup cgroup rw,memory\n"
        "34 30 0:30 / /v2 rw - cgroup2 cgroup2 rw\n"},
       {"proc/self/cgroup", "4:memory:/\n0::/\n"},
       {"v1/memory/memory.limit_in_bytes", mega(600)},
       {"v1/memory/memory.usage_in_bytes", mega(0)},
       {"v2/memory.max", mega(500)},
       {"v2/memory.current", mega(0)}},
      500);
  row("files that hold nonsense",
      with(v2, {{top + "a/b/memory.max", "many\n"},
                {top + "a/b/memory.current", "few\n"},
                {top + "a/b/memory.stat", "\0\0 \n"}}),
      8000);
}

void TestAvailableMemory::is_the_least_of_all_limits() {
  QFETCH(Files, files);
  QFETCH(std::int64_t, expected_mega);
  const QTemporaryDir folder;
  for (const auto& [name, content] : files) {
    const QString path = folder.filePath(name);
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
  }
  QCOMPARE(available_memory(folder.path().toStdString()), expected_mega * kMega);
}

void TestAvailableMemory::this_machine_has_some() {
  QVERIFY(available_memory() > 0);
}

QTEST_GUILESS_MAIN(TestAvailableMemory)
#include "test_available_memory.moc"
