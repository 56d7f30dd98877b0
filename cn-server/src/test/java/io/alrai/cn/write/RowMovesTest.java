package io.alrai.cn.write;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.executor.operator.Row;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RowMovesTest {
  private static Row row(String value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(value.length());
    bytes.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
    Row row = new Row(1);
    row.set(bytes.toByteArray(), 0, bytes.size());
    return row;
  }

  @Test
  void zeroIsZeroWithZerosBeforeItToo() {
    assertTrue(RowMoves.isZero(row("0"), 0));
    assertTrue(RowMoves.isZero(row("0000000000"), 0));
    assertFalse(RowMoves.isZero(row("0000000010"), 0));
    assertFalse(RowMoves.isZero(row("7"), 0));
    assertFalse(RowMoves.isZero(row(""), 0));
  }
}
