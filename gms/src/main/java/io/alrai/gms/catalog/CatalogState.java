package io.alrai.gms.catalog;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.SequenceRange;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * All that the replicated log decides: the catalog, with the CNs' leases and the jobs in it, and
 * the sequences. Immutable; the same commands in the same order give the same state on every node.
 *
 * @param catalog what CNs see
 * @param sequences the last number given of each sequence
 */
public record CatalogState(Catalog catalog, Map<String, Long> sequences) {
  /** The state of a cluster that has just been made. */
  public static final CatalogState EMPTY = new CatalogState(Catalog.EMPTY, Map.of());

  /** How many numbers of each sequence are left out at the beginning of a generation. */
  private static final long SKIPPED = 1_000;

  public CatalogState {
    sequences = Map.copyOf(sequences);
  }

  /**
   * The state after a command.
   *
   * @throws AlraiException the refusal, with MySQL's error for it or ALRAI_CATALOG_CONFLICT
   */
  public CatalogState apply(CatalogCommand command) {
    CatalogDraft draft = new CatalogDraft(catalog);
    draft.apply(command);
    Map<String, Long> left = sequences;
    for (long id : draft.droppedTables()) {
      left = CatalogDraft.without(left, "auto:" + id);
    }
    for (String stem : draft.droppedStems()) {
      left = CatalogDraft.without(left, "partition-group:" + stem);
    }
    return new CatalogState(
        draft.build(), command instanceof CatalogCommand.BeginGeneration ? skipped(left) : left);
  }

  private static Map<String, Long> skipped(Map<String, Long> sequences) {
    Map<String, Long> next = new HashMap<>(sequences);
    next.replaceAll((name, last) -> name.startsWith("auto:") ? last : last + SKIPPED);
    return next;
  }

  /**
   * The numbers that a reservation of {@code count} numbers gets now; {@link #raise} to its last
   * makes it so.
   *
   * @throws AlraiException ER_WRONG_VALUE_FOR_VAR when the count is not positive,
   *     ER_AUTOINC_READ_FAILED when the sequence has no more numbers
   */
  public SequenceRange next(String sequence, long count) {
    if (count < 1) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_VALUE_FOR_VAR, "a reservation needs a count of 1 or more");
    }
    long last = sequences.getOrDefault(sequence, 0L);
    if (last > Long.MAX_VALUE - count) {
      throw new AlraiException(
          ErrorCode.ER_AUTOINC_READ_FAILED,
          "Failed to read auto-increment value from storage engine: sequence "
              + sequence
              + " has no more numbers");
    }
    return new SequenceRange(last + 1, last + count);
  }

  /** The last number given of each of these sequences that has given one. */
  public Map<String, Long> lastNumbers(Collection<String> names) {
    Map<String, Long> last = new HashMap<>();
    for (String name : names) {
      Long number = sequences.get(name);
      if (number != null) {
        last.put(name, number);
      }
    }
    return last;
  }

  /** The state in which the sequence gives numbers above {@code value}, and above all it gave. */
  public CatalogState raise(String sequence, long value) {
    if (value <= sequences.getOrDefault(sequence, 0L)) {
      return this;
    }
    Map<String, Long> raised = new HashMap<>(sequences);
    raised.put(sequence, value);
    return new CatalogState(catalog, raised);
  }
}
