package io.alrai.cn.prepared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.cn.rows.BinaryTimes;
import io.alrai.cn.session.PreparedStatement;
import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.Lenenc;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.text.LexicalMode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class BoundParametersTest {
  private static final int DECIMAL = 246;
  private static final int STRING = 253;
  private static final int FLOAT = 4;
  private static final int DOUBLE = 5;
  private static final int TIME = 11;
  private static final int DATETIME = 12;
  private static final int MALFORMED = 1835;
  private static final int ILLEGAL = 1367;
  private static final int OUT_OF_RANGE = 1690;

  /** One parameter's text as it stands in a statement for a DN. */
  private static String sql(int type, String value) {
    ByteBuf values = Unpooled.buffer();
    Lenenc.writeBytes(values, value.getBytes(StandardCharsets.US_ASCII));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    parameters(type, values).appendSql(0, out);
    return out.toString(StandardCharsets.US_ASCII);
  }

  private static BoundParameters parameters(int type, ByteBuf values) {
    return parameters(values, type);
  }

  private static BoundParameters parameters(ByteBuf values, int... types) {
    PreparedStatement statement = new PreparedStatement(1, new byte[0], ShapedText.of("SELECT ?"));
    statement.parameters(types.length);
    ByteBuf packet = Unpooled.buffer();
    packet.writeByte(0x17).writeIntLE(1).writeByte(0).writeIntLE(1);
    packet.writeByte(0).writeByte(1);
    for (int type : types) {
      packet.writeShortLE(type);
    }
    packet.writeBytes(values, 0, values.readableBytes());
    return new BoundParameters(new ExecutePacket(packet, statement, false), LexicalMode.DEFAULT);
  }

  @Test
  void aDecimalIsANumberWhateverItsTextSays() {
    assertEquals("12.50", sql(DECIMAL, "12.50"));
    assertEquals("-.5e-3", sql(DECIMAL, " -.5e-3"));
    assertEquals("1", sql(DECIMAL, "1); DROP TABLE t; --"));
    assertEquals("0", sql(DECIMAL, "(SELECT password FROM accounts)"));
    assertEquals("0", sql(DECIMAL, ""));
  }

  @Test
  void anInfiniteNumberHasNoText() {
    ByteBuf infinite = Unpooled.buffer().writeFloatLE(Float.NEGATIVE_INFINITY);
    AlraiException error = assertThrows(AlraiException.class, () -> parameters(FLOAT, infinite));
    assertEquals(ILLEGAL, error.errno());
    ByteBuf none = Unpooled.buffer().writeDoubleLE(Double.NaN);
    assertThrows(AlraiException.class, () -> parameters(DOUBLE, none));
  }

  @Test
  void aFloatIsComparedAsADouble() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    parameters(FLOAT, Unpooled.buffer().writeFloatLE(0.1f)).appendSql(0, out);
    assertEquals("0.10000000149011612e0", out.toString(StandardCharsets.US_ASCII));
  }

  @Test
  void aTimeHasNoMoreThanSixtyMinutes() {
    assertEquals("'-30:59:59.000005'", time(59, 5));
    AlraiException error = assertThrows(AlraiException.class, () -> time(60, 5));
    assertEquals(OUT_OF_RANGE, error.errno());
    assertThrows(AlraiException.class, () -> time(1, 1_000_000));
  }

  private static String time(int minute, int micros) {
    ByteBuf value = Unpooled.buffer().writeByte(12).writeByte(1).writeIntLE(1);
    value.writeByte(6).writeByte(minute).writeByte(59).writeIntLE(micros);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    parameters(TIME, value).appendSql(0, out);
    return out.toString(StandardCharsets.US_ASCII);
  }

  /** What follows it is the next parameter's. */
  @Test
  void aDateMayHaveATimeZone() {
    ByteBuf values = Unpooled.buffer().writeByte(13).writeShortLE(2026).writeByte(11).writeByte(27);
    values.writeByte(1).writeByte(2).writeByte(3).writeIntLE(4).writeShortLE(-90);
    values.writeByte(1).writeByte('x');
    BoundParameters both = parameters(values, DATETIME, STRING);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    both.appendSql(0, out);
    both.appendSql(1, out);
    assertEquals("'2026-11-27 01:02:03.000004-01:30''x'", out.toString(StandardCharsets.US_ASCII));
    ByteBuf again = Unpooled.buffer();
    BinaryTimes.write(new String(both.bytes(0), StandardCharsets.US_ASCII), again);
    assertEquals(values.slice(0, 14), again);
  }

  @Test
  void aTextIsQuoted() {
    assertEquals("'it''s'", sql(STRING, "it's").replace("\\'", "''"));
  }

  /** One parameter, without types, as a client sends it that has bound nothing but NULL. */
  private static BoundParameters untyped(int nulls) {
    PreparedStatement statement = new PreparedStatement(1, new byte[0], ShapedText.of("SELECT ?"));
    statement.parameters(1);
    ByteBuf packet = Unpooled.buffer();
    packet.writeByte(0x17).writeIntLE(1).writeByte(0).writeIntLE(1);
    packet.writeByte(nulls).writeByte(0);
    return new BoundParameters(new ExecutePacket(packet, statement, false), LexicalMode.DEFAULT);
  }

  @Test
  void nullNeedsNoType() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    untyped(1).appendSql(0, out);
    assertEquals("NULL", out.toString(StandardCharsets.US_ASCII));
    AlraiException refused = assertThrows(AlraiException.class, () -> untyped(0));
    assertEquals(MALFORMED, refused.errno());
  }

  @Test
  void whatIsNoValueIsMalformed() {
    ByteBuf tooLong = Unpooled.buffer().writeByte(0xfe).writeLongLE(Integer.MAX_VALUE);
    for (int type : new int[] {217, 100, STRING}) {
      AlraiException refused =
          assertThrows(AlraiException.class, () -> parameters(type, tooLong.duplicate()));
      assertEquals(MALFORMED, refused.errno(), "type " + type);
    }
  }
}
