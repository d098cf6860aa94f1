// SPDX-License-Identifier: Apache-2.0
#include "core/io/pictures/tiff_file.h"

#include "core/base/error.h"

#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <system_error>
#include <tiffio.h>
#include <unistd.h>

namespace seedwave::io {
namespace {

/// No tile or strip of a real file comes near.
constexpr tmsize_t kMostAllocation = tmsize_t{1} << 30;

int keep(TIFF* /*tiff*/, void* message, const char* /*module*/, const char* format,
         std::va_list arguments) {
  std::array<char, 256> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  *static_cast<std::string*>(message) = text.data();
  return 1;
}

int ignore(TIFF* /*tiff*/, void* /*message*/, const char* /*module*/, const char* /*format*/,
           std::va_list /*arguments*/) {
  return 1;
}

struct Options {
  TIFFOpenOptions* options = TIFFOpenOptionsAlloc();

  explicit Options(std::string* message) {
    if (options == nullptr) throw std::bad_alloc();
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, kMostAllocation);
    TIFFOpenOptionsSetErrorHandlerExtR(options, keep, message);
    TIFFOpenOptionsSetWarningHandlerExtR(options, ignore, nullptr);
  }
  ~Options() { TIFFOpenOptionsFree(options); }
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;
};

}  // namespace

TiffFile::TiffFile(const std::filesystem::path& file) : message_(std::make_unique<std::string>()) {
  const Options options(message_.get());
  // m: not mapped into memory, where a file that shrinks meanwhile would end the program.
  tiff_ = TIFFOpenExt(file.c_str(), "rm", options.options);
  if (tiff_ == nullptr) {
    throw InputError(file.string() + " is damaged: it cannot be read as TIFF (" + *message_ + ")");
  }
}

TiffFile::TiffFile(int descriptor, const std::filesystem::path& file, bool big)
    : message_(std::make_unique<std::string>()) {
  const Options options(message_.get());
  errno = 0;
  const int own = ::dup(descriptor);
  tiff_ = own < 0 ? nullptr : TIFFFdOpenExt(own, file.c_str(), big ? "w8m" : "wm", options.options);
  if (tiff_ != nullptr) return;
  // libtiff says that it could not write its header; the system knows why.
  const std::string reason = errno != 0 ? std::generic_category().message(errno) : *message_;
  if (own >= 0) ::close(own);
  throw OutputError("cannot write " + file.string() + ": " + reason);
}

TiffFile::~TiffFile() {
  if (tiff_ != nullptr) TIFFClose(tiff_);
}

bool TiffFile::close() {
  message_->clear();
  const bool flushed = TIFFFlush(tiff_) == 1;
  TIFFClose(tiff_);
  tiff_ = nullptr;
  return flushed && message_->empty();
}

}  // namespace seedwave::io
