package io.alrai.cn.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class VersionTest {
  private static final Pattern OF_PROJECT =
      Pattern.compile("<artifactId>alrai</artifactId>\\s*<version>([^<]+)</version>");

  private static String versionOfPom() throws IOException {
    Matcher version = OF_PROJECT.matcher(Files.readString(Path.of("..", "pom.xml")));
    assertTrue(version.find());
    return version.group(1);
  }

  @Test
  void theVersionIsThatOfThePom() throws IOException {
    assertEquals(versionOfPom(), Version.text());
  }

  @Test
  void theCommandLineShowsIt() throws IOException {
    StringWriter out = new StringWriter();
    int code = Main.commandLine().setOut(new PrintWriter(out)).execute("--version");
    assertEquals(CommandLine.ExitCode.OK, code);
    assertEquals("Alrai " + versionOfPom(), out.toString().strip());
  }
}
