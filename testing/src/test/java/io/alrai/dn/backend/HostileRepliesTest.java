package io.alrai.dn.backend;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.command.CommandReaders;
import io.alrai.cn.protocol.ForwardedReply;
import io.alrai.cn.shard.ShardReaders;
import io.alrai.cn.tx.TransactionReaders;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.Lenenc;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ReplyKind;
import io.alrai.common.wire.ServerStatus;
import io.alrai.common.wire.StateChange;
import io.alrai.dn.backend.HostileReader.Shape;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A mysqld that sends what none should, for everything that reads replies: each reader gets the end
 * of its reply once, none gets another's rows, and what is out of step is closed. {@code
 * -Dhostile.rounds=1000000} takes longer, {@code -Dhostile.seed=N} repeats one round.
 */
final class HostileRepliesTest {
  private static final int ROUNDS = 1_000;
  private static final DnId DN = new DnId("dn-1");
  private static final int IN_STEP = ServerStatus.AUTOCOMMIT;
  private static final int GOES_ON = IN_STEP | ServerStatus.MORE_RESULTS_EXISTS;

  private static final class Home implements PipelinedBranch.Home {
    boolean returned;
    boolean lost;

    @Override
    public void returned(PipelinedBranch branch) {
      returned = true;
    }

    @Override
    public boolean keepsPrepared() {
      return true;
    }

    @Override
    public void lost(PipelinedBranch branch) {
      lost = true;
    }
  }

  private static final List<HostileReader> READERS =
      HostileReader.all(
          List.of(
              List.of(
                  HostileReader.of(Shape.ROWS, HostileRepliesTest::answer),
                  HostileReader.of(Shape.ROWS, HostileRepliesTest::forwarded)),
              ShardReaders.ALL,
              TransactionReaders.ALL,
              CommandReaders.ALL));

  private static void answer(Branch branch, ByteBuf command, HostileOutcome outcome) {
    command.release();
    CompletableFuture<Answer> done = new CompletableFuture<>();
    done.whenComplete((answer, error) -> {
      outcome.over();
      if (error == null) {
        answer.rows().forEach(row -> row.forEach(outcome::row));
      }
    });
    Answer.send(branch, Command.QUERY, Sql.of("SELECT"), ReplyKind.RESULTS, done);
  }

  private static void forwarded(Branch branch, ByteBuf command, HostileOutcome outcome) {
    ForwardedReply reply =
        new ForwardedReply(outcome.client(), true, message -> message, new Told(outcome));
    reply.begin(new byte[0], new byte[0], null, 0, 1);
    branch.send(command, ReplyKind.RESULTS, reply);
  }

  /** What the client of a forwarded reply gets. */
  private record Told(HostileOutcome outcome) implements ForwardedReply.Listener {
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
      outcome.over();
    }

    @Override
    public void forwarded(@Nullable AlraiException failure, @Nullable OkPacket ok) {
      outcome.over();
      // without an answer it would wait for ever
      assertTrue(outcome.client().outboundMessages().size() > 0);
    }

    @Override
    public void disturbed() {
      outcome.over();
    }

