package io.alrai.cn.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyProtocolException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The first bytes of trusted peers, however they are cut, and whom is trusted. */
class ProxyHeaderTest {
  private static final String LOGIN = "what a client says first, at least as long as a login is";
  private static final byte[] V1 =
      "PROXY TCP4 203.0.113.7 198.51.100.1 54321 3306\r\n".getBytes(StandardCharsets.US_ASCII);

  private static byte[] v2(int command) {
    ByteBuf out = Unpooled.buffer();
    out.writeBytes(ByteBufUtil.decodeHexDump("0d0a0d0a000d0a515549540a"));
    out.writeByte(0x20 | command).writeByte(0x11).writeShort(12);
    out.writeInt(0xcb007107).writeInt(0xc6336401).writeShort(54321).writeShort(3306);
    return ByteBufUtil.getBytes(out);
  }

  private static byte[] login() {
    return LOGIN.getBytes(StandardCharsets.US_ASCII);
  }

  private static EmbeddedChannel send(byte[] bytes, int piece) {
    EmbeddedChannel channel = new EmbeddedChannel(new ProxyHeader());
    for (int at = 0; at < bytes.length; at += piece) {
      channel.writeInbound(Unpooled.copiedBuffer(bytes, at, Math.min(piece, bytes.length - at)));
    }
    return channel;
  }

  private static String rest(EmbeddedChannel channel) {
    ByteBuf all = Unpooled.buffer();
    Object next = channel.readInbound();
    while (next != null) {
      ByteBuf bytes = (ByteBuf) next;
      all.writeBytes(bytes);
      bytes.release();
      next = channel.readInbound();
    }
    return all.toString(StandardCharsets.US_ASCII);
  }

  @Test
  void aHeaderComesBeforeWhatTheClientSays() {
    for (byte[] header : List.of(V1, v2(1))) {
      byte[] all = ByteBufUtil.getBytes(Unpooled.wrappedBuffer(header, login()));
      for (int piece : List.of(1, 7, header.length, all.length)) {
        EmbeddedChannel channel = send(all, piece);
        HAProxyMessage message = channel.readInbound();
        assertEquals("203.0.113.7", message.sourceAddress());
        message.release();
        assertEquals(LOGIN, rest(channel));
        assertNull(channel.pipeline().firstContext());
      }
    }
  }

  @Test
  void aClientWithoutALoadBalancerIsPassedOn() {
    for (int piece : List.of(1, 7, LOGIN.length())) {
      assertEquals(LOGIN, rest(send(login(), piece)));
    }
  }

  @Test
  void aHeaderThatIsWrongEndsTheConnection() {
    byte[] wrong = "PROXY TCP4 nobody nowhere 1 2\r\n".getBytes(StandardCharsets.US_ASCII);
    assertThrows(HAProxyProtocolException.class, () -> send(wrong, wrong.length));
  }

  @Test
  void theListSaysWhoIsTrusted() {
    TrustedProxies proxies = TrustedProxies.of(" 10.0.0.0/8, 192.0.2.1,fd00::/8 ");
    assertTrue(proxies.trusts(new InetSocketAddress("10.200.0.1", 1)));
    assertTrue(proxies.trusts(new InetSocketAddress("192.0.2.1", 1)));
    assertTrue(proxies.trusts(new InetSocketAddress("fd12::1", 1)));
    assertFalse(proxies.trusts(new InetSocketAddress("192.0.2.2", 1)));
    assertFalse(proxies.trusts(new InetSocketAddress("fe80::1", 1)));
    assertTrue(TrustedProxies.of("").isEmpty());
  }

  @Test
  void whatIsNoNetworkIsNamed() {
    for (String wrong : List.of("10.0.0.0/33", "localhost", "10.0.0.0/x", "10.0.0.0/-1", "1.2.3")) {
      AlraiException refused =
          assertThrows(AlraiException.class, () -> TrustedProxies.of("10.1.0.0/16," + wrong));
      assertTrue(refused.sentence().endsWith("not " + wrong), refused.sentence());
    }
  }
}
