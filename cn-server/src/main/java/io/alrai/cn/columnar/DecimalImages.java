package io.alrai.cn.columnar;

import io.alrai.columnar.scan.ColumnKind;
import io.alrai.columnar.scan.Storage;
import io.alrai.common.changelog.RowImage;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;

/** Puts decimals into rows for indexes: scaled, 64 bits or 128 with the little end first. */
public final class DecimalImages {
  private static final int WIDE_BYTES = 16;

  private DecimalImages() {}

  /**
   * Puts one in.
   *
   * @throws ArithmeticException when it has more digits than its kind
   */
  public static void put(RowImage row, int column, ColumnKind.Decimal kind, BigDecimal value) {
    BigInteger unscaled = value.setScale(kind.scale()).unscaledValue();
    if (kind.widest() != Storage.INT128) {
      row.put(column, unscaled.longValueExact());
      return;
    }
    byte[] high = unscaled.toByteArray();
    byte[] wide = new byte[WIDE_BYTES];
    Arrays.fill(wide, (byte) (unscaled.signum() < 0 ? -1 : 0));
    for (int i = 0; i < high.length; i++) {
      wide[i] = high[high.length - 1 - i];
    }
    row.put(column, wide);
  }
}
