// SPDX-License-Identifier: Apache-2.0
#include "core/io/pictures/tiff_file.h"

#include "core/base/error.h"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <string_view>
#include <system_error>
#include <tiffio.h>
#include <unistd.h>

namespace seedwave::io {
namespace {

/// Largest tile or strip; no real file comes near.
constexpr tmsize_t kMostAllocation = tmsize_t{1} << 30;

/// Returns whether a warning is harmless: old writers and some cameras fill a strip or tile beyond
/// its pixels.
bool is_harmless(std::string_view warning) {
  return warning.find("Discarding") != std::string_view::npos ||
         warning.find("extraneous bytes before marker 0xd9") != std::string_view::npos;
}

struct Options {
  TIFFOpenOptions* options = TIFFOpenOptionsAlloc();

  Options(void* said, TIFFErrorHandlerExtR take_error, TIFFErrorHandlerExtR take_warning) {
    if (options == nullptr) throw std::bad_alloc();
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, kMostAllocation);
    TIFFOpenOptionsSetErrorHandlerExtR(options, take_error, said);
    TIFFOpenOptionsSetWarningHandlerExtR(options, take_warning, said);
  }
  ~Options() { TIFFOpenOptionsFree(options); }
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;
};

}  // namespace

int TiffFile::Said::take_error(tiff* /*file*/, void* said, const char* /*module*/,
                               const char* format, std::va_list arguments) noexcept {
  Text& error = static_cast<Said*>(said)->error;
  std::vsnprintf(error.data(), error.size(), format, arguments);
  return 1;
}

int TiffFile::Said::take_warning(tiff* /*file*/, void* said, const char* /*module*/,
                                 const char* format, std::va_list arguments) noexcept {
  Text& warning = static_cast<Said*>(said)->warning;
  Text text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  if (warning[0] == '\0' && !is_harmless(text.data())) warning = text;
  return 1;
}

TiffFile::TiffFile(const std::filesystem::path& file) : said_(std::make_unique<Said>()) {
  const Options options(said_.get(), Said::take_error, Said::take_warning);
  // m: not memory-mapped, since a file that shrinks meanwhile would end the program.
  tiff_ = TIFFOpenExt(file.c_str(), "rm", options.options);
  if (tiff_ == nullptr) {
    throw InputError(file.string() + " is damaged: it cannot be read as TIFF (" + message() + ")");
  }
}

TiffFile::TiffFile(int descriptor, const std::filesystem::path& file, bool big)
    : said_(std::make_unique<Said>()) {
  const Options options(said_.get(), Said::take_error, Said::take_warning);
  errno = 0;
  const int own = ::dup(descriptor);
  tiff_ = own < 0 ? nullptr : TIFFFdOpenExt(own, file.c_str(), big ? "w8m" : "wm", options.options);
  if (tiff_ != nullptr) return;
  // libtiff only says that it could not write its header; the system knows why.
  const std::string reason = errno != 0 ? std::generic_category().message(errno) : message();
  if (own >= 0) ::close(own);
  throw OutputError("cannot write " + file.string() + ": " + reason);
}

TiffFile::~TiffFile() {
  if (tiff_ != nullptr) TIFFClose(tiff_);
}

bool TiffFile::close() {
  said_->error = {};
  const bool flushed = TIFFFlush(tiff_) == 1;
  TIFFClose(tiff_);
  tiff_ = nullptr;
  return flushed && said_->error[0] == '\0';
}

}  // namespace seedwave::io
