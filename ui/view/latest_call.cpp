#include "ui/view/latest_call.h"

#include <QFuture>
#include <QPromise>
#include <new>

namespace clusterloom {

LatestCall::LatestCall(QObject* parent) : QObject(parent) { pool_.setMaxThreadCount(1); }

LatestCall::~LatestCall() {
  stop_.request_stop();
  pool_.waitForDone();
}

void LatestCall::forget() {
  ++newest_;
  stop_.request_stop();
  waiting_ = {};
}

void LatestCall::enqueue(Call call) {
  ++newest_;
  if (running_) {
    waiting_ = std::move(call);
  } else {
    run(std::move(call));
  }
}

void LatestCall::run(Call call) {
  running_ = true;
  // The worker has the promise and the work, not this object; the continuation runs on this thread,
  // and not at all once this object is gone.
  auto ended = std::make_shared<QPromise<void>>();
  ended->future().then(this, [this, done = std::move(call.done), number = newest_] {
    running_ = false;
    if (number == newest_) done();
    if (waiting_.work && !running_) run(std::exchange(waiting_, {}));
  });
  ended->start();
  pool_.start([ended, work = std::move(call.work)] {
    // An exception that leaves a runnable ends the program.
    try {
      work();
    } catch (const std::bad_alloc&) {
    }
    ended->finish();
  });
}

}  // namespace clusterloom
