// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <functional>
#include <vector>

class QLabel;
class QTreeWidget;

namespace seedwave::ui {

/// One part of what the program holds.
struct MemoryPart {
  QString what;
  QString tip;
  std::int64_t bytes = 0;
  /// Above this the oldest is given up; 0: as large as what is open.
  std::int64_t most_bytes = 0;
};

/// All of them, and what the machine has.
struct MemoryUse {
  std::vector<MemoryPart> parts;
  std::int64_t process_bytes = 0;
  std::int64_t machine_bytes = 0;
  std::int64_t available_bytes = 0;
  /// "NVIDIA H200: 3.1 GB free of 4.0 GB", a line a device.
  QStringList devices;
};

/// What process and machine have in memory, as Linux counts it; zeros where that is not known.
void measure_memory(MemoryUse& use);

/// "3.1 GB", "240 MB", "0.4 MB", "–" for nothing; in powers of 1024, as limits are set.
[[nodiscard]] QString bytes_text(std::int64_t bytes);

/// What the program holds in memory, with the limits, and a way to give up what only saves time.
class MemoryDialog : public QDialog {
  Q_OBJECT

 public:
  /// look: asked at once and after `free_caches`.
  MemoryDialog(std::function<MemoryUse()> look, std::function<void()> free_caches,
               QWidget* parent = nullptr);

 private:
  void show_use();

  std::function<MemoryUse()> look_;
  QTreeWidget* list_ = nullptr;
  QLabel* machine_ = nullptr;
};

}  // namespace seedwave::ui
