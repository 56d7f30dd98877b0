package io.alrai.gms.api;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.NodeId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.gms.api.node.GmsNodes;
import java.util.Collection;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The GMS as CNs and agents use it, in one process or over the wire. All methods are thread-safe;
 * those that ask the leader block and belong on virtual threads.
 */
public interface GmsService extends AutoCloseable {
  /** The newest catalog this process has seen; never blocks. */
  Catalog catalog();

  /**
   * Called after every change of {@link #catalog}, those of leases and jobs included: in order, one
   * call at a time, on a thread of the GMS or of whoever submitted the change. Must not block and
   * must not call back; a CN answers a new version from another thread, with a renewed lease.
   */
  void onChange(Consumer<Catalog> listener);

  /**
   * Has a command replicated and applied, and waits until {@link #catalog} here includes it.
   *
   * @return the catalog with the change
   * @throws io.alrai.common.error.AlraiException the command's own refusal, or
   *     ALRAI_NODE_UNAVAILABLE when no leader answers in time
   */
  Catalog submit(CatalogCommand command);

  /**
   * Waits until every CN with a valid lease works with the version or a later one, or its lease has
   * run out.
   */
  void awaitCatalogEverywhere(long version);

  /**
   * Waits for all other CNs, for a CN whose own {@link #catalog} has the version already: its own
   * next renewal is not waited for.
   */
  void awaitCatalogAtOthers(long version, NodeId self);

  /**
   * Reserves the next numbers of a sequence; a sequence begins with its first use, at 1.
   *
   * @param count 1 or more
   */
  SequenceRange reserve(String sequence, long count);

  /**
   * The last number that each of these sequences gave; absent for one that gave none.
   *
   * @param sequences their names
   */
  Map<String, Long> lastNumbers(Collection<String> sequences);

  /** Makes the sequence give numbers above {@code value} from now on. */
  void raise(String sequence, long value);

  /**
   * Takes the next timestamps, in a row: they are above all that anybody was given before this was
   * called, and near the wall time of the GMS' leader.
   *
   * @param count 1 or more
   * @return the lowest
   */
  HlcTimestamp timestamps(int count);

  /** The latest generation of its nodes that this process has heard of; 0 if none was forced. */
  default long generation() {
    return 0;
  }

  /**
   * Who its nodes are, and how that changes.
   *
   * @throws io.alrai.common.error.AlraiException where the GMS is part of its only user's process
   */
  default GmsNodes nodes() {
    throw AlraiException.unsupported(
        "changing the nodes of a GMS that is part of the cluster's only process: start it with"
            + " --processes");
  }

  @Override
  void close();
}
