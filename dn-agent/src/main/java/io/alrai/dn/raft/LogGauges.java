package io.alrai.dn.raft;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.apache.ratis.server.RaftServer;

/** What can be measured of a member's log. Thread-safe. */
public final class LogGauges {
  private final Path directory;
  private final LongAdder elections;
  private final Supplier<Optional<RaftServer.Division>> division;

  LogGauges(Path directory, LongAdder elections, Supplier<Optional<RaftServer.Division>> division) {
    this.directory = directory;
    this.elections = elections;
    this.division = division;
  }

  private long of(ToLongFunction<RaftServer.Division> measured) {
    return division.get().map(measured::applyAsLong).orElse(0L);
  }

  /** The highest term that the member has heard of. */
  public long term() {
    return of(log -> log.getInfo().getCurrentTerm());
  }

  /** How often the member has heard that somebody leads; to be read only. */
  public LongAdder elections() {
    return elections;
  }

  /** The last entry that was written here, committed or not. */
  public long lastWritten() {
    return of(log -> log.getRaftLog().getNextIndex() - 1);
  }

  /** The last entry that is on this member's disk. */
  public long lastSynced() {
    return of(log -> log.getRaftLog().getFlushIndex());
  }

  /** Where its files are. */
  public Path directory() {
    return directory;
  }

  /** What they take. */
  public long bytesOnDisk() {
    return LogFiles.bytes(directory);
  }
}
