package io.alrai.dn.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import io.alrai.dn.backend.FakeReply;
import io.alrai.dn.backend.PipelinedBranch;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.ReadWatch;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A mysqld that answers, is silent, refuses and comes back. */
class MysqldStatusTest {
  private static final DnId DN = new DnId("dn-1");

  private final EmbeddedChannel clock = new EmbeddedChannel();
  private final Metrics metrics = new Metrics();
  private final List<EmbeddedChannel> connections = new ArrayList<>();
  private final List<BranchTaker> logins = new ArrayList<>();
  private final MysqldStatus status = new MysqldStatus(DN, this::open, clock.eventLoop(), metrics);
  private boolean refuses;
  private boolean loginsHang;

  @BeforeEach
  void start() {
    clock.freezeTime();
    status.start();
  }

  private void open(
      EventLoop loop, BackendAccount account, PipelinedBranch.Home home, BranchTaker taker) {
    assertEquals(BackendAccount.AGENT, account);
    logins.add(taker);
    if (loginsHang) {
      return;
    }
    if (refuses) {
      taker.refused(new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "no mysqld"));
      return;
    }
    EmbeddedChannel channel = new EmbeddedChannel();
    PipelinedBranch branch = new PipelinedBranch(DN, channel, 1, home, ReadWatch.NONE);
    channel.pipeline().addLast(branch);
    connections.add(channel);
    taker.taken(branch);
  }

  private void after(long millis) {
    clock.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
    clock.runScheduledPendingTasks();
  }

  /** What it was asked since the last time; empty where it was not. */
  private String asked() {
    ByteBuf sent = connections.getLast().readOutbound();
    return sent == null ? "" : sent.toString(StandardCharsets.UTF_8);
  }

  private void answer(String... namesAndValues) {
    connections
        .getLast()
        .writeInbound(Unpooled.wrappedBuffer(FakeReply.rows("", 2, namesAndValues).bytes()));
  }

  private String value(Metric metric) {
    return metrics.status().get(metric.statusName());
  }

  @Test
  void itSaysWhatTheMysqldSays() {
    assertEquals("0", value(Metric.MYSQLD_UP));
    assertEquals("", status.amiss(), "nobody knows it yet");
    after(1);
    String question = asked();
    assertTrue(question.contains("performance_schema.global_status"), question);
    after(250);
    assertEquals("0.25", value(Metric.MYSQLD_ANSWER));
    answer(
        "Threads_running", "3",
        "INNODB_ROWS_INSERTED", "10",
        "Innodb_rows_updated", "4",
        "Innodb_row_lock_time", "1500",
        "oldest lock wait", "7",
        "Innodb_row_lock_current_waits", "18446744073709551615",
        "Threads_connected", "",
        "Of nobody", "text");
    assertEquals("1", value(Metric.MYSQLD_UP));
    assertEquals("3", value(Metric.MYSQLD_RUNNING));
    assertEquals("14", value(Metric.MYSQLD_ROWS_WRITTEN));
    assertEquals("1.5", value(Metric.MYSQLD_LOCK_WAITS));
    assertEquals("7", value(Metric.MYSQLD_LOCK_WAIT));
    assertEquals("0", value(Metric.MYSQLD_LOCKS_WAITING));
    assertEquals("0", value(Metric.MYSQLD_QUESTIONS));
    after(500);
    assertEquals("", asked());
    after(500);
    assertTrue(asked().endsWith("SELECT 1"));
    answer("1", "1");
    assertEquals("3", value(Metric.MYSQLD_RUNNING), "it was asked for nothing");
    for (int second = 2; second < 5; second++) {
      after(1_000);
      assertTrue(asked().endsWith("SELECT 1"));
      answer("1", "1");
    }
    after(1_000);
    assertTrue(asked().contains("performance_schema.global_status"));
    assertEquals("", status.amiss());
    after(1_200);
    assertEquals("its mysqld takes 1200 ms for a small question", status.amiss());
    assertEquals(1, connections.size());
  }

  @Test
  void oneThatHangsIsCountedAndAskedOnAnotherConnection() {
    after(1);
    answer("Questions", "5");
    after(MysqldStatus.EVERY_MILLIS + 1);
    after(MysqldStatus.MOST_MILLIS - 1);
    assertEquals("1", value(Metric.MYSQLD_UP));
    assertEquals("0", value(Metric.MYSQLD_SILENCES));
    after(2);
    assertEquals("0", value(Metric.MYSQLD_UP));
    assertEquals("1", value(Metric.MYSQLD_SILENCES));
    assertEquals("its mysqld does not answer", status.amiss());
    assertEquals("5", value(Metric.MYSQLD_QUESTIONS), "the last that is known");
    assertFalse(connections.getFirst().isOpen());
    after(MysqldStatus.AGAIN_MILLIS);
    assertEquals(2, connections.size());
    answer("Questions", "6");
    assertEquals("1", value(Metric.MYSQLD_UP));
    assertEquals("6", value(Metric.MYSQLD_QUESTIONS));
  }

  /** A mysqld that stands still takes connections, and says nothing on them. */
  @Test
  void aLoginThatHangsIsCountedAndTheOnlyOne() {
    loginsHang = true;
    after(1);
    after(MysqldStatus.MOST_MILLIS);
    assertEquals("1", value(Metric.MYSQLD_SILENCES));
    after(MysqldStatus.MOST_MILLIS);
    assertEquals("4", value(Metric.MYSQLD_ANSWER));
    assertEquals(1, logins.size());
    loginsHang = false;
    logins
        .getFirst()
        .refused(new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "it took too long"));
    after(MysqldStatus.AGAIN_MILLIS);
    answer("Questions", "6");
    assertEquals("1", value(Metric.MYSQLD_UP));
  }

  @Test
  void oneThatIsAwayIsAskedAgain() {
    refuses = true;
    after(1);
    after(MysqldStatus.AGAIN_MILLIS);
    assertEquals(2, logins.size());
    assertEquals("0", value(Metric.MYSQLD_UP));
    assertEquals("0", value(Metric.MYSQLD_SILENCES), "it has said that it is away");
    refuses = false;
    after(MysqldStatus.AGAIN_MILLIS);
    answer("Questions", "6");
    connections.getFirst().close();
    assertEquals("1", value(Metric.MYSQLD_UP), "nobody has asked yet");
    after(MysqldStatus.EVERY_MILLIS + MysqldStatus.AGAIN_MILLIS);
    assertEquals(2, connections.size());
  }

  @Test
  void nothingIsAskedAfterTheEnd() {
    after(1);
    answer("Questions", "6");
    status.close();
    clock.runPendingTasks();
    assertFalse(connections.getFirst().isOpen());
    after(2 * MysqldStatus.EVERY_MILLIS);
    assertEquals(1, logins.size());
  }
}
