package io.alrai.dn.xa;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.CommitParticipant.Outcome;
import io.alrai.dn.link.XaName;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Decisions in files of the log that somebody deletes, or would. */
final class PurgedLogIT {
  private static final MultiThreadIoEventLoopGroup LOOPS =
      new MultiThreadIoEventLoopGroup(2, EpollIoHandler.newFactory());

  @TempDir Path directory;
  private final Map<DnId, CommitParticipant> participants = new ConcurrentHashMap<>();
  private RealNode first;
  private RealNode second;

  @BeforeEach
  void start() throws Exception {
    first = node("dn-1", 1);
    second = node("dn-2", 2);
    for (RealNode node : List.of(first, second)) {
      node.query("CREATE SCHEMA t;CREATE TABLE t.r (id INT PRIMARY KEY, v INT)");
    }
  }

  private RealNode node(String name, int serverId) {
    RealNode node =
        new RealNode(
            name,
            serverId,
            directory,
            LOOPS,
            participants::get,
            config -> config.withOption("binlog-expire-logs-seconds", "1"));
    participants.put(node.dn(), node.participant());
    return node;
  }

  @AfterEach
  void stop() {
    second.close();
    first.close();
  }

  /** Decided on the first, and prepared on the second. */
  private TransactionId decided(int number) throws Exception {
    TransactionId id = new TransactionId(new NodeId("cn-1"), 1, number, first.dn());
    Branch primary = first.take();
    Branch other = second.take();
    String insert = "INSERT INTO t.r VALUES (" + number + ",1)";
    RealNode.run(primary, "START TRANSACTION;" + insert);
    RealNode.run(other, "XA START " + XaName.name(id, second.dn()).text() + ";" + insert);
    HlcTimestamp at =
        RealNode.get(RealNode.onLoop(other, () -> second.participant().prepare(other, id)));
    HlcTimestamp own =
        RealNode.get(RealNode.onLoop(primary, () -> first.participant().preCommit(primary, id)));
    HlcTimestamp proposed = at.compareTo(own) > 0 ? at : own;
    RealNode.get(
        RealNode.onLoop(
            primary,
            () -> first.participant().decide(primary, id, proposed, List.of(second.dn()))));
    return id;
  }

  private long there(RealNode node) throws Exception {
    return Long.parseLong(node.query("SELECT COUNT(*) FROM t.r").getFirst().getFirst());
  }

  @Test
  void aDecisionOutlivesAnyTimeThatItsServerIsOff() throws Exception {
    TransactionId id = decided(1);
    participants.remove(first.dn());
    first.stop();
    TimeUnit.SECONDS.sleep(3);
    first = node("dn-1", 1);
    Eventually.await("end of the prepared branch", () -> !holds(id));
    assertEquals(1, there(first));
    assertEquals(1, there(second), "half a transaction");
  }

  @Test
  void whereTheLogWasDeletedByHandNothingUnknownIsTakenForRolledBack() throws Exception {
    TransactionId id = decided(1);
    participants.remove(first.dn());
    first.query("FLUSH BINARY LOGS");
    Eventually.await("end of the first file", this::isPurged);
    for (int start = 0; start < 2; start++) {
      first.close();
      first = node("dn-1", 1);
      assertEquals(new Outcome.InDoubt(), RealNode.get(first.participant().outcome(id)));
    }
    // what an administrator does who has looked at the rows
    first.query(
        "INSERT INTO alrai.tx_log VALUES ("
            + XaName.bytes(id.gtrid()).text()
            + ",77,'dn-2',NOW(3))");
    Eventually.await("end of the prepared branch", () -> !holds(id));
    assertEquals(1, there(second));
  }

  /** A file that somebody still reads stays, with a warning only. */
  private boolean isPurged() {
    try {
      first.query("PURGE BINARY LOGS TO 'binlog.000002'");
      return first.query("SHOW BINARY LOGS").size() == 1;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private boolean holds(TransactionId id) {
    try {
      return RealNode.get(second.participant().holdsPrepared(id));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
