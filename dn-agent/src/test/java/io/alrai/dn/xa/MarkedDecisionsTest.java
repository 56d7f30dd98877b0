package io.alrai.dn.xa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.LogReader;
import io.alrai.dn.binlog.TransactionKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is remembered of the log, and read in it after a start. */
final class MarkedDecisionsTest {
  private final FakeCluster cluster = new FakeCluster("dn-1");
  private final FakeMysqld mysqld = cluster.node("dn-1").mysqld();
  private final TransactionId id = cluster.newId("dn-1");

  @Test
  void aDecisionThatAMysqldLosesBeforeItIsLetThroughIsNone() {
    MarkedDecisions decisions =
        decisions((from, bound) -> {
          throw new AssertionError("nothing to read");
        });
    decisions.lifeBegins(new GtidSet(), START);
    decisions.logged(decision(1));
    assertTrue(decisions.logged(id));
    assertEquals(Optional.empty(), decisions.find(id).join());
    decisions.lifeBegins(new GtidSet(), START);
    assertFalse(decisions.logged(id));
  }

  @Test
  void whatWasDecidedBeforeTheStartIsReadInTheLog() {
    List<BinlogTransaction> inLog = List.of(decision(1), decision(2));
    MarkedDecisions decisions = decisions((from, bound) -> reader(from, inLog));
    GtidSet visible = new GtidSet();
    visible.add(inLog.getFirst().gtid());
    decisions.lifeBegins(visible, START);
    assertEquals(
        Optional.of(new HlcTimestamp(1_001)),
        decisions.find(id).orTimeout(10, TimeUnit.SECONDS).join());
    // the second is not let through yet: it comes in the stream
    TransactionId other = ((TransactionKind.Decision) inLog.get(1).kind()).id();
    assertEquals(Optional.empty(), decisions.find(other).join());
  }

  @Test
  void theLogIsReadFromTheMarkOnUnlessThatIsOfAnotherLog(@TempDir Path directory) throws Exception {
    List<BinlogTransaction> inLog = List.of(decision(1), decision(2));
    GtidSet settled = new GtidSet();
    settled.add(inLog.getFirst().gtid());
    Path file = directory.resolve("settled");
    new SettledMark(file, Runnable::run).write(settled).join();
    GtidSet visible = settled.copy();
    visible.add(inLog.getLast().gtid());

    MarkedDecisions behind = decisions((from, bound) -> reader(from, inLog), file);
    behind.lifeBegins(visible, START);
    TransactionId other = ((TransactionKind.Decision) inLog.getLast().kind()).id();
    assertTrue(behind.find(other).orTimeout(10, TimeUnit.SECONDS).join().isPresent());
    assertEquals(Optional.empty(), behind.find(id).join());

    settled.add(decision(7).gtid());
    new SettledMark(file, Runnable::run).write(settled).join();
    MarkedDecisions all = decisions((from, bound) -> reader(from, inLog), file);
    all.lifeBegins(visible, START);
    assertTrue(all.find(id).orTimeout(10, TimeUnit.SECONDS).join().isPresent());
    assertTrue(all.find(other).join().isPresent());

    // a machine that died
    Files.writeString(file, settled.toString());
    MarkedDecisions whole = decisions((from, bound) -> reader(from, inLog), file);
    whole.lifeBegins(visible, START);
    assertTrue(whole.find(id).orTimeout(10, TimeUnit.SECONDS).join().isPresent());
  }

  @Test
  void whatLeftTheLogUnreadMayHaveBeenDecided(@TempDir Path directory) throws Exception {
    List<BinlogTransaction> inLog = List.of(decision(1), decision(2), decision(3));
    GtidSet visible = new GtidSet();
    inLog.forEach(one -> visible.add(one.gtid()));
    GtidSet gone = new GtidSet();
    gone.add(inLog.getFirst().gtid());
    mysqld.purged = gone.toString();
    Path file = directory.resolve("settled");
    TransactionId known = ((TransactionKind.Decision) inLog.getLast().kind()).id();

    new SettledMark(file, Runnable::run).write(gone).join();
    MarkedDecisions settled = decisions((from, bound) -> reader(from, inLog), file);
    settled.lifeBegins(visible, START);
    assertTrue(settled.find(known).orTimeout(10, TimeUnit.SECONDS).join().isPresent());
    assertFalse(settled.mayHaveLost(id));

    gone.add(inLog.get(1).gtid());
    mysqld.purged = gone.toString();
    MarkedDecisions lacking = decisions((from, bound) -> reader(from, inLog), file);
    lacking.lifeBegins(visible, START);
    assertTrue(lacking.find(known).orTimeout(10, TimeUnit.SECONDS).join().isPresent());
    assertEquals(Optional.empty(), lacking.find(id).join());
    assertTrue(lacking.mayHaveLost(id));
    TransactionId later =
        new TransactionId(id.coordinator(), cluster.wallMillis() + 1_000, 7, id.primary());
    assertFalse(lacking.mayHaveLost(later), "its coordinator began after this agent");
  }

