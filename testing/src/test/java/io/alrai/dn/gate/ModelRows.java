package io.alrai.dn.gate;

import io.alrai.common.id.TransactionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the engine of a mysqld has on its disk. */
public final class ModelRows {
  final Map<Integer, List<Long>> rows = new HashMap<>();
  final Map<TransactionId, Map<Integer, List<Long>>> prepared = new LinkedHashMap<>();
  final Map<TransactionId, Long> txLog = new HashMap<>();

  /** It is empty. */
  public ModelRows() {}

  /** A transaction is executed. */
  public void apply(Arrival arrival, ModelChange change) {
    write(change.writes());
    switch (arrival) {
      case Arrival.XaPrepare prepare -> prepared.put(prepare.id(), change.branch());
      case Arrival.XaCommit commit -> prepared.remove(commit.id());
      case Arrival.XaRollback rollback -> prepared.remove(rollback.id());
      case Arrival.Plain plain -> change.rows().forEach(txLog::putIfAbsent);
      case Arrival.Decision decision -> txLog.putAll(change.rows());
      case Arrival.Tombstone tombstone -> txLog.putAll(change.rows());
    }
  }

  void write(Map<Integer, List<Long>> writes) {
    writes.forEach((key, values) -> {
      List<Long> now = new ArrayList<>(rows.getOrDefault(key, List.of()));
      now.addAll(values);
      rows.put(key, List.copyOf(now));
    });
  }

  /** The visible rows. */
  public Map<Integer, List<Long>> visible() {
    return rows;
  }
}
