package io.alrai.dn.backend;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.protocol.ForwardedReply;
import io.alrai.cn.shard.ShardCall;
import io.alrai.cn.shard.StatusSink;
import io.alrai.cn.shard.WarningsFetch;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.Lenenc;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ReplyKind;
import io.alrai.common.wire.ServerStatus;
import io.alrai.common.wire.StateChange;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.ReadWatch;
import io.alrai.testing.HostileReplies;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A mysqld that sends what none should, for everything that reads replies: each reader is told once
 * that its reply is over, none gets another's rows, and what is out of step is closed. {@code
 * -Dhostile.rounds=1000000} takes longer, {@code -Dhostile.seed=N} repeats one round.
 */
final class HostileRepliesTest {
  private static final int ROUNDS = Integer.getInteger("hostile.rounds", 1_000);
  private static final long FIXED = 20_261_126;
  private static final DnId DN = new DnId("dn-1");
  private static final int IN_STEP = ServerStatus.AUTOCOMMIT;

  /** One round by its seed. */
  private interface Round {
    void run(long seed);
  }

  private static void rounds(Round round) {
    Long only = Long.getLong("hostile.seed");
    long fresh = System.nanoTime();
    int count = only == null ? ROUNDS : 1;
    for (int i = 0; i < count; i++) {
      long base = i % 2 == 0 ? FIXED : fresh;
      long seed = only == null ? base + i : only;
      try {
        round.run(seed);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("-Dhostile.seed=" + seed, e);
      }
    }
  }

  /** How one reader's reply went. */
  private static final class Outcome {
    int over;
    @Nullable EmbeddedChannel client;
    final List<String> rows = new ArrayList<>();
  }

  /** A reader of a reply to a query whose rows say whose they are. */
  private interface Reader {
    void send(Branch branch, ByteBuf command, Outcome outcome);
  }

  private static final class Home implements PipelinedBranch.Home {
    boolean returned;
    boolean lost;

    @Override
    public void returned(PipelinedBranch branch) {
      returned = true;
    }

    @Override
    public void lost(PipelinedBranch branch) {
      lost = true;
    }
  }

  private static final List<Reader> READERS =
      List.of(
          HostileRepliesTest::answer,
          HostileRepliesTest::status,
          HostileRepliesTest::call,
          HostileRepliesTest::callWithWarnings,
          HostileRepliesTest::forwarded);

  private static void answer(Branch branch, ByteBuf command, Outcome outcome) {
    command.release();
    CompletableFuture<Answer> done = new CompletableFuture<>();
    done.whenComplete((answer, error) -> {
      outcome.over++;
      if (error == null) {
        answer.rows().forEach(outcome.rows::addAll);
      }
    });
    Answer.send(branch, Command.QUERY, "SELECT", ReplyKind.RESULTS, done);
  }

  private static void status(Branch branch, ByteBuf command, Outcome outcome) {
    branch.send(command, ReplyKind.RESULTS, new StatusSink(error -> outcome.over++));
  }

  private static void call(Branch branch, ByteBuf command, Outcome outcome) {
    ShardCall call = call(branch, outcome);
    branch.send(command, ReplyKind.RESULTS, call);
  }

  private static void callWithWarnings(Branch branch, ByteBuf command, Outcome outcome) {
    Queue<io.alrai.cn.session.Diagnostics.Condition> told = new ConcurrentLinkedQueue<>();
    branch.send(command, ReplyKind.RESULTS, new WarningsFetch(call(branch, outcome), branch, told));
  }

  private static ShardCall call(Branch branch, Outcome outcome) {
    ShardCall[] call = new ShardCall[1];
    call[0] =
        new ShardCall(() -> {
          outcome.over++;
          read(call[0], outcome);
        });
    call[0].runsOn(branch);
    return call[0];
  }

  /** All of it is there: this never waits. */
  private static void read(ShardCall call, Outcome outcome) {
    try {
      call.columns();
      byte[] row;
      while ((row = call.nextRow()) != null) {
        outcome.rows.add(new String(row, 1, Math.max(0, row.length - 1), UTF_8));
      }
    } catch (AlraiException failed) {
      assertFalse(failed.sentence().isEmpty());
    }
  }

