package io.alrai.dn.gate;

import io.alrai.common.id.TransactionId;
import java.util.List;
import java.util.Map;

/**
 * What a transaction in the log changes.
 *
 * @param writes what becomes visible with it
 * @param branch what an XA PREPARE keeps for later
 * @param rows the rows of decisions and tombstones
 */
public record ModelChange(
    Map<Integer, List<Long>> writes,
    Map<Integer, List<Long>> branch,
    Map<TransactionId, Long> rows) {
  static ModelChange of(Map<Integer, List<Long>> writes) {
    return new ModelChange(writes, Map.of(), Map.of());
  }
}
