package io.alrai.dn.link;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;

/**
 * A decoder that hands on what it reads by itself, and stops when {@code autoRead} is turned off.
 * Its superclass asks the channel for more whenever it has not handed anything on, wanted or not.
 * Event loop only.
 */
public abstract class PausableDecoder extends ByteToMessageDecoder {
  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
    discardSomeReadBytes();
    ctx.fireChannelReadComplete();
  }
}
