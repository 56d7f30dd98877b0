package io.alrai.cn.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.cn.session.FixedSession;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.statement.Sequences;
import io.alrai.cn.tx.FakeDns;
import io.alrai.common.error.AlraiException;
import io.alrai.executor.fragment.InsertRows.AutoIncrement;
import io.alrai.gms.client.LocalGms;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The expected ids are those of a mysqld 9.7.4. */
class RowIdsTest {
  private static final long NONE = 0;

  private final LocalGms gms = new LocalGms();
  private final Sequences sequences = new Sequences(gms, () -> 0);
  private final SettingsRegistry registry = new SettingsRegistry();
  private final Session session =
      FixedSession.of(new FakeDns(new EmbeddedChannel().eventLoop()), registry);

  @AfterEach
  void close() {
    gms.close();
  }

  /** The ids of rows, and after them the next one of a further statement. */
  private List<Long> ids(long largest, boolean unsigned, long estimate, long... rows) {
    AutoIncrement auto = new AutoIncrement("auto:1", "id", 0, false, unsigned, largest);
    List<Long> ids = new ArrayList<>();
    RowIds statement = new RowIds(sequences, auto, session, estimate);
    for (long row : rows) {
      if (row == NONE) {
        ids.add(statement.make());
      } else {
        statement.given(row);
        ids.add(row);
      }
    }
    statement.passOver();
    ids.add(new RowIds(sequences, auto, session, 1).make());
    return ids;
  }

  private List<Long> ids(long estimate, long... rows) {
    return ids(Integer.MAX_VALUE, false, estimate, rows);
  }

  @Test
  void idsFollowTheOrderOfRows() {
    sequences.passOver("auto:1", 51);
    assertEquals(List.of(52L, 100L, 101L, 102L), ids(3, NONE, 100, NONE));
    assertEquals(List.of(103L, 104L, 105L, 106L), ids(3, NONE, 104, NONE));
    assertEquals(List.of(107L, -5L, 108L, 110L), ids(3, NONE, -5, NONE));
    assertEquals(List.of(200L, 201L, 202L, 204L), ids(3, 200, NONE, NONE));
    assertEquals(List.of(205L, 3L, 206L, 208L), ids(3, NONE, 3, NONE));
    assertEquals(
        List.of(209L, 300L, 301L, 302L, 303L, 304L, 305L),
        ids(6, NONE, 300, NONE, NONE, NONE, NONE));
  }

  @Test
  void rowsOfAQueryReserveMoreAndMore() {
    assertEquals(List.of(1L, 2L, 3L, 4L, 5L, 8L), ids(0, NONE, NONE, NONE, NONE, NONE));
    assertEquals(List.of(9L, 50L, 51L, 52L, 53L, 57L), ids(0, NONE, 50, NONE, NONE, NONE));
  }

  @Test
  void stepsOfTheSession() {
    session
        .variables()
        .settings(
            registry.with(
                session.variables().settings(),
                Map.of("auto_increment_increment", "10", "auto_increment_offset", "5")));
    assertEquals(List.of(5L, 15L, 25L, 35L), ids(3, NONE, NONE, NONE));
    session
        .variables()
        .settings(registry.with(session.variables().settings(), "auto_increment_offset", "20"));
    assertEquals(List.of(50L, 60L), ids(1, NONE));
    session.variables().settings(registry.defaults());
    assertEquals(List.of(70L, 71L), ids(1, NONE));
  }

  @Test
  void theSessionsInsertId() {
    session.own().insertId(20);
    assertEquals(List.of(20L, 21L, 22L), ids(2, NONE, NONE));
    session.own().insertId(10);
    assertEquals(List.of(10L, 60L, 61L, 62L), ids(3, NONE, 60, NONE));
  }

  @Test
  void theLastNumberComesAgain() {
    assertEquals(List.of(126L, 127L, 127L), ids(127, false, 2, 126, NONE));
    assertEquals(List.of(127L, 127L), ids(127, false, 1, NONE));
    assertThrows(AlraiException.class, () -> ids(127, false, 2, NONE, NONE));
    assertEquals(List.of(300L, 127L), ids(127, false, 1, 300));
  }

  @Test
  void theEndOfTheLargestType() {
    assertEquals(
        List.of(Long.MAX_VALUE - 1, Long.MAX_VALUE),
        ids(Long.MAX_VALUE, false, 1, Long.MAX_VALUE - 1));
    assertEquals(List.of(Long.MAX_VALUE, Long.MAX_VALUE), ids(Long.MAX_VALUE, false, 1, NONE));
    assertEquals(List.of(5L, Long.MAX_VALUE), ids(Long.MAX_VALUE, false, 1, 5));
    AlraiException none =
        assertThrows(AlraiException.class, () -> ids(Long.MAX_VALUE, true, 1, NONE));
    assertEquals(1467, none.errno());
  }
}
