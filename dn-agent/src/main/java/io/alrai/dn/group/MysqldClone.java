package io.alrai.dn.group;

import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.dn.backend.BackendConnector;
import io.alrai.dn.link.DonorLogin;
import io.alrai.dn.mysqld.MysqldException;
import io.alrai.dn.mysqld.MysqldException.Reason;
import io.netty.channel.EventLoop;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Has a member's mysqld clone another member's into a directory of its own (docs/design/0077). What
 * it serves from stays as it is. Blocking; any thread but an event loop's.
 */
public final class MysqldClone {
  /**
   * One that copies nothing for so long, ten minutes, copies nothing any more. While it forces what
   * it has to disk it copies nothing either; a donor that is gone is noticed earlier.
   */
  private static final int MOST_STILL_LOOKS = 3_000;

  private static final Duration LOOK = Duration.ofMillis(200);
  private static final Duration BOUND = Duration.ofSeconds(10);

  private static final Sql PROGRESS =
      Sql.of(
          "SELECT CAST(IFNULL(SUM(data),0) AS CHAR),"
              + "CAST(IFNULL(SUM(GREATEST(estimate,data)),0) AS CHAR)"
              + " FROM performance_schema.clone_progress");

  private final DnId dn;
  private final OwnStatements own;
  private final LongSupplier speed;

  /**
   * Clones of one mysqld.
   *
   * @param connector to it
   * @param loop of the connections
   * @param speed MiB that may come in a second, asked while it clones; 0: as many as can
   */
  public MysqldClone(DnId dn, BackendConnector connector, EventLoop loop, LongSupplier speed) {
    this.dn = dn;
    this.speed = speed;
    this.own = new OwnStatements(dn, connector, loop);
  }

  /**
   * How far a clone has come.
   *
   * @param bytes copied
   * @param estimate of all, never less
   */
  public record Progress(long bytes, long estimate) {
    /** Nothing is copied yet. */
    public static final Progress NONE = new Progress(0, 0);
  }

  /** Told while a clone is at work. */
  public interface Watch {
    /** How far it is. */
    void progress(Progress now);

    /** Whether it shall go on. */
    boolean goesOn();
  }

  private static Sql limited(long mibPerSecond) {
    return Sql.of("SET GLOBAL clone_max_data_bandwidth=").number(mibPerSecond);
  }

  /**
   * Clones; returns when all is there.
   *
   * @param port of the loopback address that leads to the donor
   * @param into is made
   * @throws MysqldException why there is nothing to be used in that directory
   */
  public void run(int port, DonorLogin donor, Path into, Watch watch) throws InterruptedException {
    long limit = speed.getAsLong();
    own.run(
        "name its donor",
        BOUND,
        Sql.of("SET GLOBAL clone_valid_donor_list=").literal(ReplicaFeeder.HOST + ":" + port),
        limited(limit));
    Sql clone =
        Sql.of("CLONE INSTANCE FROM ")
            .literal(donor.user())
            .words("@")
            .literal(ReplicaFeeder.HOST)
            .words(":")
            .number(port)
            .words(" IDENTIFIED BY ")
            .literal(donor.password())
            .words(" DATA DIRECTORY=")
            .literal(into.toString())
            .words(" REQUIRE NO SSL");
    try (OwnStatements.Running running = own.begin(clone)) {
      Progress last = Progress.NONE;
      int still = 0;
      while (true) {
        try {
          running.answer("clone another one", LOOK);
          return;
        } catch (TimeoutException atWork) {
          if (!watch.goesOn()) {
            throw new MysqldException(Reason.INTERRUPTED, "the clone for " + dn + " was ended");
          }
        }
        if (limit != speed.getAsLong()) {
          limit = speed.getAsLong();
          own.run("clone at another speed", BOUND, limited(limit));
        }
        Progress now = progress(last);
        still = now.equals(last) ? still + 1 : 0;
        last = now;
        watch.progress(now);
        if (still > MOST_STILL_LOOKS) {
          throw new MysqldException(
              Reason.TIMEOUT,
              "the mysqld of " + dn + " has cloned " + now.bytes() + " bytes and gets no more");
        }
      }
    }
  }

  /**
   * Makes a mysqld ready to be cloned: it lets an account in without TLS and socket only after that
   * account has proved its password over the socket.
   *
   * @param connector in that account
   */
  public static void offer(DnId dn, BackendConnector connector, EventLoop loop)
      throws InterruptedException {
    new OwnStatements(dn, connector, loop).run("be cloned", BOUND, Sql.of("DO 0"));
  }

  /** How far it is; as before where the mysqld is too busy to say. */
  private Progress progress(Progress before) throws InterruptedException {
    List<String> row;
    try {
      row = own.run("say how far its clone is", BOUND, PROGRESS).getFirst();
    } catch (MysqldException e) {
      if (e.reason() == Reason.TIMEOUT) {
        return before;
      }
      throw e;
    }
    return new Progress(Long.parseLong(row.get(0)), Long.parseLong(row.get(1)));
  }
}
