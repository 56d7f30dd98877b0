package io.alrai.cn.prepared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.cn.session.PreparedStatement;
import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.Lenenc;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.text.LexicalMode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class QueryAttributesTest {
  private static final int BIGINT = 8;
  private static final int STRING = 253;
  private static final int MALFORMED = 1835;
  private static final int COUNT_AVAILABLE = 8;

  private static ByteBuf text(ByteBuf out, String text) {
    Lenenc.writeBytes(out, text.getBytes(StandardCharsets.UTF_8));
    return out;
  }

  @Test
  void theTextIsBehindThem() {
    ByteBuf none = Unpooled.buffer().writeByte(3).writeByte(0).writeByte(1);
    none.writeBytes("DO 1".getBytes(StandardCharsets.UTF_8));
    assertEquals(2, QueryAttributes.length(none));
    ByteBuf three = Unpooled.buffer().writeByte(3).writeByte(3).writeByte(1);
    three.writeByte(0b010).writeByte(1);
    text(three.writeShortLE(BIGINT), "a");
    text(three.writeShortLE(STRING), "nothing");
    text(three.writeShortLE(STRING), "");
    text(three.writeLongLE(7), "value");
    int length = three.readableBytes() - 1;
    three.writeBytes("DO 1".getBytes(StandardCharsets.UTF_8));
    assertEquals(length, QueryAttributes.length(three));
    for (int cut = 1; cut < length; cut++) {
      ByteBuf shorter = three.slice(0, cut);
      AlraiException refused =
          assertThrows(AlraiException.class, () -> QueryAttributes.length(shorter));
      assertEquals(MALFORMED, refused.errno(), "of " + cut);
    }
  }

  @Test
  void textsAmongThemAreFound() {
    ByteBuf none = Unpooled.buffer().writeByte(3).writeByte(0).writeByte(1);
    assertNull(QueryAttributes.text(none, "a"));
    ByteBuf four = Unpooled.buffer().writeByte(3).writeByte(4).writeByte(1);
    four.writeByte(0b0010).writeByte(1);
    text(four.writeShortLE(BIGINT), "a");
    text(four.writeShortLE(STRING), "nothing");
    text(four.writeShortLE(STRING), "b");
    text(four.writeShortLE(STRING), "c");
    text(text(four.writeLongLE(7), "of b"), "of c");
    assertEquals("of b", QueryAttributes.text(four, "b"));
    assertEquals("of c", QueryAttributes.text(four, "c"));
    assertNull(QueryAttributes.text(four, "a"), "no text");
    assertNull(QueryAttributes.text(four, "nothing"), "NULL");
    assertNull(QueryAttributes.text(four, "d"));
  }

  private static PreparedStatement statement() {
    PreparedStatement statement = new PreparedStatement(1, new byte[0], ShapedText.of("SELECT ?"));
    statement.parameters(1);
    return statement;
  }

  private static ByteBuf execution() {
    ByteBuf packet = Unpooled.buffer();
    packet.writeByte(0x17).writeIntLE(1).writeByte(COUNT_AVAILABLE).writeIntLE(1);
    packet.writeByte(2).writeByte(0).writeByte(1);
    text(packet.writeShortLE(BIGINT), "");
    text(packet.writeShortLE(STRING), "name");
    return text(packet.writeLongLE(7), "value");
  }

  @Test
  void anExecutionHasThemBehindItsParameters() {
    ExecutePacket packet = new ExecutePacket(execution(), statement(), true);
    ByteArrayOutputStream sql = new ByteArrayOutputStream();
    new BoundParameters(packet, LexicalMode.DEFAULT).appendSql(0, sql);
    assertEquals("7", sql.toString(StandardCharsets.US_ASCII));
    ByteBuf forServer = packet.forServer(ByteBufAllocator.DEFAULT, 5, new byte[0]);
    assertEquals(
        "16000000"
            + "17"
            + "05000000"
            + "00"
            + "01000000"
            + "00"
            + "01"
            + "0800"
            + "0700000000000000",
        ByteBufUtil.hexDump(forServer));
    forServer.release();
  }

  @Test
  void anExecutionThatEndsEarlyIsMalformed() {
    ByteBuf whole = execution();
    for (int cut = 10; cut < 31; cut++) {
      ByteBuf shorter = whole.slice(0, cut);
      AlraiException refused =
          assertThrows(
              AlraiException.class,
              () ->
                  new BoundParameters(
                      new ExecutePacket(shorter, statement(), true), LexicalMode.DEFAULT));
      assertEquals(MALFORMED, refused.errno(), "of " + cut);
    }
  }
}
