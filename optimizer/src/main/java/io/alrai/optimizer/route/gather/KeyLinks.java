package io.alrai.optimizer.route.gather;

import io.alrai.common.type.MysqlType;
import io.alrai.executor.fragment.GatherPlan.KeyLink;
import io.alrai.executor.fragment.PartitionFunction;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.bind.BlockFacts;
import io.alrai.optimizer.bind.ColumnRef;
import io.alrai.optimizer.bind.Equalities;
import io.alrai.optimizer.bind.Relation;
import io.alrai.optimizer.route.Placements;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which copies confine which: a row of a table that is joined by equality, or compared with the
 * query around it, matters only if the other side has its value. One thread.
 */
final class KeyLinks {
  private final SourceFilters filters;
  private final Map<Integer, Copy> copies = new HashMap<>();

  private record Copy(Relation.Base use, String name) {}

  /** {@code scratchNames} has those of all copies, by the one use of a table that each is for. */
  KeyLinks(SourceFilters filters, Map<Relation.Base, String> scratchNames) {
    this.filters = filters;
    scratchNames.forEach((use, name) -> copies.put(use.id(), new Copy(use, name)));
  }

  /** What confines the rows for one use. */
  List<KeyLink> of(Relation.Base use) {
    Optional<BlockFacts> facts = filters.blockOf(use);
    List<KeyLink> links = new ArrayList<>();
    if (facts.isPresent()) {
      Equalities equalities = facts.get().equalities(use);
      equalities.classes().forEach(equal -> links(use, equal, links));
    }
    return links;
  }

  private void links(Relation.Base use, Set<ColumnRef> equal, List<KeyLink> links) {
    for (ColumnRef own : equal) {
      Optional<Column> column = own.relation() == use.id() ? column(use, own) : Optional.empty();
      if (column.isEmpty()) {
        continue;
      }
      for (ColumnRef other : equal) {
        Copy source = copies.get(other.relation());
        if (other.relation() != use.id() && source != null) {
          column(source.use(), other)
              .map(found -> link(use, column.get(), source.name(), found))
              .ifPresent(links::add);
        }
      }
    }
  }

  private static KeyLink link(Relation.Base use, Column column, String source, Column other) {
    return new KeyLink(column.name(), source, other.name(), function(use.table(), column));
  }

  /** A TIMESTAMP's text is not one moment's when clocks are put back. */
  private static Optional<Column> column(Relation.Base use, ColumnRef reference) {
    return use.table()
        .column(reference.column())
        .filter(column -> column.type() != MysqlType.TIMESTAMP);
  }

  private static Optional<PartitionFunction> function(Table table, Column column) {
    List<String> keys = Placements.keyColumns(table);
    return keys.size() == 1 && keys.getFirst().equalsIgnoreCase(column.name())
        ? Optional.of(Placements.function(table))
        : Optional.empty();
  }
}
