#include "ui/words/language.h"

#include <QCoreApplication>
#include <QFile>
#include <QLibraryInfo>
#include <QLocale>
#include <QSettings>
#include <QTranslator>
#include <algorithm>
#include <array>
#include <memory>

#include "engine/core/number_text.h"
#include "render/paint/translated_text.h"
#include "ui/words/numbers.h"

// Q_INIT_RESOURCE must be named outside every namespace.
static void initialiseTranslations() { Q_INIT_RESOURCE(translations); }

namespace clusterloom {
namespace {

QString settingsKey() { return QStringLiteral("window/language"); }

/// The translators that setLanguage has installed: Qt's texts and the program's.
struct Installed {
  QString code = QStringLiteral("en");
  std::array<std::unique_ptr<QTranslator>, 2> translators;
};

Installed& installed() {
  static Installed all;
  return all;
}

bool isKnown(const QString& code) {
  return std::any_of(languages().begin(), languages().end(),
                     [&](const Language& language) { return language.code == code; });
}

}  // namespace

const std::vector<Language>& languages() {
  static const std::vector<Language> all{{QStringLiteral("en"), QStringLiteral("English")},
                                         {QStringLiteral("de"), QStringLiteral("Deutsch")}};
  return all;
}

QString systemLanguage() {
  // English is in the list of languages: QTranslator::load would pass over it to the next one.
  for (const QString& name : QLocale::system().uiLanguages()) {
    const QString code = name.section(QLatin1Char('-'), 0, 0).section(QLatin1Char('_'), 0, 0);
    if (isKnown(code)) return code;
  }
  return QStringLiteral("en");
}

QString chosenLanguage() {
  const QString code = QSettings().value(settingsKey()).toString();
  return isKnown(code) ? code : QString();
}

void chooseLanguage(const QString& code) {
  if (code.isEmpty())
    QSettings().remove(settingsKey());
  else
    QSettings().setValue(settingsKey(), code);
}

void setLanguage(const QString& code) {
  Installed& all = installed();
  for (auto& translator : all.translators) translator.reset();  // which removes it
  all.code = isKnown(code) ? code : QStringLiteral("en");
  QLocale::setDefault(numberLocale());  // of Qt's own widgets
  const QLocale locale = numberLocale();
  setNumberSigns({locale.groupSeparator().toStdString(), locale.decimalPoint().toStdString()});
  setChartTranslator({});
  if (all.code == QLatin1String("en")) return;
  initialiseTranslations();
  const std::array<std::pair<QString, QString>, 2> files{
      std::pair{QStringLiteral("qtbase_") + all.code,
                QLibraryInfo::path(QLibraryInfo::TranslationsPath)},
      {QStringLiteral("clusterloom_") + all.code, QStringLiteral(":/translations")}};
  for (std::size_t i = 0; i < files.size(); ++i) {
    auto translator = std::make_unique<QTranslator>();
    // Qt's own texts stay English where its translations are not installed.
    if (!translator->load(files[i].first, files[i].second)) continue;
    QCoreApplication::installTranslator(translator.get());
    all.translators[i] = std::move(translator);
  }
  setChartTranslator([](const char* context, const char* english, const char* one, int number) {
    return QCoreApplication::translate(context, english, one, number).toStdString();
  });
}

QString language() { return installed().code; }

QString translatedFile(const QString& folder, const QString& name, const QString& code) {
  const QString translated = QStringLiteral("%1/%2/%3").arg(folder, code, name);
  return QFile::exists(translated) ? translated : QStringLiteral("%1/%2").arg(folder, name);
}

}  // namespace clusterloom
