#include <fcntl.h>
#include <unistd.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPNGWriter.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "render/gl/offscreen.h"

namespace clusterloom {
namespace {

tl::unexpected<Error> failedTo(const std::string& what, const std::string& path) {
  return fail(ErrorKind::Io, "cannot " + what + " " + path + ": " + std::strerror(errno));
}

bool writeAll(int file, const unsigned char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(file, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

Result<void> writePng(const std::string& path, const Image& image) {
  if (image.width < 1 || image.height < 1)
    return fail(ErrorKind::BadCall, "an empty picture cannot be written");
  vtkNew<vtkImageData> pixels;
  pixels->SetDimensions(image.width, image.height, 1);
  pixels->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
  auto* out = static_cast<unsigned char*>(pixels->GetScalarPointer());
  for (int y = image.height - 1; y >= 0; --y) {  // VTK counts rows from the bottom
    for (int x = 0; x < image.width; ++x) {
      out = std::copy_n(image.pixel(x, y), 3, out);
    }
  }
  vtkNew<vtkPNGWriter> writer;
  writer->SetInputData(pixels);
  writer->WriteToMemoryOn();
  writer->Write();
  vtkUnsignedCharArray* encoded = writer->GetResult();
  if (encoded == nullptr || encoded->GetNumberOfValues() == 0)
    return fail(ErrorKind::Io, "the picture for " + path + " could not be encoded");

  const std::string temporary = path + ".part-" + std::to_string(::getpid());
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return failedTo("write", path);
  const bool written = writeAll(file, encoded->GetPointer(0),
                                static_cast<std::size_t>(encoded->GetNumberOfValues())) &&
                       ::fsync(file) == 0;
  const int problem = errno;
  const bool closed = ::close(file) == 0;
  if (!written || !closed) {
    if (!written) errno = problem;
    const auto error = failedTo("write", path);
    ::unlink(temporary.c_str());
    return error;
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0) {
    const auto error = failedTo("write", path);
    ::unlink(temporary.c_str());
    return error;
  }
  return {};
}

}  // namespace clusterloom
