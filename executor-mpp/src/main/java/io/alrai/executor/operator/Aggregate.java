package io.alrai.executor.operator;

import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.MergePlan.Aggregation;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts groups together from partial groups by hashing their keys. Beyond the budget the groups so
 * far go, as partial rows again, to an external sort by key, from which equal keys are put together
 * one after the other. Without keys there is exactly one group, also over no rows.
 */
final class Aggregate implements RowSource {
  private final RowSource rows;
  private final Aggregation aggregation;
  private final OperatorBudget budget;
  private final int inputColumns;
  private final List<ColumnDefinition> outputColumns;
  private final KeyTable<Group> groups = new KeyTable<>();
  private final GrowingBytes key = new GrowingBytes(64);
  private final GrowingBytes out = new GrowingBytes(256);
  private final Row row;
  private final ExternalSorter spilled;
  private long heldBytes;
  private boolean read;
  private Iterator<KeyTable.Entry<Group>> inMemory = List.<KeyTable.Entry<Group>>of().iterator();
  private boolean sortedLeft;

  Aggregate(RowSource rows, Aggregation aggregation, OperatorBudget budget) {
    this.rows = rows;
    this.aggregation = aggregation;
    this.budget = budget;
    this.inputColumns = rows.columns().size();
    this.outputColumns = OutputColumns.of(aggregation, rows.columns());
    this.row = new Row(outputColumns.size());
    this.spilled = new ExternalSorter(budget);
  }

  @Override
  public List<ColumnDefinition> columns() {
    return outputColumns;
  }

  @Override
  public boolean advance() {
    if (!read) {
      read = true;
      readAll();
    }
    Group group = nextGroup();
    if (group == null) {
      return false;
    }
    out.clear();
    group.write(out);
    byte[] payload = out.copy();
    row.set(payload, 0, payload.length);
    return true;
  }

  private void readAll() {
    KeyEncoder encoder = KeyEncoder.ofKeys(rows.columns(), aggregation.groupBy());
    while (rows.advance()) {
      Row partial = rows.row();
      key.clear();
      encoder.encode(partial, key);
      Group group = groups.find(key);
      if (group == null) {
        group = new Group(aggregation, rows.columns(), partial.copy());
        groups.add(key, group);
        group.add(partial);
        heldBytes += key.length() + KeyTable.ENTRY_OVERHEAD + group.heapBytes();
        if (heldBytes > budget.heapBytes()) {
          spill();
        }
      } else {
        group.add(partial);
      }
    }
    if (spilled.isEmpty()) {
      if (aggregation.groupBy().isEmpty() && groups.entries().isEmpty()) {
        key.clear();
        groups.add(key, new Group(aggregation, rows.columns(), allNull()));
      }
      inMemory = groups.entries().iterator();
    } else {
      spill();
      spilled.sort();
      sortedLeft = spilled.advance();
    }
  }

  private byte[] allNull() {
    byte[] nulls = new byte[inputColumns];
    Arrays.fill(nulls, (byte) 0xfb);
    return nulls;
  }

  private void spill() {
    GrowingBytes partial = new GrowingBytes(256);
    for (KeyTable.Entry<Group> entry : groups.entries()) {
      partial.clear();
      entry.value().writePartial(inputColumns, partial);
      spilled.add(entry.key(), partial.copy());
    }
    groups.clear();
    heldBytes = 0;
  }

  private @Nullable Group nextGroup() {
    if (inMemory.hasNext()) {
      return inMemory.next().value();
    }
    if (!sortedLeft) {
      return null;
    }
    byte[] groupKey = spilled.key();
    Group group = new Group(aggregation, rows.columns(), spilled.row());
    Row partial = new Row(inputColumns);
    do {
      partial.set(spilled.row(), 0, spilled.row().length);
      group.add(partial);
      sortedLeft = spilled.advance();
    } while (sortedLeft && Arrays.equals(groupKey, spilled.key()));
    return group;
  }

  @Override
  public Row row() {
    return row;
  }

  @Override
  public void close() {
    try (rows;
        spilled) {
      groups.clear();
    }
  }
}
