#pragma once

#include <QFile>
#include <QHash>
#include <QString>
#include <QStringList>
#include <QXmlStreamReader>
#include <memory>

#include "engine/core/number_text.h"
#include "render/paint/translated_text.h"

namespace clusterloom::testing {

/// Texts and numbers that are painted from now on are those of the German window, read from the
/// file of translations at `path`. False where that cannot be read.
inline bool paintGerman(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return false;
  // By context and English text: the translation, or its form for one and that for several.
  auto german = std::make_shared<QHash<QString, QStringList>>();
  QXmlStreamReader xml(&file);
  QString context;
  QString source;
  QStringList forms;
  while (!xml.atEnd()) {
    const auto token = xml.readNext();
    const auto name = xml.name();
    if (token == QXmlStreamReader::StartElement) {
      if (name == QLatin1String("name")) context = xml.readElementText();
      if (name == QLatin1String("source")) source = xml.readElementText();
      if (name == QLatin1String("numerusform")) forms += xml.readElementText();
      if (name == QLatin1String("translation")) forms.clear();
    }
    if (token == QXmlStreamReader::Characters && !xml.isWhitespace())
      forms = {xml.text().toString()};
    if (token == QXmlStreamReader::EndElement && name == QLatin1String("message"))
      german->insert(context + QChar(u'\n') + source, forms);
  }
  setNumberSigns({".", ","});
  setChartTranslator([german](const char* from, const char* english, const char* one, int number) {
    const QStringList found =
        german->value(QString::fromUtf8(from) + QChar(u'\n') + QString::fromUtf8(english));
    if (found.isEmpty()) return std::string(one != nullptr && number == 1 ? one : english);
    return (number == 1 ? found.first() : found.last()).toStdString();
  });
  return !xml.hasError();
}

/// English again.
inline void paintEnglish() {
  setNumberSigns({});
  setChartTranslator({});
}

}  // namespace clusterloom::testing
