package io.alrai.dn.binlog;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.backend.BackendConnector;
import io.alrai.dn.backend.PipelinedBranch;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.netty.channel.EventLoop;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that is logged in before it is needed. While a statement about accounts waits for
 * its acknowledgement a mysqld lets nobody in; a stream that breaks then goes on over this one. Its
 * own login may take as long as it likes. Event loop only.
 */
final class StandBy {
  private static final Logger log = LoggerFactory.getLogger(StandBy.class);
  private static final long AGAIN_MILLIS = 1_000;

  /** mysqld would end an idle session after eight hours. */
  private static final Sql STAY = Sql.of("SET SESSION wait_timeout=31536000");

  private final DnId dn;
  private final BackendConnector connector;
  private final EventLoop loop;
  private @Nullable Login current;
  private boolean closed;

  StandBy(DnId dn, BackendConnector connector, EventLoop loop) {
    this.dn = dn;
    this.connector = connector;
    this.loop = loop;
  }

  /** Opens one unless there is one, or its login is under way. */
  void keep() {
    if (!closed && current == null) {
      Login login = new Login();
      current = login;
      connector.open(loop, BackendAccount.AGENT, login, login);
    }
  }

  /**
   * Gives the connection away.
   *
   * @return whether there was one
   */
  boolean giveTo(DumpConnection user) {
    Login ready = current;
    Branch branch = ready == null ? null : ready.branch;
    if (ready == null || branch == null || !branch.alive()) {
      return false;
    }
    current = null;
    ready.user = user;
    log.info("{}: the stream goes on over the connection that stands by", dn);
    user.taken(branch);
    return true;
  }

  void close() {
    closed = true;
    Login last = current;
    current = null;
    if (last != null && last.branch != null) {
      last.branch.close();
    }
  }

  private final class Login implements PipelinedBranch.Home, BranchTaker {
    private @Nullable Branch branch;
    private @Nullable DumpConnection user;

    @Override
    public void taken(Branch opened) {
      if (closed) {
        opened.close();
        return;
      }
      branch = opened;
      Answer.of(opened, STAY)
          .whenComplete((answer, error) -> {
            if (error != null) {
              log.debug("{}: the connection that stands by: {}", dn, error.toString());
            }
          });
    }

    @Override
    public void refused(AlraiException reason) {
      again();
    }

    @Override
    public void returned(PipelinedBranch given) {
      throw new IllegalStateException("a stream's connection is never given back");
    }

    @Override
    public void lost(PipelinedBranch gone) {
      DumpConnection by = user;
      if (by != null) {
        by.lost(gone);
      } else {
        again();
      }
    }

    @SuppressWarnings("ReferenceEquality") // the very login, not an equal one
    private void again() {
      if (current == this) {
        current = null;
        loop.schedule(StandBy.this::keep, AGAIN_MILLIS, TimeUnit.MILLISECONDS);
      }
    }
  }
}