  @Test
  void theEndIsThatOfAllThatRead() throws Exception {
    List<BinlogTransaction> inLog = List.of(decision(1));
    GtidSet visible = new GtidSet();
    visible.add(inLog.getFirst().gtid());
    CountDownLatch stuck = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    AtomicBoolean ended = new AtomicBoolean();
    MarkedDecisions decisions =
        decisions((from, bound) -> {
          if (stuck.getCount() == 0) {
            return reader(from, inLog);
          }
          stuck.countDown();
          awaited(goesOn);
          ended.set(true);
          return reader(from, inLog);
        });
    decisions.lifeBegins(visible, START);
    assertTrue(stuck.await(10, TimeUnit.SECONDS));
    decisions.lifeBegins(visible, START); // its reader is not stuck
    assertTrue(decisions.find(id).orTimeout(10, TimeUnit.SECONDS).join().isPresent());

    decisions.close();
    FutureTask<Boolean> waits =
        new FutureTask<>(() -> {
          decisions.awaitEnd(Duration.ofSeconds(20));
          return ended.get();
        });
    Thread waiting = Thread.ofPlatform().start(waits);
    while (waiting.getState() != Thread.State.TIMED_WAITING && waiting.isAlive()) {
      Thread.onSpinWait();
    }
    assertTrue(waiting.isAlive(), "the first still reads");
    goesOn.countDown();
    assertTrue(waits.get(10, TimeUnit.SECONDS));
  }

  private static void awaited(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void questionsOfALifeThatBeginsAfterTheEndAreAnswered() {
    List<BinlogTransaction> inLog = List.of(decision(1));
    GtidSet visible = new GtidSet();
    visible.add(inLog.getFirst().gtid());
    MarkedDecisions decisions =
        decisions((from, bound) -> {
          throw new AssertionError("nothing is read any more");
        });
    decisions.close();
    decisions.lifeBegins(visible, START);
    CompletionException answer =
        assertThrows(
            CompletionException.class,
            () -> decisions.find(id).orTimeout(10, TimeUnit.SECONDS).join());
    assertTrue(answer.getCause() instanceof AlraiException, answer.toString());
  }

  @Test
  void allDecisionsGetTheirRowsAtOnce() {
    MarkedDecisions decisions = decisions((from, bound) -> reader(from, List.of()));
    decisions.lifeBegins(new GtidSet(), START);
    BinlogTransaction first = decision(1);
    BinlogTransaction second = decision(2);
    List.of(first, second).forEach(decisions::logged);
    decisions.letThrough(first);
    decisions.settleAll().orTimeout(10, TimeUnit.SECONDS).join();
    assertEquals(1, mysqld.log.rows.size());
    assertEquals(Optional.empty(), decisions.find(id).join(), "its row tells");
    assertFalse(decisions.allSettled(), "one is on its way");
    decisions.letThrough(second);
    decisions.settleAll().orTimeout(10, TimeUnit.SECONDS).join();
    assertEquals(2, mysqld.log.rows.size());
    assertTrue(decisions.allSettled());
    decisions.settleAll().orTimeout(10, TimeUnit.SECONDS).join();
    decisions.close();
    assertThrows(
        CompletionException.class,
        () -> decisions.settleAll().orTimeout(10, TimeUnit.SECONDS).join());
  }

  private static final BinlogPosition START = new BinlogPosition("binlog.000001", 4);

  private MarkedDecisions decisions(LogReader.Source source) {
    return decisions(source, Path.of("/no/such/file"));
  }

  private MarkedDecisions decisions(LogReader.Source source, Path mark) {
    return new MarkedDecisions(
        new DnId("dn-1"),
        new TxLog(new OwnConnections(mysqld, List.of(mysqld.loop))),
        new MysqldDecisionLog(source, new SettledMark(mark, Runnable::run)),
        System::nanoTime,
        cluster::wallMillis);
  }

  private BinlogTransaction decision(int number) {
    TransactionId of = number == 1 ? id : cluster.newId("dn-1");
    return new BinlogTransaction(
        new Gtid(new UUID(1, 2), "", number),
        new BinlogPosition("binlog.000001", 100L * number),
        100,
        true,
        new TransactionKind.Decision(
            of, new HlcTimestamp(1_000 + number), List.of(new DnId("dn-2"))),
        1,
        List.of(),
        Optional.empty());
  }

  private static LogReader reader(GtidSet from, List<BinlogTransaction> all) {
    Iterator<BinlogTransaction> rest =
        all.stream().filter(one -> !from.contains(one.gtid())).iterator();
    return new LogReader() {
      @Override
      public Optional<BinlogTransaction> poll(long millis) {
        return rest.hasNext() ? Optional.of(rest.next()) : Optional.empty();
      }

      @Override
      public void close() {}
    };
  }
}
