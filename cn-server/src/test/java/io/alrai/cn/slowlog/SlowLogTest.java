package io.alrai.cn.slowlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.session.StatementPath;
import io.alrai.common.error.AlraiException;
import io.alrai.executor.fragment.SlotValues.Kind;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.ParameterSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlowLogTest {
  private static final String HEADER = SlowLogFormat.header("9.7.0-alrai (CN cn-1)");

  @TempDir private Path directory;
  private final LongAdder lost = new LongAdder();
  private final Queue<Runnable> background = new ArrayDeque<>();

  private SlowLog log(long mostBytes, String output) {
    Path path = directory.resolve("cn-1-slow.log");
    SlowLog log =
        new SlowLog(
            new SlowLogFile(path, HEADER, mostBytes, 3),
            path.toString(),
            background::add,
            () -> 0,
            new LongAdder(),
            lost);
    log.follow(Map.of("global.slow_query_log", "1", "global.log_output", "'" + output + "'"));
    return log;
  }

  private void runAll() {
    while (!background.isEmpty()) {
      background.remove().run();
    }
  }

  private String file(String name) throws IOException {
    return Files.readString(directory.resolve(name));
  }

  private static SlowStatement statement(String user, String schema, String sql) {
    return new SlowStatement(
        new SlowStatement.Client(17, user, user + "@%", "10.0.0.7"),
        schema,
        1_795_947_742_000_123L,
        1_500_000_500L,
        new SlowFigures(3, 0, 1, 1317, 0),
        StatementPath.SCATTER,
        sql.getBytes(StandardCharsets.UTF_8),
        false,
        LexicalMode.DEFAULT);
  }

  @Test
  void entriesAreMysqls() throws Exception {
    SlowLog log = log(1 << 20, "FILE");
    log.write(statement("app", "shop", "SELECT *\n  FROM t"));
    runAll();
    assertEquals(
        HEADER
            + """
            # Time: 2026-11-29T10:22:23.500123Z
            # User@Host: app[app] @  [10.0.0.7]  Id:    17
            # Query_time: 1.500001  Lock_time: 0.000000 Rows_sent: 3  Rows_examined: 0 Thread_id: 17 \
            Errno: 1317 Rows_affected: 0 Warnings: 1 Alrai_path: scatter \
            Start: 2026-11-29T10:22:22.000123Z End: 2026-11-29T10:22:23.500123Z
            use shop;
            SET timestamp=1795947742;
            SELECT *
              FROM t;
            """,
        file("cn-1-slow.log"));
  }

  @Test
  void nobodyWritesAnEntryOfHisOwn() throws Exception {
    SlowLog log = log(1 << 20, "FILE");
    String forged = "# Time: 2026-01-01T00:00:00.000000Z";
    log.write(statement("u\n" + forged, "s`\n" + forged, forged + "\nSELECT 1;\n" + forged));
    log.write(statement("u", "", "SELECT '\r" + forged + "\0'"));
    log.write(statement("", "", "CREATE USER u IDENTIFIED BY 'geheim'"));
    runAll();
    String text = file("cn-1-slow.log");
    assertEquals(3, Arrays.stream(text.split("\\R")).filter(it -> it.startsWith("# Time")).count());
    assertTrue(text.contains("use `s`` " + forged + "`;\n"), text);
    assertTrue(text.contains("\\0'"), text);
    assertTrue(text.contains("User@Host: [] @  [10.0.0.7]"), text);
    assertFalse(text.contains("geheim"), text);
  }

  @Test
  void filesAreBounded() throws Exception {
    SlowLog log = log(1000, "FILE");
    for (int i = 0; i < 20; i++) {
      log.write(statement("u", "s", "SELECT " + i));
    }
    runAll();
    try (var files = Files.list(directory)) {
      assertEquals(
          List.of("cn-1-slow.log", "cn-1-slow.log.1", "cn-1-slow.log.2"),
          files.map(it -> it.getFileName().toString()).sorted().toList());
    }
    assertTrue(file("cn-1-slow.log").startsWith(HEADER));
    assertTrue(file("cn-1-slow.log").contains("SELECT 19;\n"));
    assertTrue(file("cn-1-slow.log.2").length() <= 1000);
    assertEquals(0, lost.sum());
  }

  @Test
  void aFileThatWasMovedIsOpenedAnew() throws Exception {
    SlowLog log = log(1 << 20, "FILE");
    log.write(statement("u", "s", "SELECT 1"));
    runAll();
    Files.move(directory.resolve("cn-1-slow.log"), directory.resolve("moved"));
    log.reopen();
    runAll();
    log.write(statement("u", "s", "SELECT 2"));
    runAll();
    assertTrue(file("moved").contains("SELECT 1;") && !file("moved").contains("SELECT 2;"));
    assertTrue(file("cn-1-slow.log").startsWith(HEADER));
    assertTrue(file("cn-1-slow.log").contains("SELECT 2;"));
  }

  @Test
  void whatIsMovedWhileItIsOffIsLeftAlone() throws Exception {
    SlowLog log = log(1 << 20, "FILE");
    log.write(statement("u", "s", "SELECT 1"));
    runAll();
    log.follow(Map.of());
    runAll();
    Files.move(directory.resolve("cn-1-slow.log"), directory.resolve("moved"));
    log.follow(Map.of("global.slow_query_log", "1"));
    log.write(statement("u", "s", "SELECT 2"));
    runAll();
    assertFalse(file("moved").contains("SELECT 2;"));
    assertTrue(file("cn-1-slow.log").contains("SELECT 2;"));
  }

  @Test
  void whatCannotBeWrittenIsCounted() throws Exception {
    Files.createDirectory(directory.resolve("cn-1-slow.log"));
    SlowLog log = log(1 << 20, "FILE,TABLE");
    log.write(statement("u", "s", "SELECT 1"));
    runAll();
    assertEquals(1, lost.sum());
    Files.delete(directory.resolve("cn-1-slow.log"));
    log.write(statement("u", "s", "SELECT 2"));
    runAll();
    assertEquals(1, lost.sum());
    assertTrue(file("cn-1-slow.log").contains("SELECT 2;"));
    assertEquals(2, log.rows().size());
  }

  @Test
  void theQueueIsBounded() {
    SlowLog log = log(1 << 20, "TABLE");
    for (int i = 0; i < SlowLog.MOST_WAITING + 5; i++) {
      log.write(statement("u", "s", "SELECT 1"));
    }
    assertEquals(5, lost.sum());
    assertEquals(1, background.size());
    runAll();
    assertEquals(SlowLog.MOST_ROWS, log.rows().size());
    String wide = "x".repeat(SlowLog.MOST_TEXT);
    for (int i = 0; i < 200; i++) {
      log.write(statement("u", "s", wide));
    }
    assertEquals(5 + 200 - SlowLog.MOST_WAITING_BYTES / SlowLog.MOST_TEXT, lost.sum());
    runAll();
    assertEquals(SlowLog.MOST_ROW_CHARACTERS / SlowLog.MOST_TEXT, log.rows().size());
    log.clear();
    assertEquals(List.of(), log.rows());
  }

  @Test
  void textsAreBoundedAndHaveTheirParameters() {
    byte[] sql = "SELECT ?, '?', ? /* ? */".getBytes(StandardCharsets.UTF_8);
    SlowText.Filled filled =
        SlowText.of(sql, sql.length, new Bound("1", "'it''s'"), LexicalMode.DEFAULT);
    assertEquals("SELECT 1, '?', 'it''s' /* ? */", text(filled));
    assertFalse(filled.cut());
    filled = SlowText.of(sql, sql.length, new Bound("1", "x".repeat(1 << 20)), LexicalMode.DEFAULT);
    assertEquals("SELECT 1, '?', ", text(filled));
    assertTrue(filled.cut());
    filled = SlowText.of(sql, sql.length, new Bound("1"), LexicalMode.DEFAULT); // of another mode
    assertEquals("SELECT ?, '?', ? /* ? */", text(filled));
    byte[] large = new byte[16 << 20];
    Arrays.fill(large, (byte) 'x');
    filled = SlowText.of(large, large.length, ParameterSource.NONE, LexicalMode.DEFAULT);
    assertEquals(SlowLog.MOST_TEXT, filled.text().length);
    assertTrue(filled.cut());
  }

  private static String text(SlowText.Filled filled) {
    return new String(filled.text(), StandardCharsets.UTF_8);
  }

  @Test
  void outputsAreMysqls() {
    assertEquals("'FILE,TABLE'", SlowLogSettings.literal("log_output", "table,File"));
    assertEquals("'FILE,TABLE'", SlowLogSettings.literal("log_output", "6"));
    assertEquals("''", SlowLogSettings.literal("log_output", ""));
    assertEquals(
        1231,
        assertThrows(AlraiException.class, () -> SlowLogSettings.literal("log_output", "SYSLOG"))
            .errno());
    assertEquals(
        new SlowLogSettings(false, false, false),
        SlowLogSettings.of(
            Map.of("global.slow_query_log", "1", "global.log_output", "'NONE,FILE'")));
    assertEquals(
        new SlowLogSettings(true, false, false),
        SlowLogSettings.of(Map.of("global.slow_query_log", "1")));
    assertEquals(new SlowLogSettings(false, false, false), SlowLogSettings.of(Map.of()));
  }

  /** Values as they are written. */
  private static final class Bound implements ParameterSource {
    private final String[] values;

    Bound(String... values) {
      this.values = values;
    }

    @Override
    public boolean areBound() {
      return true;
    }

    @Override
    public Kind kind(int parameter) {
      return Kind.STRING;
    }

    @Override
    public boolean fitsLong(int parameter) {
      return false;
    }

    @Override
    public long longValue(int parameter) {
      throw new IllegalStateException();
    }

    @Override
    public byte[] bytes(int parameter) {
      return values[parameter].getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void appendSql(int parameter, ByteArrayOutputStream out) {
      out.writeBytes(bytes(parameter));
    }
  }
}
