#include "ui/words/engine_words.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include "engine/core/number_text.h"
#include "ui/words/numbers.h"

namespace clusterloom {

QString engineText(std::string_view english) {
  const QByteArray text(english.data(), qsizetype(english.size()));
  return QCoreApplication::translate("Engine", text.constData());
}

QString engineList(std::string_view english) {
  static const QRegularExpression separator(QStringLiteral("(, | · | \\+ )"));
  static const QRegularExpression number(QStringLiteral("\\d+(\\.\\d+)?(e[-+]\\d+)?"));
  const auto translated = [](const QString& phrase) {
    const QRegularExpressionMatch found = number.match(phrase);
    if (!found.hasMatch()) return engineText(phrase.toStdString());
    QString form = phrase;
    form.replace(found.capturedStart(), found.capturedLength(), QStringLiteral("%1"));
    const int plural = pluralNumber(std::uint64_t(found.captured().toDouble()));
    return QCoreApplication::translate("Engine", form.toUtf8().constData(), nullptr, plural)
        .arg(QString::fromStdString(withSigns(found.captured().toStdString(), Groups::None)));
  };
  const QString all = QString::fromUtf8(english.data(), qsizetype(english.size()));
  QString text;
  qsizetype from = 0;
  for (auto at = separator.globalMatch(all); at.hasNext();) {
    const QRegularExpressionMatch found = at.next();
    text += translated(all.mid(from, found.capturedStart() - from)) + found.captured();
    from = found.capturedEnd();
  }
  return text + translated(all.mid(from));
}

}  // namespace clusterloom
