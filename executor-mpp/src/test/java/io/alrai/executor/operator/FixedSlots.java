package io.alrai.executor.operator;

import io.alrai.executor.fragment.SlotValues;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Slot values of whole numbers, for tests. */
record FixedSlots(List<Long> values) implements SlotValues {
  @Override
  public int count() {
    return values.size();
  }

  @Override
  public Kind kind(int slot) {
    return Kind.INTEGER;
  }

  @Override
  public long longValue(int slot) {
    return values.get(slot);
  }

  @Override
  public boolean fitsLong(int slot) {
    return true;
  }

  @Override
  public byte[] bytes(int slot) {
    return values.get(slot).toString().getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void appendSql(int slot, ByteArrayOutputStream out) {
    out.writeBytes(bytes(slot));
  }
}