  private static void forwarded(Branch branch, ByteBuf command, Outcome outcome) {
    EmbeddedChannel client = new EmbeddedChannel();
    ForwardedReply reply = new ForwardedReply(client, true, message -> message, new Told(outcome));
    outcome.client = client;
    reply.begin(new byte[0], new byte[0], null, 0, 1);
    branch.send(command, ReplyKind.RESULTS, reply);
  }

  /** What the client of a forwarded reply gets. */
  private record Told(Outcome outcome) implements ForwardedReply.Listener {
    @Override
    public StateChange stateChange() {
      return StateChange.NONE;
    }

    @Override
    public AlraiException told(AlraiException failure) {
      return failure;
    }

    @Override
    public boolean runsAgain(AlraiException failure) {
      return false;
    }

    @Override
    public void again() {
      outcome.over++;
    }

    @Override
    public void forwarded(@Nullable AlraiException failure, @Nullable OkPacket ok) {
      outcome.over++;
    }

    @Override
    public void disturbed() {
      outcome.over++;
    }

    @Override
    public void lost(AlraiException reason, boolean anythingSent) {
      outcome.over++;
    }
  }

  private static void drain(Outcome outcome) {
    EmbeddedChannel client = outcome.client;
    if (client == null) {
      return;
    }
    ByteBuf all = Unpooled.buffer();
    ByteBuf out;
    while ((out = client.readOutbound()) != null) {
      all.writeBytes(out);
      out.release();
    }
    int expected = 1;
    int at = 0;
    while (all.writerIndex() - at >= Packets.HEADER) {
      int length = all.getUnsignedMediumLE(at);
      assertEquals(expected, all.getUnsignedByte(at + 3), "the client's packets are in step");
      expected = expected + 1 & 0xff;
      outcome.rows.add(all.toString(at + Packets.HEADER + 1, Math.max(0, length - 1), US_ASCII));
      at += Packets.HEADER + length;
    }
    assertEquals(all.writerIndex(), at, "the client's packets are whole");
    client.finishAndReleaseAll();
  }

  private static String marker(int reader) {
    return "the row of reader " + String.valueOf(reader).repeat(4);
  }

  /** A reply as mysqld gives it: OK, an error, or a result whose rows say whose it is. */
  private static void reply(ByteBuf out, int reader, HostileReplies hostile) {
    switch (hostile.random().nextInt(6)) {
      case 0 -> Packets.writeOk(out, 1, new OkPacket(1, 0, IN_STEP, 0, ""));
      case 1 -> Packets.writeErr(out, 1, 1064, "42000", marker(reader));
      default -> result(out, reader, hostile.random().nextInt(5));
    }
  }

  private static void result(ByteBuf out, int reader, int rows) {
    int sequence = 1;
    int header = Packets.begin(out, sequence++);
    out.writeByte(1);
    Packets.end(out, header);
    header = Packets.begin(out, sequence++);
    for (String part : List.of("def", "s", "t", "t", "c", "c")) {
      Lenenc.writeBytes(out, part.getBytes(US_ASCII));
    }
    out.writeByte(12).writeShortLE(255).writeIntLE(80).writeByte(253).writeShortLE(0).writeZero(3);
    Packets.end(out, header);
    for (int i = 0; i < rows; i++) {
      header = Packets.begin(out, sequence++);
      Lenenc.writeBytes(out, marker(reader).getBytes(US_ASCII));
      Packets.end(out, header);
    }
    Packets.writeResultEnd(out, sequence, 0, IN_STEP);
  }

  @Test
  void everyReaderIsToldOnceAndGetsNoOthersRows() {
    rounds(HostileRepliesTest::replies);
  }

