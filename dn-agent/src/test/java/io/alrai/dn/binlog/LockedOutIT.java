package io.alrai.dn.binlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.backend.Answer;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.mysqld.MysqldInstance;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Streams that break while a statement about accounts waits for its acknowledgement: nobody can log
 * in to the mysqld then.
 */
class LockedOutIT {
  /** The stream's own connection does not sleep. */
  private static final String STANDS_BY =
      "SELECT COUNT(*) FROM performance_schema.processlist WHERE command='Sleep' AND user='"
          + MysqldInstance.AGENT_ACCOUNT
          + "'";

  private static final String EXISTS = "SELECT COUNT(*) FROM mysql.user WHERE user='u'";

  @TempDir Path temporary;
  private final HandGate gate = new HandGate();
  private StreamedServer server;
  private Branch writer;

  @BeforeEach
  void start() throws Exception {
    server = new StreamedServer(temporary.resolve("dn-1"), gate);
    server.attach();
    gate.open();
    server.query("CREATE DATABASE d");
    gate.shut();
    writer = server.connect();
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private void assertNobodyGetsIn() {
    CompletableFuture<Branch> login = server.connecting();
    assertThrows(TimeoutException.class, () -> login.get(300, TimeUnit.MILLISECONDS));
  }

  /** On a busy machine its login may come after the statement, and then it waits, too. */
  private void awaitStandBy() throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (server.value(STANDS_BY).equals("0")) {
      assertTrue(System.nanoTime() - end < 0, "nobody stands by");
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  @Test
  void anotherConnectionStandsByAndTheStreamGoesOn() throws Exception {
    for (String statement :
        new String[] {
          "CREATE USER u", "GRANT SELECT ON *.* TO u", "ALTER USER u ACCOUNT LOCK", "DROP USER u"
        }) {
      awaitStandBy();
      CompletableFuture<Answer> done = StreamedServer.send(writer, statement);
      BinlogTransaction waiting = gate.next();
      assertNobodyGetsIn();
      server.stream().breakConnection();
      gate.pass(waiting);
      StreamedServer.get(done);
      server.query("SELECT 1");
    }
    assertEquals(1, server.lockedOut.getCount());
  }

  /**
   * The agent asks for decisions meanwhile: a look at privileges would wait for the
   * acknowledgement. An INSERT waits, under whatever account.
   */
  @Test
  void theAgentReadsItsTableMeanwhile() throws Exception {
    Branch agent = server.connect(BackendAccount.AGENT);
    String look = "SELECT 1 FROM alrai.tx_log WHERE txid=X''";
    CompletableFuture<Answer> done = StreamedServer.send(writer, "CREATE USER u");
    BinlogTransaction waiting = gate.next();
    assertNobodyGetsIn();
    StreamedServer.get(StreamedServer.send(agent, look));
    gate.pass(waiting);
    StreamedServer.get(done);
  }

  @Test
  void aServerThatLetsNoStreamInIsKilledAndWhatWaitedIsCutOff() throws Exception {
    StreamedServer.send(writer, "CREATE USER u");
    BinlogTransaction waiting = gate.next();
    server.stream().breakConnection();
    assertFalse(server.lockedOut.await(500, TimeUnit.MILLISECONDS), "it goes on once");
    server.stream().breakConnection();
    assertNobodyGetsIn();
    assertTrue(server.lockedOut.await(20, TimeUnit.SECONDS));
    assertTrue(server.killAndCut() > 0);
    server.startAgain();
    server.attach();
    assertFalse(gate.visible().contains(waiting.gtid()));
    gate.open();
    assertEquals("0", server.value(EXISTS));
    server.query("CREATE USER u");
    assertEquals("1", server.value(EXISTS));
  }
}
