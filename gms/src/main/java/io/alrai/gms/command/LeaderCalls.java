package io.alrai.gms.command;

import java.io.IOException;

/**
 * One attempt to reach the group's leader. Blocks, a few seconds at most. An IOException says that
 * nothing is known of the outcome and that another attempt may have more luck. Thread-safe.
 */
public interface LeaderCalls extends AutoCloseable {
  /** Has the entry replicated and applied. */
  Answer write(LogEntry entry) throws IOException;

  /** Asks for what the leader has applied. */
  Answer ask(Question question) throws IOException;

  @Override
  void close();
}
