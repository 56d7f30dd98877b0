package io.alrai.executor.operator;

import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.JoinPlan.KeyPair;
import io.alrai.executor.fragment.JoinPlan.Member;
import io.alrai.executor.fragment.MergePlan.RowKey;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Rows beside those of a table that have equal keys. Rows of the text protocol are joined by
 * appending one to the other. One thread.
 */
final class RowJoin implements RowSource {
  private static final byte NULL = (byte) 0xfb;

  private final RowSource before;
  private final Runnable check;
  private final HeldRows held;
  private final boolean outer;
  private final List<ColumnDefinition> columns;
  private final Map<ByteBuffer, List<byte[]>> byKey = new HashMap<>();
  private final KeyEncoder encoder;
  private final List<KeyPair> keys;
  private final GrowingBytes key = new GrowingBytes(64);
  private final GrowingBytes joined = new GrowingBytes(256);
  private final Row row;
  private final List<byte[]> nulls;
  private List<byte[]> partners = List.of();
  private int next;

  /** {@code check} is run for each row, to end the join. */
  RowJoin(RowSource before, Member member, HeldRows held, Runnable check) {
    this.before = before;
    this.check = check;
    this.held = held;
    this.outer = member.outer();
    this.keys = member.keys();
    this.columns = new ArrayList<>(before.columns());
    this.encoder = KeyEncoder.ofKeys(columns, keys.stream().map(KeyPair::before).toList());
    this.columns.addAll(held.columns());
    this.row = new Row(columns.size());
    byte[] none = new byte[held.width()];
    Arrays.fill(none, NULL);
    this.nulls = List.of(none);
    index();
  }

  private void index() {
    List<RowKey> own = keys.stream().map(KeyPair::own).toList();
    KeyEncoder ofHeld = KeyEncoder.ofKeys(held.columns(), own);
    Row one = new Row(held.width());
    for (byte[] payload : held.payloads()) {
      one.set(payload, 0, payload.length);
      if (own.stream().noneMatch(part -> one.isNull(part.column()))) {
        key.clear();
        ofHeld.encode(one, key);
        byKey.computeIfAbsent(ByteBuffer.wrap(key.copy()), any -> new ArrayList<>()).add(payload);
      }
    }
  }

  @Override
  public List<ColumnDefinition> columns() {
    return columns;
  }

  @Override
  public boolean advance() {
    check.run();
    while (next == partners.size()) {
      if (!before.advance()) {
        return false;
      }
      partners = partners(before.row());
      next = 0;
    }
    Row left = before.row();
    byte[] right = partners.get(next++);
    joined.clear();
    joined.write(left.bytes(), left.start(), left.end() - left.start());
    joined.write(right, 0, right.length);
    row.set(joined.array(), 0, joined.length());
    return true;
  }

  private List<byte[]> partners(Row left) {
    boolean known = keys.stream().noneMatch(part -> left.isNull(part.before().column()));
    List<byte[]> found = List.of();
    if (known) {
      key.clear();
      encoder.encode(left, key);
      found = byKey.getOrDefault(ByteBuffer.wrap(key.copy()), List.of());
    }
    return found.isEmpty() && outer ? nulls : found;
  }

  @Override
  public Row row() {
    return row;
  }

  @Override
  public void close() {
    before.close();
  }
}