  private static void replies(long seed) {
    HostileReplies hostile = new HostileReplies(seed);
    EmbeddedChannel channel = new EmbeddedChannel();
    Home home = new Home();
    PipelinedBranch branch = new PipelinedBranch(DN, channel, 7, home, ReadWatch.NONE);
    channel.pipeline().addLast(branch);
    int readers = 1 + hostile.random().nextInt(4);
    List<Outcome> outcomes = new ArrayList<>();
    ByteBuf stream = Unpooled.buffer();
    for (int i = 0; i < readers; i++) {
      Outcome outcome = new Outcome();
      outcomes.add(outcome);
      ByteBuf command = Unpooled.buffer();
      Packets.writeCommand(command, Command.QUERY, "SELECT".getBytes(US_ASCII));
      READERS.get(hostile.random().nextInt(READERS.size())).send(branch, command, outcome);
      reply(stream, i, hostile);
    }
    branch.flush();
    channel.releaseOutbound();
    List<byte[]> packets = HostileReplies.packets(stream);
    stream.release();
    boolean changed = hostile.change(packets);
    for (ByteBuf read : hostile.reads(packets)) {
      if (channel.isOpen()) {
        channel.writeInbound(read);
      } else {
        read.release();
      }
    }
    boolean through = branch.alive() && branch.outstanding() == 0;
    assertTrue(through || changed, "what mysqld sends is taken");
    if (through) {
      branch.release();
      assertTrue(home.returned || changed, "and the connection serves others");
    }
    channel.close();
    channel.runPendingTasks();
    channel.finishAndReleaseAll();
    assertTrue(home.lost);
    for (int i = 0; i < readers; i++) {
      assertEquals(1, outcomes.get(i).over, "reader " + i + " of " + readers);
      drain(outcomes.get(i));
      foreign(i, readers, outcomes.get(i).rows);
    }
  }

  private static void foreign(int reader, int readers, List<String> rows) {
    for (int other = 0; other < readers; other++) {
      assertTrue(other == reader || !rows.contains(marker(other)), "a row of " + other);
    }
  }

  @Test
  void everyLoginEndsWithinItsBound() {
    rounds(HostileRepliesTest::login);
  }

  private static void login(long seed) {
    HostileReplies hostile = new HostileReplies(seed);
    EmbeddedChannel channel = new EmbeddedChannel();
    Home home = new Home();
    List<String> told = new ArrayList<>();
    LoginHandler login =
        new LoginHandler(
            DN,
            new Credentials("u", "p"),
            BackendAccount.DATA,
            home,
            ReadWatch.NONE,
            new BranchTaker() {
              @Override
              public void taken(Branch branch) {
                told.add("taken");
              }

              @Override
              public void refused(AlraiException reason) {
                told.add("refused");
              }
            });
    channel.pipeline().addLast(login);
    channel.pipeline().fireChannelActive();
    ByteBuf stream = Unpooled.buffer();
    int header = Packets.begin(stream, 0);
    stream.writeByte(10).writeBytes("9.7.4\0".getBytes(US_ASCII)).writeIntLE(7);
    stream.writeBytes("12345678\0".getBytes(US_ASCII)).writeShortLE(0xffff).writeByte(255);
    stream.writeShortLE(2).writeShortLE(0xffff).writeByte(21).writeZero(10);
    stream.writeBytes("123456789012\0caching_sha2_password\0".getBytes(US_ASCII));
    Packets.end(stream, header);
    if (hostile.random().nextBoolean()) {
      header = Packets.begin(stream, 2);
      stream.writeByte(0x01).writeByte(0x03);
      Packets.end(stream, header);
    }
    Packets.writeOk(stream, 3, new OkPacket(0, 0, IN_STEP, 0, ""));
    Packets.writeOk(stream, 1, new OkPacket(0, 0, IN_STEP, 0, ""));
    List<byte[]> packets = HostileReplies.packets(stream);
    stream.release();
    boolean changed = hostile.change(packets);
    for (ByteBuf read : hostile.reads(packets)) {
      if (channel.isOpen()) {
        channel.writeInbound(read);
      } else {
        read.release();
      }
    }
    channel.releaseOutbound();
    channel.advanceTimeBy(10, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
    assertEquals(1, told.size(), told::toString);
    assertTrue(changed || told.contains("taken"), "what mysqld sends is taken");
    channel.close();
    channel.runPendingTasks();
    channel.finishAndReleaseAll();
    assertEquals(1, told.size(), told::toString);
  }
}
