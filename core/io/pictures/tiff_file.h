// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdarg>
#include <filesystem>
#include <memory>
#include <string>

struct tiff;

namespace seedwave::io {

/// An open TIFF that collects complaints instead of printing them.
class TiffFile {
 public:
  /// Throws InputError if it is not a TIFF.
  explicit TiffFile(const std::filesystem::path& file);
  /// Opens for writing to a descriptor, which is duplicated; `big` for more than 4 GB. Throws
  /// OutputError.
  TiffFile(int descriptor, const std::filesystem::path& file, bool big);
  ~TiffFile();
  TiffFile(const TiffFile&) = delete;
  TiffFile& operator=(const TiffFile&) = delete;

  [[nodiscard]] tiff* get() const noexcept { return tiff_; }
  /// Returns libtiff's last error, or "".
  [[nodiscard]] std::string message() const { return said_->error.data(); }
  /// Returns the first relevant warning since forget(), or "".
  [[nodiscard]] std::string warning() const { return said_->warning.data(); }
  /// Forgets all messages so far.
  void forget() noexcept { *said_ = {}; }
  /// Finishes writing. Returns false if it failed.
  [[nodiscard]] bool close();

 private:
  /// Truncated if long: it is filled inside libtiff, through which no exception may pass.
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
