package io.alrai.dn.ask;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Nodes that ask each other at an agent; each end of a connection is a channel without a socket.
 */
class AskExchangeTest {
  private final AskExchange exchange = new AskExchange();

  private final class Node {
    final EmbeddedChannel channel = new EmbeddedChannel();

    Node(String name) {
      channel.pipeline().addLast(exchange.line(name, channel, channel::writeOutbound));
    }

    void send(AskRecord record) {
      channel.writeInbound(bytes(record));
    }

    List<String> got() {
      channel.runPendingTasks();
      List<String> all = new ArrayList<>();
      ByteBuf next;
      while ((next = channel.readOutbound()) != null) {
        while (next.isReadable()) {
          all.add(said(AskRecord.next(next)));
        }
        next.release();
      }
      return all;
    }
  }

  private static ByteBuf bytes(AskRecord record) {
    ByteBuf out = Unpooled.buffer();
    AskRecord.write(out, record);
    return out;
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String said(AskRecord record) {
    return switch (record) {
      case AskRecord.Question m ->
          "question " + m.number() + " " + m.nodes() + " " + new String(m.question());
      case AskRecord.Reply m -> "reply " + m.number() + " " + new String(m.reply());
      case AskRecord.Asked m ->
          "asked " + m.number() + " " + m.asker() + " " + new String(m.question());
      case AskRecord.Answer m ->
          "answer " + m.number() + " " + m.node() + " " + new String(m.answer());
      case AskRecord.Absent m -> "absent " + m.number() + " " + m.node();
    };
  }

  @Test
  void aQuestionAndItsAnswersPass() {
    Node one = new Node("cn-1");
    Node two = new Node("cn-2");
    Node three = new Node("cn-3");
    one.send(new AskRecord.Question(7, List.of("cn-2", "cn-3", "cn-4"), text("who?")));
    assertEquals(List.of("absent 7 cn-4"), one.got());
    assertEquals(List.of("asked 1 cn-1 who?"), two.got());
    assertEquals(List.of("asked 1 cn-1 who?"), three.got());
    three.send(new AskRecord.Reply(1, text("I")));
    three.send(new AskRecord.Reply(1, text("again")));
    assertEquals(List.of("answer 7 cn-3 I"), one.got());
    two.channel.close();
    assertEquals(List.of("absent 7 cn-2"), one.got());
  }

  @Test
  void aLaterConnectionOfANodeIsTheOneThatIsAsked() {
    Node one = new Node("cn-1");
    Node dead = new Node("cn-2");
    Node alive = new Node("cn-2");
    dead.channel.close();
    one.send(new AskRecord.Question(1, List.of("cn-2"), text("?")));
    assertEquals(List.of("asked 1 cn-1 ?"), alive.got());
  }

  @Test
  void whoHasGoneGetsNothing() {
    Node one = new Node("cn-1");
    Node two = new Node("cn-2");
    one.send(new AskRecord.Question(1, List.of("cn-2"), text("?")));
    one.channel.close();
    two.got();
    two.send(new AskRecord.Reply(1, text("!")));
    assertEquals(List.of(), one.got());
    assertTrue(two.channel.isActive());
  }

  @Test
  void whoseAnswersAreManyIsNotAskedMore() {
    Node one = new Node("cn-1");
    Node two = new Node("cn-2");
    int asked = 0;
    for (int i = 0; i <= AskExchange.MOST_OPEN; i++) {
      one.send(new AskRecord.Question(i, List.of("cn-2"), text("?")));
      asked += two.got().size();
    }
    assertEquals(AskExchange.MOST_OPEN, asked);
    assertEquals(List.of("absent " + AskExchange.MOST_OPEN + " cn-2"), one.got());
  }

  @Test
  void everyRecordComesThereAndBackWhateverItsCut() {
    List<AskRecord> all =
        List.of(
            new AskRecord.Question(1, List.of("cn-1", "é漢"), text("_%'\"`")),
            new AskRecord.Reply(-2, text("")),
            new AskRecord.Asked(3, "cn-1", text("x")),
            new AskRecord.Answer(4, "cn-2", text("y")),
            new AskRecord.Absent(5, "cn-3"));
    for (AskRecord record : all) {
      ByteBuf whole = bytes(record);
      for (int length = 0; length < whole.readableBytes(); length++) {
        assertNull(AskRecord.next(whole.slice(0, length)));
      }
      assertEquals(said(record), said(AskRecord.next(whole)));
      assertFalse(whole.isReadable());
    }
  }

  @Test
  void theLongestAnswerHasRoomInItsRecord() {
    byte[] longest = new byte[AskLine.MOST_ANSWER_BYTES];
    ByteBuf record = bytes(new AskRecord.Answer(1, "n".repeat(255), longest));
    AskRecord.Answer answer = (AskRecord.Answer) AskRecord.next(record);
    assertEquals(longest.length, answer.answer().length);
  }

  @Test
  void whatIsNoRecordEndsTheConnection() {
    for (String hex :
        List.of("00000004", "7fffffff", "00000005090000000100", "000000060300000001ff")) {
      ByteBuf wrong = Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex));
      assertThrows(AlraiException.class, () -> AskRecord.next(wrong), hex);
    }
    Node one = new Node("cn-1");
    one.send(new AskRecord.Answer(1, "cn-2", text("not mine to say")));
    assertFalse(one.channel.isActive());
  }
}
