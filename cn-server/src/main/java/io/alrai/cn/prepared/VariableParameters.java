package io.alrai.cn.prepared;

import io.alrai.cn.settings.VariableValue;
import io.alrai.executor.fragment.SlotValues.Kind;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.ParameterSource;
import io.alrai.optimizer.api.text.StringContent;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The values of EXECUTE ... USING: those of user variables. */
public final class VariableParameters implements ParameterSource {
  private final List<VariableValue> values;
  private final LexicalMode mode;

  /** The parameters of one execution, for statements that are read in this mode. */
  public VariableParameters(List<VariableValue> values, LexicalMode mode) {
    this.values = List.copyOf(values);
    this.mode = mode;
  }

  @Override
  public Kind kind(int parameter) {
    VariableValue value = values.get(parameter);
    return isForeign(value) ? Kind.FLOAT : value.kind();
  }

  /**
   * Whether the session's character set lacks characters of the value: then it is exact for no key.
   */
  private boolean isForeign(VariableValue value) {
    return value.kind() == Kind.STRING && !mode.charset().newEncoder().canEncode(value.text());
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
    return new BigInteger(new String(values.get(parameter).bytes(), StandardCharsets.US_ASCII));
  }

  @Override
  public byte[] bytes(int parameter) {
    VariableValue value = values.get(parameter);
    return value.kind() == Kind.STRING ? value.text().getBytes(mode.charset()) : value.bytes();
  }

  @Override
  public void appendSql(int parameter, ByteArrayOutputStream out) {
    VariableValue value = values.get(parameter);
    switch (value.kind()) {
      case NULL -> out.writeBytes("NULL".getBytes(StandardCharsets.US_ASCII));
      case INTEGER, DECIMAL, FLOAT -> out.writeBytes(bytes(parameter));
      case BINARY -> StringContent.appendBinary(bytes(parameter), out);
      case STRING, TEMPORAL -> {
        // converted to the connection's character set, as a literal is
        if (value.charset().isEmpty() || !isForeign(value)) {
          StringContent.appendQuoted(bytes(parameter), mode, out);
        } else {
          out.writeBytes(("_" + value.charset() + " ").getBytes(StandardCharsets.US_ASCII));
          StringContent.appendHex(value.bytes(), out);
        }
      }
    }
  }
}
