package io.alrai.cn.prepared;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.Lenenc;
import io.alrai.executor.fragment.SlotValues.Kind;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.ParameterSource;
import io.alrai.optimizer.api.text.StringContent;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The values of a STMT_EXECUTE. Read once, independent of the packet afterwards. */
public final class BoundParameters implements ParameterSource {
  private static final int UNSIGNED = 0x8000;
  private static final Pattern NUMBER =
      Pattern.compile("\\s*([+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?)");

  private sealed interface Value {
    record Null() implements Value {}

    record Whole(long value, boolean unsigned) implements Value {}

    record Real(double value) implements Value {}

    record Text(byte[] bytes, Kind kind) implements Value {}
  }

  private final Value[] values;
  private final LexicalMode mode;

  /** The values of one execution. */
  public BoundParameters(ExecutePacket packet, LexicalMode mode) {
    this.mode = mode;
    int count = packet.statement().parameters();
    values = new Value[count];
    try {
      ByteBuf in = packet.payload().duplicate();
      in.readerIndex(packet.valuesIndex());
      for (int i = 0; i < count; i++) {
        byte[] ahead = packet.statement().longData().get(i);
        if (ahead != null) {
          values[i] = text(ahead, packet.type(i));
        } else if (packet.isNull(i)) {
          values[i] = new Value.Null();
        } else {
          values[i] = read(in, packet.type(i));
        }
      }
    } catch (IndexOutOfBoundsException e) {
      throw AlraiException.malformed(e);
    }
  }

  private static MysqlType type(int typeCode) {
    try {
      return MysqlType.ofCode(typeCode & 0xff);
    } catch (IllegalArgumentException e) {
      throw AlraiException.malformed(e);
    }
  }

  private static Value text(byte[] bytes, int typeCode) {
    Kind kind = textKind(typeCode);
    return new Value.Text(kind == Kind.DECIMAL ? number(bytes) : bytes, kind);
  }

  /**
   * The number at the beginning of a text, which is all that a mysqld takes of it; 0 if there is
   * none.
   */
  private static byte[] number(byte[] text) {
    Matcher number = NUMBER.matcher(new String(text, StandardCharsets.ISO_8859_1));
    return number.lookingAt() ? ascii(number.group(1)) : ascii("0");
  }

  /** Steps over a value. */
  static void skip(ByteBuf in, int typeCode) {
    read(in, typeCode);
  }

  private static Value read(ByteBuf in, int typeCode) {
    boolean unsigned = (typeCode & UNSIGNED) != 0;
    MysqlType type = type(typeCode);
    return switch (type) {
      case TINYINT -> new Value.Whole(unsigned ? in.readUnsignedByte() : in.readByte(), false);
      case SMALLINT, YEAR ->
          new Value.Whole(unsigned ? in.readUnsignedShortLE() : in.readShortLE(), false);
      case INT, MEDIUMINT ->
          new Value.Whole(unsigned ? in.readUnsignedIntLE() : in.readIntLE(), false);
      case BIGINT -> new Value.Whole(in.readLongLE(), unsigned);
      case FLOAT -> real(in.readFloatLE());
      case DOUBLE -> real(in.readDoubleLE());
      case DATE, DATETIME, TIMESTAMP, NEWDATE -> date(in, type);
      case TIME -> time(in);
      case NULL -> new Value.Null();
      case DECIMAL_OLD,
          DECIMAL,
          VARCHAR_OLD,
          BIT,
          VECTOR,
          JSON,
          ENUM,
          SET,
          TINYBLOB,
          MEDIUMBLOB,
          LONGBLOB,
          BLOB,
          VARCHAR,
          CHAR,
          GEOMETRY ->
          text(Lenenc.readBytes(in), typeCode);
    };
  }

  /** A FLOAT is a DOUBLE to a mysqld, too; SQL has no literal for an infinite number. */
  private static Value real(double value) {
    if (!Double.isFinite(value)) {
      throw new AlraiException(
          ErrorCode.ER_ILLEGAL_VALUE_FOR_TYPE,
          "Illegal double '" + value + "' value found during parsing");
    }
    return new Value.Real(value);
  }

  private static Kind textKind(int typeCode) {
    return switch (type(typeCode)) {
      case DECIMAL, DECIMAL_OLD -> Kind.DECIMAL;
      case TINYBLOB, BLOB, MEDIUMBLOB, LONGBLOB, BIT, GEOMETRY, VECTOR -> Kind.BINARY;
      default -> Kind.STRING;
    };
  }

