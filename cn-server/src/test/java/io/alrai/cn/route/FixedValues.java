package io.alrai.cn.route;

import io.alrai.executor.fragment.SlotValues;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Slot values for tests. */
final class FixedValues implements SlotValues {
  private record Value(Kind kind, String text) {}

  private final List<Value> values = new ArrayList<>();

  FixedValues integer(String digits) {
    values.add(new Value(Kind.INTEGER, digits));
    return this;
  }

  FixedValues string(String text) {
    values.add(new Value(Kind.STRING, text));
    return this;
  }

  FixedValues of(Kind kind, String text) {
    values.add(new Value(kind, text));
    return this;
  }

  @Override
  public int count() {
    return values.size();
  }

  @Override
  public Kind kind(int slot) {
    return values.get(slot).kind;
  }

  @Override
  public long longValue(int slot) {
    return Long.parseLong(values.get(slot).text);
  }

  @Override
  public boolean fitsLong(int slot) {
    try {
      Long.parseLong(values.get(slot).text);
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  @Override
  public byte[] bytes(int slot) {
    return values.get(slot).text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void appendSql(int slot, ByteArrayOutputStream out) {
    out.writeBytes(bytes(slot));
  }
}
