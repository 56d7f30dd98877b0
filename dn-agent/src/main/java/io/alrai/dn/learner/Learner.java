package io.alrai.dn.learner;

import io.alrai.dn.link.MemberStatus;
import io.alrai.dn.reads.ServedViews;
import io.alrai.dn.ship.DnLog;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** One that learns a DN's rows and shows them, as its process asks it. Thread-safe. */
public interface Learner extends AutoCloseable {
  /**
   * Starts the mysqld; returns when that answers. Once.
   *
   * @param failed given the reason when it cannot go on: the process should end
   * @throws RuntimeException when it does not, or was closed meanwhile; then this is to be closed
   */
  void start(Consumer<Throwable> failed);

  /** How it is; asks the mysqld, which may take as long as that is slow. */
  MemberStatus status() throws InterruptedException;

  /** Whether what its mysqld has is the group's, and all that the log had. */
  boolean serves();

  /** What it serves; the DN's log is asked for at whoever leads. */
  ServedViews reads(Supplier<Optional<DnLog>> leader);

  /** Has its mysqld get all rows again, or gives that up. */
  void rebuild(boolean wanted);

  /** Ends it, before its start, during that or after it; what the mysqld has stays. */
  @Override
  void close();
}
