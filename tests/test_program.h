#pragma once

#include <QCoreApplication>
#include <QTest>

// The tests of a folder are one program, which runs the test that its first argument names
// (test_main.cpp). Each tst_*.cpp ends with one of the macros below. Two files of a folder may not
// give different things outside anonymous namespaces the same name.

namespace test_program {

/// Runs a test with the arguments of Qt Test; returns an exit status.
using Run = int (*)(int argc, char** argv);

/// Adds a test to its program, by the name of its file without the extension.
struct Entry {
  Entry(const char* file, Run run);
};

template <class Test>
int run(int argc, char** argv) {
  Test test;
  return QTest::qExec(&test, argc, argv);
}

template <class Application, class Test>
int runIn(int argc, char** argv) {
  Application application(argc, argv);
  return run<Test>(argc, argv);
}

}  // namespace test_program

/// A test that is a function as main is, `int f(int argc, char** argv)`. argv[0] is the test's
/// name; the program is QCoreApplication::applicationFilePath().
#define TEST_ENTRY(f) static const test_program::Entry testEntry(__FILE__, f)
/// A test without an application object.
#define APPLESS_TEST(Test) TEST_ENTRY(&test_program::run<Test>)
/// A test that needs a QCoreApplication: events, processes.
#define GUILESS_TEST(Test) TEST_ENTRY((&test_program::runIn<QCoreApplication, Test>))
