package io.alrai.cn.command;

import io.alrai.cn.session.Session;
import io.alrai.common.error.AlraiException;
import io.netty.channel.Channel;

/** The client whose command is at work, as seen by whoever answers it. Event loop only. */
interface CommandClient {
  /** Its connection. */
  Channel channel();

  /** Its session; there is one after the login. */
  Session session();

  /** The sequence number of the answer's first packet. */
  int firstSequence();

  /** The command has ended: the next may come. */
  void done();

  /** Ends the command with an error packet. */
  void fail(AlraiException error, int sequence);
}
