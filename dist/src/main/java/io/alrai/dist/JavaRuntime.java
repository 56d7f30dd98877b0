package io.alrai.dist;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.spi.ToolProvider;

/** The JVM of a release: the modules of this JDK that its jars use. */
final class JavaRuntime {
  /**
   * What {@code jdeps -summary} names for the jars, whether Alrai comes to these classes or not.
   */
  private static final List<String> OF_JARS =
      List.of(
          "java.base",
          "java.desktop",
          "java.logging",
          "java.management",
          "java.naming",
          "java.net.http",
          "java.rmi",
          "java.scripting",
          "java.security.jgss",
          "java.security.sasl",
          "java.sql",
          "java.transaction.xa",
          "java.xml",
          "jdk.httpserver",
          "jdk.jfr",
          "jdk.management",
          "jdk.unsupported");

  /**
   * What is found by its name only: character sets of clients, elliptic curves of TLS, zip files,
   * socket options; and what somebody needs who looks into a running JVM: jcmd, jstack, JFR.
   */
  private static final List<String> BY_NAME =
      List.of(
          "jdk.attach",
          "jdk.charsets",
          "jdk.crypto.ec",
          "jdk.jcmd",
          "jdk.management.agent",
          "jdk.management.jfr",
          "jdk.net",
          "jdk.zipfs");

  private JavaRuntime() {}

  /**
   * Makes the runtime.
   *
   * @param target a directory that is not there yet
   * @return the platform it is for, for example {@code linux-x86_64}
   * @throws IOException where this JDK cannot be taken apart
   */
  static String link(Path target) throws IOException {
    ToolProvider jlink =
        ToolProvider.findFirst("jlink")
            .orElseThrow(() -> new IOException(sentence("it has no jlink")));
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said);
    int code =
        jlink.run(
            out,
            out,
            "--output",
            target.toString(),
            "--add-modules",
            String.join(",", OF_JARS) + "," + String.join(",", BY_NAME),
            "--no-header-files",
            "--no-man-pages");
    if (code != 0) {
      throw new IOException(sentence("jlink says: " + said.toString().strip()));
    }
    String architecture = System.getProperty("os.arch").replace("amd64", "x86_64");
    return System.getProperty("os.name").toLowerCase(Locale.ROOT) + "-" + architecture;
  }

  private static String sentence(String reason) {
    return "no runtime for a release can be made of the JDK in "
        + System.getProperty("java.home")
        + ", "
        + reason
        + "; set ALRAI_JAVA_HOME to a JDK 25 with jmods, or one that links from its run-time image";
  }
}
