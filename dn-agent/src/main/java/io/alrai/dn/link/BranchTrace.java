package io.alrai.dn.link;

import io.netty.buffer.ByteBuf;

/**
 * Hears of what is sent on a branch, for the trace of a statement. The branch's event loop only.
 */
public interface BranchTrace {
  /**
   * A command is being sent.
   *
   * @param command of one or more packets, to be read without changing it
   * @param sink of its reply
   * @return the sink to use instead
   */
  ReplySink sent(ByteBuf command, ReplySink sink);
}
