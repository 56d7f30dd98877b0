package io.alrai.cn.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The log of the demo, whose report is for people: in a file, which stays where it failed. */
final class DemoLog {
  private final Path file;

  private DemoLog(Path file) {
    this.file = file;
  }

  /** Says where the log goes; before anything has been logged. */
  static DemoLog begin() {
    try {
      Path file = Files.createTempFile("alrai-demo-", ".log");
      System.setProperty("alrai.log.file", file.toString()); // the configuration reads it
      System.setProperty("logback.configurationFile", "logback-file.xml");
      return new DemoLog(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes it, or says where it is. */
  void end(boolean failed) {
    if (failed) {
      System.err.println("the log is in " + file);
      return;
    }
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
