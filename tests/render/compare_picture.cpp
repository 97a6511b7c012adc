// Runs a program that writes a picture and compares it with a baseline:
//   compare_picture NAME PROGRAM ARGUMENT… OUT.png
#include <QProcess>
#include <cstdio>

#include "pictures.h"

int main(int count, char** arguments) {
  if (count < 4) return 2;
  QStringList call;
  for (int i = 3; i < count; ++i) call << QString::fromLocal8Bit(arguments[i]);
  if (QProcess::execute(QString::fromLocal8Bit(arguments[2]), call) != 0) return 1;
  using namespace clusterloom::testing;
  const std::string difference =
      differenceFromFile(readPng(arguments[count - 1]),
                         std::string(CLUSTERLOOM_BASELINES "/") + arguments[1] + ".png");
  if (!difference.empty()) std::fprintf(stderr, "%s\n", difference.c_str());
  return difference.empty() ? 0 : 1;
}