  /** 0, 4, 7 or 11 bytes, or 13 with the minutes that a time zone is ahead of UTC. */
  private static Value date(ByteBuf packet, MysqlType type) {
    int length = packet.readUnsignedByte();
    ByteBuf in = packet.readSlice(length);
    int year = length > 0 ? in.readUnsignedShortLE() : 0;
    int month = length > 0 ? in.readUnsignedByte() : 0;
    int day = length > 0 ? in.readUnsignedByte() : 0;
    int hour = length > 4 ? in.readUnsignedByte() : 0;
    int minute = length > 4 ? in.readUnsignedByte() : 0;
    int second = length > 4 ? in.readUnsignedByte() : 0;
    long micros = length > 7 ? in.readUnsignedIntLE() : 0;
    String text = String.format(Locale.ROOT, "%04d-%02d-%02d", year, month, day);
    if (type != MysqlType.DATE) {
      text += String.format(Locale.ROOT, " %02d:%02d:%02d", hour, minute, second);
      text += micros == 0 ? "" : String.format(Locale.ROOT, ".%06d", micros);
      text += length > 11 ? zone(in.readShortLE()) : "";
    }
    return new Value.Text(text.getBytes(StandardCharsets.US_ASCII), Kind.TEMPORAL);
  }

  private static String zone(int minutes) {
    int ahead = Math.abs(minutes);
    return String.format(
        Locale.ROOT, "%s%02d:%02d", minutes < 0 ? "-" : "+", ahead / 60, ahead % 60);
  }

  private static Value time(ByteBuf in) {
    int length = in.readUnsignedByte();
    boolean negative = length > 0 && in.readByte() == 1;
    long days = length > 0 ? in.readUnsignedIntLE() : 0;
    int hour = length > 0 ? in.readUnsignedByte() : 0;
    int minute = length > 0 ? in.readUnsignedByte() : 0;
    int second = length > 0 ? in.readUnsignedByte() : 0;
    long micros = length > 8 ? in.readUnsignedIntLE() : 0;
    if (minute > 59 || second > 59 || micros > 999_999) {
      throw new AlraiException(
          ErrorCode.ER_DATA_OUT_OF_RANGE, "TIME value is out of range in 'set_parameter_value'");
    }
    String text =
        String.format(
            Locale.ROOT, "%s%02d:%02d:%02d", negative ? "-" : "", days * 24 + hour, minute, second);
    text += micros == 0 ? "" : String.format(Locale.ROOT, ".%06d", micros);
    return new Value.Text(text.getBytes(StandardCharsets.US_ASCII), Kind.TEMPORAL);
  }

  @Override
  public boolean areBound() {
    return true;
  }

  @Override
  public Kind kind(int parameter) {
    return switch (values[parameter]) {
      case Value.Null none -> Kind.NULL;
      case Value.Whole whole -> Kind.INTEGER;
      case Value.Real real -> Kind.FLOAT;
      case Value.Text text -> text.kind;
    };
  }

  @Override
  public boolean fitsLong(int parameter) {
    return values[parameter] instanceof Value.Whole whole && (!whole.unsigned || whole.value >= 0);
  }

  @Override
  public long longValue(int parameter) {
    if (values[parameter] instanceof Value.Whole whole) {
      return whole.value;
    }
    throw new IllegalArgumentException("not a whole number: parameter " + parameter);
  }

  @Override
  public byte[] bytes(int parameter) {
    return switch (values[parameter]) {
      case Value.Null none -> new byte[0];
      case Value.Whole whole -> ascii(number(whole));
      case Value.Real real -> ascii(number(real));
      case Value.Text text -> text.bytes;
    };
  }

  private static String number(Value.Whole whole) {
    return whole.unsigned ? Long.toUnsignedString(whole.value) : Long.toString(whole.value);
  }

  private static String number(Value.Real real) {
    String text = Double.toString(real.value);
    return text.contains("E") ? text : text + "e0";
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void appendSql(int parameter, ByteArrayOutputStream out) {
    switch (values[parameter]) {
      case Value.Null none -> out.writeBytes(ascii("NULL"));
      case Value.Whole whole -> out.writeBytes(ascii(number(whole)));
      case Value.Real real -> out.writeBytes(ascii(number(real)));
      case Value.Text text -> {
        switch (text.kind) {
          case DECIMAL -> out.writeBytes(text.bytes);
          case BINARY -> StringContent.appendBinary(text.bytes, out);
          default -> StringContent.appendQuoted(text.bytes, mode, out);
        }
      }
    }
  }
}
