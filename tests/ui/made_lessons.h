#pragma once

#include <QByteArray>

/// Quotes are written as apostrophes.
inline QByteArray quoted(QByteArray json) { return json.replace('\'', '"'); }

/// A lesson whose second step is this one.
inline QByteArray lessonWith(const QByteArray& step, const QByteArray& more = {}) {
  return quoted("{'format': 'clusterloom lesson', 'version': 1, 'title': 't', 'eps': 0.01, " +
                more +
                "'cloud': {'generator': 'expo', 'points': 500, 'dims': 2, 'seed': 2}, "
                "'steps': [{'title': 'first', 'text': 'fine'}, " +
                step + "]}");
}