    @Override
    public void lost(AlraiException reason, ForwardedReply.Had client) {
      outcome.over();
    }
  }

  private static String marker(int reader) {
    return "the row of reader " + String.valueOf(reader).repeat(4);
  }

  /** A reply as mysqld gives it: OK, an error, or a result whose rows say whose it is. */
  private static void reply(ByteBuf out, Shape shape, int reader, HostileReplies hostile) {
    int sequence = 1;
    if (shape == Shape.BEGUN_ROWS) {
      for (int i = 0; i < HostileReader.BEGINNINGS; i++) {
        Packets.writeOk(out, sequence++, new OkPacket(0, 0, GOES_ON, 0, ""));
      }
    }
    switch (hostile.random().nextInt(6)) {
      case 0 -> {
        if (shape == Shape.PREPARED) {
          prepared(out, 0, 0);
        } else {
          Packets.writeOk(out, sequence, new OkPacket(1, 0, IN_STEP, 0, ""));
        }
      }
      case 1 -> Packets.writeErr(out, sequence, 1064, "42000", marker(reader));
      default -> {
        if (shape == Shape.PREPARED) {
          prepared(out, hostile.random().nextInt(3), hostile.random().nextInt(3));
        } else {
          List<String> before = shape == Shape.WARNINGS ? List.of("Warning", "1064") : List.of();
          result(out, sequence, before, marker(reader), hostile.random().nextInt(5));
        }
      }
    }
  }

  private static void prepared(ByteBuf out, int parameters, int columns) {
    int sequence = 1;
    int header = Packets.begin(out, sequence++);
    out.writeByte(0).writeIntLE(77).writeShortLE(columns).writeShortLE(parameters);
    out.writeByte(0).writeShortLE(0);
    Packets.end(out, header);
    for (int i = 0; i < parameters + columns; i++) {
      definition(out, sequence++);
    }
  }

  /** Rows of some texts that are always the same and one that says whose they are. */
  private static void result(ByteBuf out, int first, List<String> before, String last, int rows) {
    int sequence = first;
    int header = Packets.begin(out, sequence++);
    out.writeByte(before.size() + 1);
    Packets.end(out, header);
    for (int i = 0; i <= before.size(); i++) {
      definition(out, sequence++);
    }
    for (int i = 0; i < rows; i++) {
      header = Packets.begin(out, sequence++);
      before.forEach(text -> Lenenc.writeBytes(out, text.getBytes(US_ASCII)));
      Lenenc.writeBytes(out, last.getBytes(US_ASCII));
      Packets.end(out, header);
    }
    Packets.writeResultEnd(out, sequence, 0, IN_STEP);
  }

  private static void definition(ByteBuf out, int sequence) {
    int header = Packets.begin(out, sequence);
    for (String part : List.of("def", "s", "t", "t", "c", "c")) {
      Lenenc.writeBytes(out, part.getBytes(US_ASCII));
    }
    out.writeByte(12).writeShortLE(255).writeIntLE(80).writeByte(253).writeShortLE(0).writeZero(3);
    Packets.end(out, header);
  }

  @Test
  void everyReaderIsToldOnceAndGetsNoOthersRows() {
    HostileReplies.rounds(ROUNDS, HostileRepliesTest::replies);
  }

  private static void replies(HostileReplies hostile) {
    EmbeddedChannel channel = new EmbeddedChannel();
    Home home = new Home();
    PipelinedBranch branch = new PipelinedBranch(DN, channel, 7, home, ReadWatch.NONE);
    channel.pipeline().addLast(branch);
    int readers = 1 + hostile.random().nextInt(4);
    List<HostileOutcome> outcomes = new ArrayList<>();
    ByteBuf stream = Unpooled.buffer();
    boolean givenBack = false;
    for (int i = 0; i < readers && !givenBack; i++) {
      HostileOutcome outcome = new HostileOutcome();
      outcomes.add(outcome);
      HostileReader reader = READERS.get(hostile.random().nextInt(READERS.size()));
      givenBack = reader.givesBack();
      ByteBuf command = Unpooled.buffer();
      Packets.writeCommand(command, Command.QUERY, "SELECT".getBytes(US_ASCII));
      reader.send(branch, command, outcome);
      reply(stream, reader.shape(), i, hostile);
    }
    branch.flush();
    channel.releaseOutbound();
    boolean changed = hostile.give(stream, channel);
    boolean through = branch.alive() && branch.outstanding() == 0;
    assertTrue(through || changed, "what mysqld sends is taken");
    if (through && !givenBack) {
      branch.release();
    }
    assertTrue(!through || home.returned || changed, "and the connection serves others");
    channel.close();
    channel.runPendingTasks();
    channel.finishAndReleaseAll();
    assertTrue(home.lost);
    for (int i = 0; i < outcomes.size(); i++) {
      assertEquals(1, outcomes.get(i).timesOver(), "reader " + i + " of " + outcomes.size());
      foreign(i, outcomes.size(), outcomes.get(i).end());
    }
  }

  private static void foreign(int reader, int readers, List<String> rows) {
    for (int other = 0; other < readers; other++) {
      assertTrue(other == reader || !rows.contains(marker(other)), "a row of " + other);
    }
  }

  @Test
  void everyLoginEndsWithinItsBound() {
    HostileReplies.rounds(ROUNDS, HostileRepliesTest::login);
  }

  /** What a mysqld sends during a login. */
  private static ByteBuf ofLogin(boolean fast) {
    ByteBuf stream = Unpooled.buffer();
    int header = Packets.begin(stream, 0);
    stream.writeByte(10).writeBytes("9.7.4\0".getBytes(US_ASCII)).writeIntLE(7);
    stream.writeBytes("12345678\0".getBytes(US_ASCII)).writeShortLE(0xffff).writeByte(255);
    stream.writeShortLE(2).writeShortLE(0xffff).writeByte(21).writeZero(10);
    stream.writeBytes("123456789012\0caching_sha2_password\0".getBytes(US_ASCII));
    Packets.end(stream, header);
    if (fast) {
      header = Packets.begin(stream, 2);
      stream.writeByte(0x01).writeByte(0x03);
      Packets.end(stream, header);
    }
    Packets.writeOk(stream, fast ? 3 : 2, new OkPacket(0, 0, IN_STEP, 0, ""));
    Packets.writeOk(stream, 1, new OkPacket(0, 0, IN_STEP, 0, ""));
    return stream;
  }

  private static LoginHandler login(Home home, List<String> told) {
    return new LoginHandler(
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
  }

  private static void login(HostileReplies hostile) {
    EmbeddedChannel channel = new EmbeddedChannel();
    Home home = new Home();
    List<String> told = new ArrayList<>();
    LoginHandler login = login(home, told);
    channel.pipeline().addLast(login);
    channel.pipeline().fireChannelActive();
    ByteBuf stream = ofLogin(hostile.random().nextBoolean());
    boolean changed = hostile.give(stream, channel);
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

  @Test
  void aLoginThatIsOutOfStepIsRefused() {
    for (boolean fast : List.of(true, false)) {
      ByteBuf whole = ofLogin(fast);
      List<byte[]> packets = HostileReplies.packets(whole);
      whole.release();
      for (int at = 0; at < packets.size(); at++) {
        List<String> told = new ArrayList<>();
        EmbeddedChannel channel = new EmbeddedChannel(login(new Home(), told));
        for (int i = 0; i <= at; i++) {
          byte[] packet = packets.get(i).clone();
          packet[Packets.HEADER - 1] += i == at ? (byte) 1 : 0;
          channel.writeInbound(Unpooled.wrappedBuffer(packet));
        }
        assertEquals(List.of("refused"), told, "packet " + at);
        channel.finishAndReleaseAll();
      }
    }
  }
}
