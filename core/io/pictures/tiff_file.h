// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdarg>
#include <filesystem>
#include <memory>
#include <string>

struct tiff;

namespace seedwave::io {

/// An open TIFF with its complaints kept instead of printed.
class TiffFile {
 public:
  /// Throws InputError when it is no TIFF.
  explicit TiffFile(const std::filesystem::path& file);
  /// For writing, to a descriptor that is duplicated; `big` for more than 4 GB. Throws OutputError.
  TiffFile(int descriptor, const std::filesystem::path& file, bool big);
  ~TiffFile();
  TiffFile(const TiffFile&) = delete;
  TiffFile& operator=(const TiffFile&) = delete;

  [[nodiscard]] tiff* get() const noexcept { return tiff_; }
  /// What libtiff said last, "" when nothing.
  [[nodiscard]] std::string message() const { return said_->error.data(); }
  /// The first warning since forget(), "" when there was none that matters.
  [[nodiscard]] std::string warning() const { return said_->warning.data(); }
  /// Forgets what was said so far.
  void forget() noexcept { *said_ = {}; }
  /// Finishes writing; false when it failed.
  [[nodiscard]] bool close();

 private:
  /// Cut where it is long: it is taken inside libtiff, through which no exception may pass.
  using Text = std::array<char, 256>;
  struct Said {
    Text error{};
    Text warning{};
    static int take_error(tiff* file, void* said, const char* module, const char* format,
                          std::va_list arguments) noexcept;
    static int take_warning(tiff* file, void* said, const char* module, const char* format,
                            std::va_list arguments) noexcept;
  };

  /// libtiff keeps its address.
  std::unique_ptr<Said> said_;
  tiff* tiff_ = nullptr;
};

}  // namespace seedwave::io
