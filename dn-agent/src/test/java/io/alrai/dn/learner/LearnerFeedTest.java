package io.alrai.dn.learner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.EventBytes;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.TransactionKind;
import io.alrai.dn.group.GroupReader;
import io.alrai.dn.group.MemoryGroup;
import io.alrai.dn.group.Shipped;
import io.alrai.dn.group.VoterLogs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LearnerFeedTest {
  private static final UUID SERVER = new UUID(1, 2);
  private static final String NAME = SERVER.toString();

  private final MemoryGroup log = new MemoryGroup(1);
  private final Map<String, BinlogException> ends = new HashMap<>();
  private final List<String> asked = new ArrayList<>();
  private List<String> members = List.of("b", "c", "a");
  private boolean errant;
  private long nanos;
  private VoterLogs.@Nullable Arrivals heard;
  private final LearnerFeed feed = new LearnerFeed("r", new Voters(), () -> nanos);

  /** Three voters with one log. */
  private final class Voters implements VoterLogs {
    @Override
    public List<String> names() {
      return members;
    }

    @Override
    public Stream open(String voter, GtidSet known, Arrivals arrivals) {
      asked.add(voter + " " + known);
      heard = arrivals;
      GroupReader reader = log.open(known);
      return new Stream() {
        @Override
        public boolean begun() {
          return !ends.containsKey(voter);
        }

        @Override
        public boolean errant() {
          return errant && voter.equals("a");
        }

        @Override
        public @Nullable Shipped poll(long millis) throws InterruptedException {
          BinlogException end = ends.get(voter);
          if (end != null) {
            throw end;
          }
          Shipped next = reader.poll(millis);
          if (next != null) {
            arrivals.arrived(next.index(), next.gtid());
          }
          return next;
        }

        @Override
        public long passed() {
          return reader.passed();
        }

        @Override
        public void close() {}
      };
    }
  }

  private void commit(int number) {
    byte[] events = new byte[40];
    log.commit(
        List.of(
            new BinlogTransaction(
                new Gtid(SERVER, "", number),
                new BinlogPosition("binlog.000001", 100L * number),
                events.length,
                true,
                new TransactionKind.Commit(),
                1,
                List.of(),
                Optional.of(new EventBytes(events)))));
  }

  /** The next one that comes within some calls. */
  private static @Nullable Shipped next(GroupReader reader) throws InterruptedException {
    for (int i = 0; i < 8; i++) {
      Shipped found = reader.poll(0);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static long number(@Nullable Shipped shipped) {
    assertNotNull(shipped);
    return shipped.gtid().number();
  }

  @Test
  void anotherVoterGoesOnWhereTheLastOneBrokeOff() throws Exception {
    commit(1);
    commit(2);
    GroupReader reader = feed.open(new GtidSet());
    assertEquals(1, number(next(reader)));
    assertEquals("b", feed.source().voter());
    ends.put("b", new BinlogException("it broke"));
    assertEquals(2, number(next(reader)));
    assertEquals(List.of("b ", "c " + NAME + ":1"), asked);
    assertEquals("c", feed.source().voter());
    commit(3);
    assertEquals(3, number(next(reader)));
    assertEquals(GtidSet.parse(NAME + ":1-3"), feed.arrived().orElseThrow());
    reader.close();
  }

  @Test
  void whoHasForgottenIsNoReasonToCloneWhileAnotherOneHasNot() throws Exception {
    commit(1);
    ends.put("b", BinlogException.gone("b has forgotten"));
    GroupReader reader = feed.open(new GtidSet());
    assertEquals(1, number(next(reader)));
    assertEquals("", feed.lacking());
    ends.put("c", BinlogException.gone("c has forgotten"));
    ends.put("a", new BinlogException("a is away"));
    assertNull(next(reader));
    assertEquals("b has forgotten", feed.lacking());
    assertNull(reader.poll(1)); // another round begins
    ends.clear();
    commit(2);
    assertEquals(2, number(next(reader)));
    assertEquals("", feed.lacking(), "it has come back");
    reader.close();
  }

  @Test
  void onlyTheLeaderKnowsThatSomethingIsNotTheGroups() throws Exception {
    for (String voter : List.of("a", "b", "c")) {
      ends.put(voter, new BinlogException(voter + " does not know of x:9"));
    }
    GroupReader reader = feed.open(new GtidSet());
    assertNull(next(reader));
    assertEquals("", feed.errant());
    errant = true;
    assertNull(reader.poll(1));
    assertNull(next(reader));
    assertTrue(feed.errant().contains("a does not know of x:9"), feed.errant());
    assertEquals("", feed.lacking());
    reader.close();
  }

  @Test
  void itLagsByWhatIsNotExecutedAndBySilence() throws Exception {
    commit(1);
    GroupReader reader = feed.open(new GtidSet());
    next(reader);
    nanos += 700_000_000L;
    assertEquals(700, feed.lagMillis());
    feed.executed(GtidSet.parse(NAME + ":1"));
    assertEquals(0, feed.lagMillis());
    nanos += 900_000_000L;
    assertEquals(1_600, feed.lagMillis(), "nothing was heard since");
    reader.close();
  }

  /** It would be cloned for nothing, and served by what its life before has got. */
  @Test
  void aReaderOfAnEarlierLifeSaysNothing() throws Exception {
    commit(1);
    GroupReader old = feed.open(new GtidSet());
    for (String voter : List.of("a", "b", "c")) {
      ends.put(voter, BinlogException.gone(voter + " has forgotten"));
    }
    feed.forget();
    assertNull(next(old));
    assertEquals("", feed.lacking());
    ends.clear();
    GroupReader reader = feed.open(new GtidSet());
    assertNull(old.poll(1)); // another round begins
    assertEquals(1, number(next(old)));
    assertEquals(new GtidSet(), feed.arrived().orElseThrow());
    assertEquals("", feed.source().voter());
    assertEquals(1, number(next(reader)));
    assertEquals(GtidSet.parse(NAME + ":1"), feed.arrived().orElseThrow());
    old.close();
    reader.close();
  }

  /** Its mysqld takes what comes as slowly as it applies: most of it is at the voter still. */
  @Test
  void itLagsByWhatHasNotComeYet() throws Exception {
    commit(1);
    GroupReader reader = feed.open(new GtidSet());
    assertEquals(-1, feed.unapplied(new GtidSet()), "nobody knows it yet");
    next(reader);
    VoterLogs.Arrivals from = Objects.requireNonNull(heard);
    from.heard(5_000, 7);
    assertEquals(4_994, feed.unapplied(new GtidSet()));
    for (int i = 1; i <= 20_000; i++) {
      nanos += 250_000_000L;
      from.heard(5_000 + i, 7 + i);
    }
    feed.executed(GtidSet.parse(NAME + ":1"));
    long millis = feed.lagMillis();
    assertTrue(millis >= 4_992 * 250 && millis < 1.1 * 4_992 * 250, millis + " ms");
    from.heard(25_000, 25_000);
    assertEquals(0, feed.lagMillis());
    assertEquals(0, feed.unapplied(GtidSet.parse(NAME + ":1")));
    assertEquals(1, feed.unapplied(new GtidSet()));
    reader.close();
  }

  /** A group was forced without it, and it does not know that. */
  @Test
  void whoIsNoMemberAnyMoreIsLeft() throws Exception {
    commit(1);
    GroupReader reader = feed.open(new GtidSet());
    assertEquals(1, number(next(reader)));
    members = List.of("a");
    commit(2);
    assertEquals(2, number(next(reader)), "nobody looks all the time");
    nanos += 1_000_000_001L;
    commit(3);
    assertNull(reader.poll(0));
    assertEquals("b is no member any more", feed.source().error());
    assertEquals(3, number(next(reader)));
    assertEquals("a", feed.source().voter());
    reader.close();
  }
}
