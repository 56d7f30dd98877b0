package io.alrai.cn.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.process.FakeClient;
import io.alrai.cn.process.FakeCn;
import io.alrai.cn.session.SessionRegistry;
import io.alrai.common.wire.Command;
import io.alrai.dn.backend.FakeBranch;
import io.alrai.dn.backend.FakeReply;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One command after the other, from a client's first to its last. */
class ClientConnectionTest {
  private static final String READ = "SELECT id FROM t WHERE id = 1";

  private final FakeCn cn = new FakeCn("CREATE TABLE t (id bigint NOT NULL, PRIMARY KEY (id))");
  private final FakeClient client = cn.client();

  ClientConnectionTest() {
    cn.dns.replies =
        sql ->
            sql.startsWith("SELECT id FROM t WHERE id = ")
                ? Optional.of(FakeReply.rows("shop", 1, sql.substring(sql.length() - 1)))
                : Optional.empty();
  }

  @AfterEach
  void nothingIsLeft() {
    cn.close();
  }

  private SessionRegistry.Entry entry() {
    return cn.services.clients().sessions().find(1).orElseThrow();
  }

  private static List<String> row(int number) {
    return List.of("1 columns", "shop.t.c0", "row " + number, "end");
  }

  /** A statement is at work whose mysqld says nothing. */
  private FakeBranch silent() {
    cn.dns.newBranch = branch -> branch.silent = true;
    client.query(READ);
    cn.dns.newBranch = branch -> {};
    return cn.branch();
  }

  private void speak(FakeBranch branch) {
    branch.silent = false;
    branch.flush();
    cn.loop.settle();
  }

  @Test
  void commandsThatComeTogetherAreDoneOneAfterTheOther() {
    ByteBuf both = client.command(Command.QUERY, READ);
    ByteBuf second = client.command(Command.QUERY, "SELECT id FROM t WHERE id = 2");
    both.writeBytes(second);
    second.release();
    cn.dns.newBranch = branch -> branch.silent = true;
    client.send(both);
    FakeBranch branch = cn.branch();
    assertEquals(List.of(), client.packets());
    assertEquals(1, branch.statements.stream().filter(sql -> sql.startsWith("SELECT")).count());
    cn.dns.newBranch = later -> {};
    speak(branch);
    assertEquals(row(1), client.packets());
    assertEquals(row(2), client.packets());
  }

  @Test
  void whoSendsTooMuchAheadIsNotReadUntilThereIsRoom() {
    FakeBranch branch = silent();
    int sent = 0;
    while (client.channel.config().isAutoRead()) {
      client.query("SELECT id FROM t WHERE id = 2 /*" + "x".repeat(10_000) + "*/");
      sent++;
    }
    assertTrue(sent > 1, "nothing waits");
    cn.dns.replies = sql -> Optional.of(FakeReply.ok());
    speak(branch);
    for (int i = 0; i <= sent; i++) {
      assertEquals(List.of("ok 0"), client.packets());
    }
    assertTrue(client.channel.config().isAutoRead());
  }

  @Test
  void commandsThatWaitWhenTheClientLeavesAreForgotten() {
    FakeBranch branch = silent();
    client.query(READ);
    client.query(READ);
    client.vanish();
    assertTrue(branch.closed);
    assertTrue(cn.services.clients().sessions().find(1).isEmpty());
    assertEquals(1, cn.dns.branches.size());
  }

  @Test
  void whatAClientWithoutASessionSendsEndsItsConnection() {
    EmbeddedChannel channel = new EmbeddedChannel();
    new ClientConnection(cn.services, channel).command(client.command(Command.QUERY, READ));
    assertFalse(channel.isOpen());
  }

  @Test
  void aPingIsOkAndQuitEndsTheConnection() {
    client.send(client.command(Command.PING, ""));
    assertEquals(List.of("ok 0"), client.packets());
    client.send(client.command(Command.QUIT, ""));
    assertFalse(client.channel.isOpen());
  }

  @Test
  void unknownAndEmptyCommandsAreErrorsAndNotTheEnd() {
    client.send(client.command(99, ""));
    assertEquals(List.of("err 1047 Unknown command"), client.packets());
    client.send(client.channel.alloc().buffer().writeInt(0));
    assertEquals(List.of("err 1835 Malformed communication packet."), client.packets());
    client.query(READ);
    assertEquals(row(1), client.packets());
  }

