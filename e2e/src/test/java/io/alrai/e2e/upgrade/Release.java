package io.alrai.e2e.upgrade;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What is run.
 *
 * @param name in words
 * @param classpath of it
 */
record Release(String name, String classpath) {
  /** These sources. */
  static final Release THIS = new Release("this release", System.getProperty("java.class.path"));

  /** Sources of the one before that {@code ./alrai} has built. */
  static Release before(Path sources) {
    try {
      String jars = Files.readString(sources.resolve("cn-server/target/alrai.jars"));
      return new Release("the release before", jars.strip());
    } catch (IOException e) {
      throw new UncheckedIOException(sources + " is not built: run ./alrai --version there", e);
    }
  }
}
