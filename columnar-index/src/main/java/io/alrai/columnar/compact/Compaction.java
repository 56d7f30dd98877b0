package io.alrai.columnar.compact;

import io.alrai.columnar.version.Partition;
import io.alrai.columnar.version.ResolvedTimestamp;
import io.alrai.columnar.version.Rewrite;
import io.alrai.columnar.version.RewriteRules;
import io.alrai.common.error.AlraiException;
import io.alrai.common.time.HlcTimestamp;
import java.util.Collection;
import java.util.Optional;

/**
 * Rewrites what is worth rewriting, partition by partition. Versions that are younger than the
 * history are kept, for readers whose snapshot was chosen a while ago. Belongs to one thread.
 */
public final class Compaction {
  private final RewriteRules rules;
  private final long historyMillis;

  /**
   * A compaction that has not run.
   *
   * @param historyMillis how far behind the resolved timestamp a new reader may still come
   */
  public Compaction(RewriteRules rules, long historyMillis) {
    this.rules = rules;
    this.historyMillis = historyMillis;
  }

  /**
   * What one pass did.
   *
   * @param rows read and written anew, or dropped as dead
   * @param refused partitions whose rewrite did not fit in the memory; they are as before
   */
  public record Pass(long rows, int refused) {}

  /** Looks once at each partition, all of one DN. Ends early when the thread is interrupted. */
  public Pass pass(Collection<Partition> partitions, ResolvedTimestamp resolved) {
    long millis = resolved.value().millis() - historyMillis;
    long rows = 0;
    int refused = 0;
    for (Partition partition : partitions) {
      if (millis < 0 || Thread.currentThread().isInterrupted()) {
        break;
      }
      Optional<Rewrite> rewrite = partition.rewrite(HlcTimestamp.ofMillis(millis), rules);
      if (rewrite.isPresent()) {
        try {
          rewrite.get().run();
          rewrite.get().install();
          rows += rewrite.get().rows();
        } catch (AlraiException e) {
          refused++;
        }
      }
    }
    return new Pass(rows, refused);
  }
}