  @Test
  void aDefectIsAnErrorOfItsStatementOnly() {
    cn.dns.newBranch =
        branch -> {
          throw new IllegalStateException("a defect");
        };
    client.query(READ);
    List<String> packets = client.packets();
    assertTrue(packets.getFirst().matches("err 8\\d+ internal error: .*"), packets::toString);
    cn.dns.newBranch = branch -> {};
    client.query(READ);
    assertEquals(row(1), client.packets());
  }

  @Test
  void aCommandThatIsTooLargeEndsTheConnectionWithAnError() {
    client.connection.tooLarge();
    assertEquals(
        List.of("err 1153 Got a packet bigger than 'max_allowed_packet' bytes"), client.packets());
    assertFalse(client.channel.isOpen());
  }

  @Test
  void aCommandWithoutRoomIsAnErrorAndTheNextIsRead() {
    client.connection.noRoom(1);
    assertTrue(client.packets().getFirst().startsWith("err 1041 Out of memory"));
    client.query(READ);
    assertEquals(row(1), client.packets());
  }

  @Test
  void aPacketWithoutRoomWithinACommandEndsTheConnection() {
    FakeBranch branch = silent();
    client.connection.noRoom(1);
    cn.loop.settle();
    assertTrue(client.packets().getFirst().startsWith("err 1041 Out of memory"));
    assertFalse(client.channel.isOpen());
    assertTrue(branch.closed);
  }

  @Test
  void killOfAnIdleClientHarmsNoLaterStatement() {
    entry().killQuery();
    cn.loop.settle();
    client.query(READ);
    assertEquals(row(1), client.packets());
    assertEquals(1, cn.dns.branches.size(), "no KILL was sent");
  }

  @Test
  void killConnectionEndsTheStatementAndTheConnection() {
    FakeBranch branch = silent();
    entry().killConnection();
    cn.loop.settle();
    assertFalse(client.channel.isOpen());
    assertTrue(branch.closed);
  }

  @Test
  void anIdleClientIsToldWhyItIsLeft() {
    entry().endIdle();
    cn.loop.settle();
    assertFalse(client.channel.isOpen());
    // it answers no command, so it has number 0
    byte[] bytes = client.bytes();
    assertEquals(0, bytes[3]);
    assertEquals(4031, (bytes[5] & 0xff) | (bytes[6] & 0xff) << 8);
  }

  @Test
  void aCnThatEndsLetsTransactionsEnd() {
    client.query("BEGIN");
    client.packets();
    entry().endAfterTransaction();
    entry().endQuiet();
    cn.loop.settle();
    client.query(READ);
    assertEquals(row(1), client.packets());
    client.query("COMMIT");
    assertTrue(client.packets().getFirst().startsWith("ok"));
    client.query(READ);
    assertEquals(List.of("err 1053 Server shutdown in progress"), client.packets());
    assertFalse(client.channel.isOpen());
  }

  @Test
  void aCnThatEndsTellsSilentClientsSo() {
    entry().endAfterTransaction();
    cn.loop.settle();
    assertTrue(client.channel.isOpen());
    entry().endQuiet();
    cn.loop.settle();
    assertFalse(client.channel.isOpen());
    byte[] bytes = client.bytes();
    assertEquals(0, bytes[3]);
    assertEquals(1053, (bytes[5] & 0xff) | (bytes[6] & 0xff) << 8);
  }

  @Test
  void aClientThatIsAtWorkIsNotIdle() {
    FakeBranch branch = silent();
    assertTrue(entry().atWork());
    entry().endIdle();
    cn.loop.settle();
    assertTrue(client.channel.isOpen());
    speak(branch);
    assertEquals(row(1), client.packets());
    assertFalse(entry().atWork());
    assertEquals(1, entry().commands());
  }

  @Test
  void aClientThatLeavesDuringAStatementOnAThreadInterruptsIt() {
    cn.dns.newBranch = branch -> branch.silent = true;
    client.query("SELECT COUNT(*) FROM t");
    cn.loop.await(() -> cn.dns.branches.stream().anyMatch(branch -> !branch.statements.isEmpty()));
    cn.dns.newBranch = branch -> {};
    client.vanish();
    cn.loop.await(() -> !entryIsLeft());
    assertTrue(cn.dns.branches.stream().anyMatch(branch -> branch.closed || branch.released));
    cn.dns.branches.forEach(branch -> branch.silent = false);
    cn.dns.branches.forEach(FakeBranch::flush);
  }

  private boolean entryIsLeft() {
    return cn.services.clients().sessions().find(1).isPresent();
  }
}
