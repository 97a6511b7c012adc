#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "ui/jobs/job_queue.h"

namespace clusterloom {

/// Takes values of type T from a job on the queue's thread. A job's work that delivers more than
/// one value captures a receiver instead of the object that receives: the work has no
/// access to the object.
template <class T>
class Receiver {
 public:
  explicit Receiver(std::function<void(const T&)> receive)
      : receive_(std::make_shared<const std::function<void(const T&)>>(std::move(receive))) {}

  void deliver(const Job& job, T value) const {
    auto shared = std::make_shared<const T>(std::move(value));
    job.deliver([receive = receive_, shared] { (*receive)(*shared); });
  }

 private:
  std::shared_ptr<const std::function<void(const T&)>> receive_;
};

}  // namespace clusterloom
