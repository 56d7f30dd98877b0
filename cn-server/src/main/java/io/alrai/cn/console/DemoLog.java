package io.alrai.cn.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The log of the demo, whose report is for people: in a file, which stays where it failed. */
final class DemoLog {
  private static final String CONFIGURATION = "logback.configurationFile";

  /** Read by the configuration. */
  private static final String FILE = "alrai.log.file";

  private DemoLog() {}

  /** Says where the log goes; before anything has been logged. */
  static void begin() {
    try {
      System.setProperty(FILE, Files.createTempFile("alrai-demo-", ".log").toString());
      System.setProperty(CONFIGURATION, "logback-file.xml");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes it, or says where it is; does nothing where the log goes elsewhere. */
  static void end(boolean failed) {
    String file = System.getProperty(FILE, "");
    if (file.isEmpty()) {
      return;
    }
    if (failed) {
      System.err.println("the log is in " + file);
      return;
    }
    try {
      Files.deleteIfExists(Path.of(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
