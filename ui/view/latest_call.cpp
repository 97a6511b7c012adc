#include "ui/view/latest_call.h"

namespace clusterloom {

LatestCall::LatestCall(QObject* parent) : QObject(parent) { pool_.setMaxThreadCount(1); }

LatestCall::~LatestCall() { pool_.waitForDone(); }

void LatestCall::start(Work work) {
  ++newest_;
  if (running_) {
    waiting_ = std::move(work);
  } else {
    run(std::move(work));
  }
}

void LatestCall::forget() {
  ++newest_;
  waiting_ = {};
}

void LatestCall::run(Work work) {
  running_ = true;
  pool_.start([this, work = std::move(work), number = newest_] {
    std::function<void()> finish = work();
    QMetaObject::invokeMethod(
        this,
        [this, finish = std::move(finish), number] {
          running_ = false;
          if (number == newest_ && finish) finish();
          if (waiting_ && !running_) run(std::exchange(waiting_, {}));
        },
        Qt::QueuedConnection);
  });
}

}  // namespace clusterloom
