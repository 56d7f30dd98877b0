package io.alrai.dn.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.backend.SilentReplies.Answerer;
import io.alrai.dn.backend.SilentReplies.Seen;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class SilentRepliesTest {
  private static final long NUMBER = EmbeddedBranch.CONNECTION_ID;
  private static final Map<Long, Seen> AT_WORK = Map.of(NUMBER, Seen.AT_WORK);
  private static final Map<Long, Seen> IDLE = Map.of(NUMBER, Seen.IDLE);

  private final EmbeddedBranch embedded = new EmbeddedBranch();
  private final EmbeddedChannel channel = embedded.channel;
  private final PipelinedBranch branch = embedded.branch;
  private final List<String> told = new ArrayList<>();
  private final LongAdder closed = new LongAdder();
  private Consumer<Answerer> mysqld = answer -> answer.seen(AT_WORK);
  private long nanos;
  private int asked;
  private final SilentReplies silent =
      new SilentReplies(
          channel.eventLoop(),
          new SilentReplies.Inquiry() {
            @Override
            public void ask(List<Long> connections, Answerer answer) {
              asked++;
              assertEquals(List.of(NUMBER), connections);
              mysqld.accept(answer);
            }

            @Override
            public void rest() {}
          },
          closed,
          () -> nanos);

  SilentRepliesTest() {
    silent.opened(branch);
  }

  private void send() {
    ByteBuf command = Unpooled.buffer();
    Packets.writeCommand(command, Command.QUERY, "SELECT 1".getBytes(StandardCharsets.US_ASCII));
    branch.send(
        command,
        ReplyKind.RESULTS,
        new ReplySink() {
          @Override
          public void packet(PacketKind kind, ByteBuf buf, int header, int length) {}

          @Override
          public void chunkEnd() {}

          @Override
          public void end(int status) {
            told.add("end");
          }

          @Override
          public void failed(AlraiException reason) {
            told.add("failed " + reason.errno());
          }
        });
  }

  private void start() {
    send();
    branch.flush();
    channel.releaseOutbound();
    pass(1);
  }

  private void pass(long seconds) {
    for (long i = 0; i < seconds; i++) {
      nanos += TimeUnit.SECONDS.toNanos(1);
      silent.look();
    }
    channel.runPendingTasks();
  }

  @Test
  void aStatementMayWorkForHours() {
    start();
    pass(20_000);
    assertTrue(branch.alive());
    assertEquals(List.of(), told);
    assertTrue(asked > 0);
  }

  @Test
  void nothingIsAskedWhileRepliesCome() {
    pass(100);
    for (int i = 0; i < 20; i++) {
      start();
      embedded.answerOk();
      pass(6);
    }
    pass(100);
    assertEquals(0, asked);
  }

  @Test
  void whatTheMysqldDoesNotKnowIsLost() {
    mysqld = answer -> answer.seen(Map.of());
    start();
    pass(8);
    assertEquals(List.of(), told);
    pass(2);
    assertEquals(List.of("failed 2013"), told);
    assertEquals(1, closed.sum());
  }

  @Test
  void whereTheMysqldIdlesForAMinuteTheReplyIsLost() {
    mysqld = answer -> answer.seen(IDLE);
    start();
    pass(50);
    assertEquals(List.of(), told);
    pass(11);
    assertEquals(List.of("failed 2013"), told);
  }

  @Test
  void whatIsNotSentYetOrNotReadIsNoMatterOfTheMysqld() {
    mysqld = answer -> answer.seen(IDLE);
    send();
    pass(1_000);
    branch.flush();
    channel.releaseOutbound();
    pass(5);
    branch.reading(false);
    pass(1_000);
    assertTrue(branch.alive());
    assertEquals(0, asked);
  }

  @Test
  void aMysqldThatAnswersNobodyIsGivenUpAfterAMinute() {
    mysqld = Answerer::unanswered;
    start();
    pass(60);
    assertEquals(List.of(), told);
    mysqld = answer -> answer.seen(AT_WORK);
    pass(1);
    mysqld = Answerer::unanswered;
    pass(59);
    assertEquals(List.of(), told, "it has answered in between");
    pass(10);
    assertEquals(List.of("failed 2013"), told);
  }

  @Test
  void whoIsNotLetInKnowsNothing() {
    mysqld = Answerer::notAsked;
    start();
    pass(10_000);
    assertTrue(branch.alive());
  }

  @Test
  void whatComesWhileItIsAskedCounts() {
    List<Answerer> late = new ArrayList<>();
    mysqld = late::add;
    start();
    pass(100);
    assertEquals(1, asked, "one question at a time");
    ByteBuf reply = Unpooled.buffer();
    Packets.writeOk(reply, 1, new OkPacket(0, 0, 2, 0, ""));
    channel.writeInbound(reply);
    late.getFirst().seen(Map.of());
    assertTrue(branch.alive());
    assertEquals(List.of("end"), told);
    silent.lost(branch);
    branch.close();
    assertFalse(branch.alive());
  }
}
