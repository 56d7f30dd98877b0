package io.alrai.cn.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.time.HybridLogicalClock;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RoleFileTest {
  private static final HlcTimestamp AN_HOUR_AHEAD = HlcTimestamp.ofMillis(3_601_000);

  /** {@code | `metrics.port` | dn, cn, columnar | `0` |}. */
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([a-z.]+)` \\| ([a-z, ]+) \\| ([^|]*)\\|");

  private static final Pattern READ =
      Pattern.compile("(?:getProperty\\(|properties,)\\s*\"([a-z.]+)\"");

  @TempDir Path directory;

  private RoleConfig read(String more) throws IOException {
    Path file =
        Files.createTempFile(
            directory,
            "role",
            ".properties",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(
        file,
        "node=cn-1\ndata="
            + directory
            + "\nlisten=127.0.0.1:1\ngms=gms-1@127.0.0.1:2\nsecret=0123456789abcdef0123456789abcdef\n"
            + more);
    return RoleFile.read(file);
  }

  @Test
  void anAdministratorMayLetNodesFollowOneWhoseClockWasWrong() throws IOException {
    HybridLogicalClock usual = read("").clock().clock(() -> 1_000);
    AlraiException skew = assertThrows(AlraiException.class, () -> usual.update(AN_HOUR_AHEAD));
    assertEquals(ErrorCode.ALRAI_CLOCK_SKEW.errno(), skew.errno());
    RoleConfig wide = read("clock.max.ahead.millis = 4000000");
    HybridLogicalClock clock = wide.clock().clock(() -> 1_000);
    clock.update(AN_HOUR_AHEAD);
    assertEquals(AN_HOUR_AHEAD, clock.now());
    assertTrue(wide.text().contains("clock.max.ahead.millis = 4000000"), wide.text());
  }

  @Test
  void aZoneIsWrittenAsItIsRead() throws IOException {
    String zone = "Zürich 'b' #1 \"_%\" = x";
    assertEquals(zone, read("zone = " + zone).bears().zone());
    assertEquals(zone, read(read("zone = " + zone).text()).bears().zone());
    for (String wrong : List.of("a\\\\b", "a\\tb", "z".repeat(65))) {
      AlraiException refused = assertThrows(AlraiException.class, () -> read("zone = " + wrong));
      assertTrue(refused.is(ErrorCode.ER_WRONG_VALUE_FOR_VAR), wrong);
    }
  }

  @Test
  void aWrongNumberIsNamed() {
    for (String line :
        List.of(
            "clock.max.ahead.millis = much",
            "clock.offset.millis = 1h",
            "metrics.port = http",
            "metrics.port = 70000",
            "columns.memory.mb = -1",
            "loops = all",
            "loops = 1025",
            "loops = 9999999999",
            "loops = 9223372036854775808",
            "loops = -1",
            "log.retention.bytes = 4G")) {
      AlraiException wrong = assertThrows(AlraiException.class, () -> read(line), line);
      assertTrue(wrong.sentence().contains(line.split(" ", 2)[0]), wrong.sentence());
    }
  }

  @Test
  void loopsAreWrittenAsTheyAreRead() throws IOException {
    assertEquals(3, read("loops = 3").endpoint().loops());
    assertEquals(3, read(read("loops = 3").text()).endpoint().loops());
  }

  private static Map<String, String> initialsOfPage() throws IOException {
    Map<String, String> rows = new TreeMap<>();
    ROW.matcher(Files.readString(Path.of("..", "docs", "reference", "configuration.md")))
        .results()
        .forEach(row -> rows.put(row.group(1), row.group(3).strip()));
    return rows;
  }

  @Test
  void theReferenceListsExactlyTheKeysThatAreRead() throws IOException {
    String file = RoleFile.class.getName().replace('.', '/') + ".java";
    Path source = Path.of("src", "main", "java", file);
    Set<String> read = new TreeSet<>();
    READ.matcher(Files.readString(source)).results().forEach(key -> read.add(key.group(1)));
    assertEquals(read, initialsOfPage().keySet());
  }

  @Test
  void theReferenceHasTheDefaults() throws IOException {
    Properties written = new Properties();
    written.load(new StringReader(read("").text()));
    Map<String, String> rows = initialsOfPage();
    assertEquals(written.stringPropertyNames(), rows.keySet());
    rows.forEach((key, initial) -> {
      if (initial.startsWith("`")) {
        assertEquals("`" + written.getProperty(key) + "`", initial, key);
      }
    });
  }
}
