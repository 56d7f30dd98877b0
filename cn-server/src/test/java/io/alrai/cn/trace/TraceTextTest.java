package io.alrai.cn.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.wire.Command;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Which texts are traced, and what is shown of them. */
class TraceTextTest {
  private static int statement(String sql) {
    byte[] bytes = (sql + "xxxxxxxx").getBytes(StandardCharsets.UTF_8);
    return TraceText.statement(bytes, bytes.length - 8);
  }

  @Test
  void theWordAndBlanksAreLeftOut() {
    assertEquals(6, statement("TRACE SELECT 1"));
    assertEquals(10, statement(" \n\ttrace\r\nx"));
    assertEquals(6, statement("tRaCe TRACE"));
  }

  @Test
  void othersAreAsTheyAre() {
    assertEquals(0, statement(""));
    assertEquals(0, statement("TRACE"));
    assertEquals(0, statement("TRACE  "));
    assertEquals(0, statement("TRACES 1"));
    assertEquals(0, statement("TRUNCATE t"));
    assertEquals(0, statement("TRACE(1)"));
    assertEquals(0, statement("/* TRACE */ SELECT 1"));
    assertEquals(0, statement("TRAC"));
  }

  private static ByteBuf command(int code, byte[] text) {
    return Unpooled.buffer()
        .writeMediumLE(text.length + 1)
        .writeByte(0)
        .writeByte(code)
        .writeBytes(text);
  }

  @Test
  void longTextsAreCut() {
    byte[] text = "x".repeat(3_000).getBytes(StandardCharsets.UTF_8);
    assertEquals("x".repeat(1_024) + "...", TraceText.of(text, text.length));
    assertEquals("x".repeat(1_024) + "...", TraceText.of(command(Command.QUERY, text)));
    assertEquals(
        "SELECT 'ä'",
        TraceText.of(command(Command.QUERY, "SELECT 'ä'".getBytes(StandardCharsets.UTF_8))));
  }

  @Test
  void commandsHaveNames() {
    assertEquals(
        "EXECUTE 7", TraceText.of(command(Command.STMT_EXECUTE, new byte[] {7, 0, 0, 0, 0})));
    assertEquals("EXECUTE ", TraceText.of(command(Command.STMT_EXECUTE, new byte[] {7})));
    assertEquals("USE s", TraceText.of(command(Command.INIT_DB, new byte[] {'s'})));
    assertEquals("command 0x0e", TraceText.of(command(Command.PING, new byte[0])));
    assertEquals("", TraceText.of(Unpooled.buffer().writeMediumLE(0).writeByte(0)));
  }
}
