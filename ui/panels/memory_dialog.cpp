// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/memory_dialog.h"

#include <QDialogButtonBox>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <utility>

namespace seedwave::ui {

namespace {

enum MemoryColumn { PartColumn, HoldsColumn, LimitColumn, MemoryColumnCount };

/// Reads a figure of /proc in the form "MemTotal:   16384 kB"; 0 if there is none.
std::int64_t kilobytes_in(const QString& path, const QByteArray& key) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return 0;
  for (const QByteArray& line : file.readAll().split('\n')) {
    if (!line.startsWith(key + ':')) continue;
    return line.mid(key.size() + 1).simplified().split(' ').front().toLongLong() * 1024;
  }
  return 0;
}

}  // namespace

void measure_memory(MemoryUse& use) {
  use.process_bytes = kilobytes_in(QStringLiteral("/proc/self/status"), "VmRSS");
  use.most_process_bytes = kilobytes_in(QStringLiteral("/proc/self/status"), "VmHWM");
  use.machine_bytes = kilobytes_in(QStringLiteral("/proc/meminfo"), "MemTotal");
  use.available_bytes = kilobytes_in(QStringLiteral("/proc/meminfo"), "MemAvailable");
}

QString bytes_text(std::int64_t bytes) {
  constexpr double kMb = 1024.0 * 1024.0;
  constexpr double kGb = 1024.0 * kMb;
  if (bytes == 0) return QStringLiteral("–");
  const auto value = static_cast<double>(bytes);
  const QLocale locale;
  if (value >= kGb) return MemoryDialog::tr("%1 GB").arg(locale.toString(value / kGb, 'f', 1));
  const int decimals = value < 10.0 * kMb ? 1 : 0;
  return MemoryDialog::tr("%1 MB").arg(locale.toString(value / kMb, 'f', decimals));
}

MemoryDialog::MemoryDialog(std::function<MemoryUse()> look, std::function<void()> free_caches,
                           QWidget* parent)
    : QDialog(parent), look_(std::move(look)) {
  setObjectName(QStringLiteral("memory"));
  setWindowTitle(tr("Memory"));
  resize(460, 260);
  auto* layout = new QVBoxLayout(this);
  list_ = new QTreeWidget(this);
  list_->setObjectName(QStringLiteral("parts"));
  list_->setAccessibleName(tr("Memory use of the program"));
  list_->setColumnCount(MemoryColumnCount);
  list_->setHeaderLabels({tr("Part"), tr("In use"), tr("Limit")});
  list_->headerItem()->setTextAlignment(HoldsColumn, Qt::AlignRight);
  list_->headerItem()->setTextAlignment(LimitColumn, Qt::AlignRight);
  list_->setRootIsDecorated(false);
  list_->setSelectionMode(QAbstractItemView::NoSelection);
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  list_->header()->setSectionResizeMode(PartColumn, QHeaderView::Stretch);
  layout->addWidget(list_, 1);
  machine_ = new QLabel(this);
  machine_->setObjectName(QStringLiteral("machine"));
  machine_->setWordWrap(true);
  machine_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  layout->addWidget(machine_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  QPushButton* free = buttons->addButton(tr("Free caches"), QDialogButtonBox::ActionRole);
  free->setObjectName(QStringLiteral("free"));
  free->setAutoDefault(false);
  free->setToolTip(tr("Free the data kept between runs; the next run takes longer"));
  layout->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(free, &QPushButton::clicked, this, [this, free_caches = std::move(free_caches)] {
    free_caches();
    show_use();
  });
  show_use();
}

void MemoryDialog::show_use() {
  const MemoryUse use = look_();
  list_->clear();
  for (const MemoryPart& part : use.parts) {
    const QString most = part.most_bytes > 0 ? bytes_text(part.most_bytes) : QString();
    auto* row = new QTreeWidgetItem(list_, {part.what, bytes_text(part.bytes), most});
    row->setTextAlignment(HoldsColumn, Qt::AlignRight);
    row->setTextAlignment(LimitColumn, Qt::AlignRight);
    for (int column = 0; column < MemoryColumnCount; ++column)
      row->setToolTip(column, part.tip);
  }
  QStringList lines;
  if (use.process_bytes > 0) {
    lines << tr("The whole program: %1").arg(bytes_text(use.process_bytes));
  }
  if (use.machine_bytes > 0) {
    lines << tr("This machine: %1 available of %2")
                 .arg(bytes_text(use.available_bytes), bytes_text(use.machine_bytes));
  }
  lines << use.devices;
  machine_->setText(lines.join('\n'));
}

}  // namespace seedwave::ui
