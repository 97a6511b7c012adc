#pragma once

#include <QString>
#include <functional>
#include <memory>
#include <mutex>

#include "engine/backend.h"
#include "engine/core/result.h"
#include "engine/dbscan/backend_in_space.h"

namespace clusterloom {

/// Makes a backend by its name: makeBackend of the engine, or a replacement in tests.
using BackendMaker =
    std::function<Result<std::unique_ptr<Backend>>(const std::string&, const BackendOptions&)>;

/// A backend that is made by the first job that asks for it (looking for a device may take a while)
/// and shared by all jobs after.
class BackendSlot {
 public:
  /// `options` go to `make`.
  BackendSlot(BackendMaker make, QString name, const BackendOptions& options)
      : make_(std::move(make)), name_(std::move(name)), options_(options) {}

  Result<std::shared_ptr<const Backend>> get() {
    const std::lock_guard lock(mutex_);
    if (!made_) {
      auto backend = make_(name_.toStdString(), options_);
      if (!backend) return tl::unexpected(backend.error());
      made_ = std::move(*backend);
    }
    return made_;
  }

  /// The same with the distances of the space of a cloud so scaled.
  Result<std::shared_ptr<const Backend>> get(const Space& space, const Scaling& scaling) {
    auto backend = get();
    return backend ? backendIn(space, scaling, std::move(*backend)) : backend;
  }

 private:
  const BackendMaker make_;
  const QString name_;
  const BackendOptions options_;
  std::mutex mutex_;
  std::shared_ptr<const Backend> made_;
};

}  // namespace clusterloom
