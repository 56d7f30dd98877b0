package io.alrai.cn.text;

import io.alrai.executor.fragment.SlotValues;
import java.io.ByteArrayOutputStream;

/** The slots of another row of the same pattern: each is a number of slots further on. */
public record ShiftedSlots(SlotValues values, int shift) implements SlotValues {
  @Override
  public int count() {
    return values.count() - shift;
  }

  @Override
  public Kind kind(int slot) {
    return values.kind(slot + shift);
  }

  @Override
  public long longValue(int slot) {
    return values.longValue(slot + shift);
  }

  @Override
  public boolean fitsLong(int slot) {
    return values.fitsLong(slot + shift);
  }

  @Override
  public byte[] bytes(int slot) {
    return values.bytes(slot + shift);
  }

  @Override
  public void appendSql(int slot, ByteArrayOutputStream out) {
    values.appendSql(slot + shift, out);
  }
}
