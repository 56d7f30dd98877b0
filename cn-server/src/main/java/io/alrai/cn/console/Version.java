package io.alrai.cn.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.IVersionProvider;

/** The version of this build, which the root's {@code pom.xml} names. */
final class Version implements IVersionProvider {
  /** Maven puts the version there. */
  private static final String RESOURCE = "version.txt";

  @Override
  public String[] getVersion() {
    return new String[] {"Alrai " + text()};
  }

  /** For example {@code 0.1.0-SNAPSHOT}. */
  static String text() {
    try (InputStream in = Version.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("no resource " + RESOURCE);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
