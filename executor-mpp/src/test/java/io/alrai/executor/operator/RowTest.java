package io.alrai.executor.operator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RowTest {
  @Test
  void findsValuesOfEveryLengthForm() {
    int[] sizes = {0, 1, 250, 251, 252, 65_535, 65_536, 0xffffff, 0x1000000};
    GrowingBytes out = new GrowingBytes(1);
    out.write(new byte[] {9, 9, 9}, 0, 3);
    for (int size : sizes) {
      byte[] value = new byte[size];
      Arrays.fill(value, (byte) size);
      out.writeValue(value, 0, size);
      out.writeNull();
    }
    Row row = new Row(sizes.length * 2);
    row.set(out.array(), 3, out.length());
    for (int i = sizes.length - 1; i >= 0; i--) {
      byte[] expected = new byte[sizes[i]];
      Arrays.fill(expected, (byte) sizes[i]);
      assertFalse(row.isNull(2 * i));
      assertEquals(sizes[i], row.valueLength(2 * i));
      assertArrayEquals(expected, row.value(2 * i));
      assertTrue(row.isNull(2 * i + 1));
      assertEquals(0, row.value(2 * i + 1).length);
    }
    assertEquals(row.end(), row.columnEnd(sizes.length * 2 - 1));
    assertEquals(row.columnEnd(3), row.columnStart(4));
  }

  @Test
  void forgetsWhatItKnewOfTheRowBefore() {
    Row row = new Row(2);
    row.set(new byte[] {2, 'a', 'b', 1, 'c'}, 0, 5);
    assertArrayEquals(new byte[] {'c'}, row.value(1));
    row.set(new byte[] {(byte) 0xfb, 0}, 0, 2);
    assertTrue(row.isNull(0));
    assertFalse(row.isNull(1));
    assertEquals(0, row.valueLength(1));
  }
}
