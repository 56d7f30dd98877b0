package io.alrai.cn.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.ProtocolDetectionState;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import java.util.List;

/**
 * Looks at the first bytes of a trusted peer. A load balancer begins with a header of the PROXY
 * protocol, version 1 or 2, which becomes a message for the next handler; a client that comes
 * without a load balancer begins with its login, which is passed on. The greeting waits for
 * neither. Event loop only.
 */
final class ProxyHeader extends ByteToMessageDecoder {
  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    ProtocolDetectionState state = HAProxyMessageDecoder.detectProtocol(in).state();
    if (state == ProtocolDetectionState.NEEDS_MORE_DATA && mayBecomeOne(in)) {
      return;
    }
    if (state == ProtocolDetectionState.DETECTED) {
      ctx.pipeline().addAfter(ctx.name(), "proxy", new HAProxyMessageDecoder());
    }
    ctx.pipeline().remove(this);
  }

  /**
   * A login is longer than the bytes that tell the two versions apart, so fewer bytes may still
   * become a header.
   */
  private static boolean mayBecomeOne(ByteBuf in) {
    int first = in.getUnsignedByte(in.readerIndex());
    return first == 'P' || first == '\r';
  }
}
