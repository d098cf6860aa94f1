// SPDX-License-Identifier: Apache-2.0
#include "core/io/dicom/file_reader.h"

#include "core/base/error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace seedwave::io::dicom {

FileReader::FileReader(const std::filesystem::path& file) {
  // Nonblocking, so that a pipe in a folder cannot hang the scan; it is refused below.
  descriptor_ = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) {
    throw InputError(std::string("cannot be opened: ") + std::strerror(errno));
  }
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor_);
    throw InputError("not a regular file");
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
}

FileReader::~FileReader() {
  ::close(descriptor_);
}

void FileReader::read(std::uint64_t offset, std::span<std::uint8_t> bytes) const {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::pread(descriptor_, bytes.data() + done, bytes.size() - done,
                                static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw InputError(std::string("cannot be read: ") + std::strerror(errno));
    if (got == 0) throw InputError("ends too early");
    done += static_cast<std::size_t>(got);
  }
}

}  // namespace seedwave::io::dicom
