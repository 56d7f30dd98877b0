package io.alrai.dn.gate;

import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The rows of decisions and tombstones at one mysqld. */
final class ModelTxLog {
  private final ModelMysqld mysqld;
  private final Map<TransactionId, Long> rows = new LinkedHashMap<>();

  /** Decisions and tombstones on their way; also of connections that are lost. */
  private final Set<TransactionId> atWork = new HashSet<>();

  ModelTxLog(ModelMysqld mysqld) {
    this.mysqld = mysqld;
  }

  void restore(Map<TransactionId, Long> disk) {
    rows.putAll(disk);
  }

  /** Decisions that nobody has forgotten. */
  Set<TransactionId> decided() {
    Set<TransactionId> found = new LinkedHashSet<>();
    rows.forEach((id, commitTs) -> {
      if (commitTs != 0) {
        found.add(id);
      }
    });
    return found;
  }

  /** A COMMIT that decides is on its way. */
  void begins(TransactionId id) {
    atWork.add(id);
  }

  /** It is visible. */
  void ended(TransactionId id) {
    atWork.remove(id);
  }

  void write(TransactionId id, long commitTs) {
    rows.put(id, commitTs);
  }

  /** What was on its way is not any more. */
  void crash() {
    atWork.clear();
  }

  /** A row for a decision that no COMMIT has logged; says later whether no tombstone was first. */
  void writeDecision(TransactionId id, HlcTimestamp commitTs, Consumer<Boolean> done) {
    if (rows.containsKey(id) || !atWork.add(id)) {
      mysqld.later(50, () -> done.accept(false));
      return;
    }
    mysqld.pipeline(
        end -> new Arrival.Decision(end, id, commitTs),
        new ModelChange(Map.of(), Map.of(), Map.of(id, commitTs.value())),
        () -> {
          atWork.remove(id);
          rows.put(id, commitTs.value());
          done.accept(true);
        });
  }

  /** Rows for decisions; those that have one keep it. */
  void copy(Map<TransactionId, Long> decided, Runnable done) {
    mysqld.pipeline(
        end -> new Arrival.Plain(end, HlcTimestamp.ZERO),
        new ModelChange(Map.of(), Map.of(), decided),
        () -> {
          decided.forEach(rows::putIfAbsent);
          done.run();
        });
  }

  /** The commit timestamp that a row tells, or 0 for a tombstone, or null. */
  @Nullable Long logged(TransactionId id) {
    return rows.get(id);
  }

  void forget(TransactionId id) {
    rows.remove(id);
  }

  /** Writes a tombstone if nothing is there or at work; says later whether it did. */
  void bury(TransactionId id, Consumer<Boolean> done) {
    if (rows.containsKey(id) || !atWork.add(id)) {
      mysqld.later(50, () -> done.accept(false));
      return;
    }
    mysqld.pipeline(
        end -> new Arrival.Tombstone(end, id),
        new ModelChange(Map.of(), Map.of(), Map.of(id, 0L)),
        () -> {
          atWork.remove(id);
          rows.put(id, 0L);
          done.accept(true);
        });
  }
}
