package io.alrai.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests that the build leaves out for its time are run by {@code .ci/left-out}: otherwise nobody
 * sees when they fail.
 */
class LeftOutTestsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern SWITCHED =
      Pattern.compile("@EnabledIfSystemProperty\\(\\s*named = \"([\\w.]+)\"");

  /** Their commands are in CONTRIBUTING.md: they need root, or what has to be fetched. */
  private static final Set<String> OF_THEIR_OWN =
      Set.of(
          "distance.seconds", "docker.daemon", "ops.incidents", "ops.prometheus", "tools.watching");

  private record LeftOut(String test, String property) {}

  private static List<LeftOut> leftOut() throws IOException {
    List<LeftOut> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(ROOT)) {
      for (Path file :
          files.filter(each -> each.toString().matches(".*/src/test/java/.*IT\\.java")).toList()) {
        String name = file.getFileName().toString().replace(".java", "");
        Matcher switched = SWITCHED.matcher(Files.readString(file));
        while (switched.find()) {
          found.add(new LeftOut(name, switched.group(1)));
        }
      }
    }
    return found;
  }

  @Test
  void eachIsRunByACommand() throws IOException {
    String command = Files.readString(ROOT.resolve(".ci/left-out"));
    String page = Files.readString(ROOT.resolve("CONTRIBUTING.md"));
    List<LeftOut> all = leftOut();
    assertTrue(all.size() > 15, all::toString);
    assertEquals(
        List.of(),
        all.stream()
            .filter(each ->
                OF_THEIR_OWN.contains(each.property())
                    ? !page.contains("-D" + each.property())
                    : !command.contains("-D" + each.property() + "=")
                        || !Pattern.compile("\\b" + each.test() + "\\b").matcher(command).find())
            .toList());
  }
}
