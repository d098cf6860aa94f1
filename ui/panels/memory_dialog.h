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

/// One part of the program's memory.
struct MemoryPart {
  QString what;
  QString tip;
  std::int64_t bytes = 0;
  /// Above this limit the oldest entries are evicted. 0: as large as the open data.
  std::int64_t most_bytes = 0;
};

/// All parts, and the memory of the machine.
struct MemoryUse {
  std::vector<MemoryPart> parts;
  std::int64_t process_bytes = 0;
  std::int64_t most_process_bytes = 0;  // so far
  std::int64_t machine_bytes = 0;
  std::int64_t available_bytes = 0;
  /// "NVIDIA H200: 3.1 GB free of 4.0 GB", one line for each device.
  QStringList devices;
};

/// Measures the memory of process and machine as Linux counts it; zeros if unknown.
void measure_memory(MemoryUse& use);

/// Returns "3.1 GB", "240 MB", "0.4 MB", or "–" for nothing; in powers of 1024, like the limits.
[[nodiscard]] QString bytes_text(std::int64_t bytes);

/// The program's memory with its limits, and a button that frees caches.
class MemoryDialog : public QDialog {
  Q_OBJECT

 public:
  /// look: called immediately and after `free_caches`.
  MemoryDialog(std::function<MemoryUse()> look, std::function<void()> free_caches,
               QWidget* parent = nullptr);

 private:
  void show_use();

  std::function<MemoryUse()> look_;
  QTreeWidget* list_ = nullptr;
  QLabel* machine_ = nullptr;
};

}  // namespace seedwave::ui
