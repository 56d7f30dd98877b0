package io.alrai.cn.routine;

import io.alrai.executor.fragment.SlotValues.Kind;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.ParameterSource;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Variables of a routine as the parameters of one of its statements. */
final class LocalParameters implements ParameterSource {
  private final List<LocalValue> values;
  private final List<Boolean> rowCounts;
  private final LexicalMode mode;

  /**
   * The parameters of one execution.
   *
   * @param rowCounts of each, whether it is a bare number of rows
   */
  LocalParameters(List<LocalValue> values, List<Boolean> rowCounts, LexicalMode mode) {
    this.values = List.copyOf(values);
    this.rowCounts = List.copyOf(rowCounts);
    this.mode = mode;
  }

  @Override
  public Kind kind(int parameter) {
    LocalValue value = values.get(parameter);
    return value.isForeign(mode) ? Kind.FLOAT : value.kind();
  }

  @Override
  public boolean fitsLong(int parameter) {
    return number(parameter).bitLength() < Long.SIZE;
  }

  @Override
  public long longValue(int parameter) {
    return number(parameter).longValue();
  }

  private BigInteger number(int parameter) {
    return new BigInteger(values.get(parameter).text());
  }

  @Override
  public byte[] bytes(int parameter) {
    LocalValue value = values.get(parameter);
    return value.kind() == Kind.STRING ? value.text().getBytes(mode.charset()) : value.bytes();
  }

  @Override
  public void appendSql(int parameter, ByteArrayOutputStream out) {
    LocalValue value = values.get(parameter);
    String sql = rowCounts.get(parameter) ? value.text() : value.sql(mode);
    out.writeBytes(sql.getBytes(StandardCharsets.US_ASCII));
  }
}
