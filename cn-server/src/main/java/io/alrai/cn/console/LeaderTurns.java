package io.alrai.cn.console;

import io.alrai.common.error.AlraiException;
import io.alrai.common.jdbc.MysqlEndpoint;
import io.alrai.common.sql.Sql;
import io.alrai.common.thread.Pause;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets the members of a DN lead in turns, on a thread of its own, until it is closed. */
final class LeaderTurns implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(LeaderTurns.class);

  /** A member that has just led needs some time before it can lead again. */
  private static final long PAUSE_MILLIS = 100;

  private final AtomicInteger changes = new AtomicInteger();
  private final Thread thread;

  private LeaderTurns(MysqlEndpoint server, List<String> members) {
    this.thread =
        Thread.ofVirtual().name("leader-turns").start(() -> changeUntilEnd(server, members));
  }

  /**
   * From now on.
   *
   * @param server the URL of a CN
   * @param members names of those who can lead
   */
  static LeaderTurns begin(String server, List<String> members) {
    return new LeaderTurns(MysqlEndpoint.parse(server + "/warm", "warm"), members);
  }

  /** How often a member has come to lead that did not. */
  int changes() {
    return changes.get();
  }

  private void changeUntilEnd(MysqlEndpoint server, List<String> members) {
    try (Connection connection = server.connectToServer();
        Statement statement = connection.createStatement()) {
      while (!Thread.currentThread().isInterrupted()) {
        for (String member : members) {
          change(statement, member);
        }
        Pause.ofMillis(PAUSE_MILLIS);
      }
    } catch (SQLException e) {
      log.warn("leaders are not changed: {}", e.getMessage());
    } catch (AlraiException ended) {
      log.debug("leaders stay: {}", ended.sentence());
    }
  }

  /** Whoever leads already is refused, as is whoever does not follow yet. */
  private void change(Statement statement, String member) {
    try {
      statement.execute(
          Sql.of("ALTER SYSTEM CHANGE_ROLE NODE ").literal(member).words(" TO LEADER").text());
      changes.incrementAndGet();
    } catch (SQLException refused) {
      log.debug("{} does not lead: {}", member, refused.getMessage());
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
