package io.alrai.optimizer.bind;

import io.alrai.optimizer.syntax.Query;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The common table expressions that a query sees. Immutable. */
final class CommonTables {
  static final CommonTables NONE = new CommonTables(Map.of());

  private final Map<String, Entry> entries;

  private CommonTables(Map<String, Entry> entries) {
    this.entries = entries;
  }

  /**
   * A common table with what is around it.
   *
   * @param before those that its own query sees
   * @param recursive whether its own query may see it
   */
  record Entry(
      Query.CommonTable definition, CommonTables before, Surroundings around, boolean recursive) {}

  CommonTables with(Entry entry) {
    Map<String, Entry> more = new HashMap<>(entries);
    more.put(entry.definition().name().name(), entry);
    return new CommonTables(more);
  }

  Optional<Entry> find(String name) {
    return Optional.ofNullable(entries.get(name));
  }
}
