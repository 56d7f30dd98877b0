package io.alrai.cn.digest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.ask.AskRow;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ClusterDigestsTest {
  private static final long MILLI = 1_000_000;

  private static DigestRow row(String hash, String schema, long atMillis, long... millis) {
    ShapeCount counts = new ShapeCount(schema, null, false, ShapeName.NONE);
    for (long each : millis) {
      StatementEnd end = new StatementEnd();
      end.nanos = each * MILLI;
      end.startMillis = atMillis;
      end.sql = ("SELECT " + each).getBytes(StandardCharsets.UTF_8);
      end.length = end.sql.length;
      end.errno = each == 13 ? 1054 : 0;
      end.sent = 2;
      end.affected = 3;
      end.warnings = 1;
      end.noIndex = each == 7;
      counts.add(end);
    }
    return new DigestRow(hash, "SELECT ?", counts);
  }

  @Test
  void countsOfAllAreAddedUp() {
    List<AskRow> told = new ArrayList<>();
    told.addAll(DigestAnswer.of(List.of(row("h", "s", 1000, 1, 2, 7), row("h", "other", 5, 1))));
    told.addAll(DigestAnswer.of(List.of(row("h", "s", 500, 13, 40))));
    told.addAll(DigestAnswer.of(List.of()));
    Collections.shuffle(told, new Random(1));
    List<DigestRow> sums = ClusterDigests.sums(told);
    assertEquals(2, sums.size());
    ShapeCount all = sums.getFirst().counts();
    ShapeCount same = row("h", "s", 500, 1, 2, 7, 13, 40).counts();
    assertEquals(5, all.count);
    assertEquals(63 * MILLI, all.sumNanos);
    assertEquals(MILLI, all.minNanos);
    assertEquals(40 * MILLI, all.maxNanos);
    assertEquals(
        List.of(1L, 5L, 15L, 10L, 1L),
        List.of(all.errors, all.warnings, all.affected, all.sent, all.noIndex));
    assertEquals(500, all.firstMillis);
    assertEquals(1000, all.lastMillis);
    assertEquals("SELECT 40", all.sample);
    assertEquals(500, all.sampleMillis);
    for (double part : new double[] {0.1, 0.5, 0.95, 0.99, 0.999}) {
      assertEquals(same.latencies.quantile(part, 5), all.latencies.quantile(part, 5));
    }
  }

  @Test
  void anAnswerIsBounded() {
    List<DigestRow> many = new ArrayList<>();
    for (int i = 0; i < DigestAnswer.MOST_ROWS + 10; i++) {
      many.add(row("h" + i, "s", 1, 1));
    }
    List<AskRow> told = DigestAnswer.of(many);
    assertEquals(DigestAnswer.MOST_ROWS + 1, told.size());
    DigestRow others = DigestAnswer.read(told.getLast());
    assertEquals("", others.hash());
    assertEquals(10, others.counts().count);
    List<DigestRow> wide = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      wide.add(new DigestRow("h" + i, "é".repeat(1 << 19), row("", "s", 1, 1).counts()));
    }
    told = DigestAnswer.of(wide);
    assertTrue(told.size() < 13, told.size() + " rows");
    assertEquals(20, told.stream().mapToLong(row -> DigestAnswer.read(row).counts().count).sum());
  }

  @Test
  void whatAnotherVersionSaysIsRead() {
    DigestRow none = DigestAnswer.read(AskRow.of());
    assertEquals(1, none.counts().count);
    AskRow wrong =
        AskRow.of(
            "h",
            null,
            "s",
            null,
            "x",
            1,
            1,
            1,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            "-1:5,x,9,3:2,999999:1,,4:-7");
    DigestRow read = DigestAnswer.read(wrong);
    assertEquals(2, read.counts().latencies.count(3));
    assertEquals(0, read.counts().latencies.count(4));
  }
}
