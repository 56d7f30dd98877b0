package io.alrai.columnar.assemble;

import io.alrai.common.changelog.TableChanges;
import io.alrai.common.time.HlcTimestamp;
import java.util.List;

/** Takes whole transactions. Called on the feed's thread. */
public interface TransactionSink {
  /** A transaction became visible. */
  void apply(HlcTimestamp stamp, List<TableChanges> changes);

  /** All up to there has been given. */
  void resolved(HlcTimestamp to);

  /** Changes are missing: whoever follows must begin anew. */
  void lost(String reason);

  /** The changes of a transaction are missing; whoever began above its stamp has them already. */
  void missing(HlcTimestamp stamp, String reason);
}
