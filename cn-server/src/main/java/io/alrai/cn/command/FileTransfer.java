package io.alrai.cn.command;

import io.alrai.cn.result.ResultWriter;
import io.alrai.cn.statement.StatementRun;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.Capability;
import io.alrai.common.wire.Packets;
import io.netty.buffer.ByteBuf;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the client for a file of its own (LOAD DATA LOCAL) and gives its bytes to a virtual thread.
 * The client sends packets until an empty one.
 */
final class FileTransfer {
  private static final Logger log = LoggerFactory.getLogger(FileTransfer.class);
  private static final int HIGH_WATER_PACKETS = 64;

  /** A client's packets may have 16 MiB each. */
  private static final int HIGH_WATER_BYTES = 1 << 20;

  private static final byte[] END = new byte[0];

  /** A mark: it is compared by identity. */
  private static final byte[] KILLED = new byte[0];

  private final ClientConnection connection;
  private final LinkedBlockingQueue<byte[]> pieces = new LinkedBlockingQueue<>();
  private final AtomicLong waitingBytes = new AtomicLong();
  private volatile boolean wanted;
  private volatile boolean aborted;
  private volatile int sequence;

  FileTransfer(ClientConnection connection) {
    this.connection = connection;
  }

  boolean wanted() {
    return wanted;
  }

  /** One packet of the file; event loop. */
  void packet(ByteBuf packet) {
    int at = packet.readerIndex();
    while (at < packet.writerIndex()) {
      int length = packet.getUnsignedMediumLE(at);
      sequence = packet.getUnsignedByte(at + 3);
      byte[] bytes = new byte[length];
      packet.getBytes(at + Packets.HEADER, bytes);
      at += Packets.HEADER + length;
      if (length == 0) {
        wanted = false;
        pieces.add(END);
      } else {
        waitingBytes.addAndGet(length);
        pieces.add(bytes);
      }
    }
    packet.release();
    if (pieces.size() > HIGH_WATER_PACKETS || waitingBytes.get() > HIGH_WATER_BYTES) {
      connection.channel().config().setAutoRead(false);
      // the reader may have taken all in between, and would wait for ever
      readOnIfLow();
    }
  }

  private void readOnIfLow() {
    if (pieces.size() < HIGH_WATER_PACKETS / 2 && waitingBytes.get() < HIGH_WATER_BYTES / 2) {
      connection.channel().config().setAutoRead(true);
    }
  }

  /** The client has left. */
  void abort() {
    if (wanted) {
      wanted = false;
      aborted = true;
      pieces.add(END);
    }
  }

  /**
   * KILL QUERY of a statement that waits for the file. The file is still read to its end.
   *
   * @return whether it does
   */
  boolean kill() {
    if (!wanted) {
      return false;
    }
    pieces.add(KILLED);
    return true;
  }

  /** File requests of the statement whose answer starts at a sequence number. */
  StatementRun.LocalInfile from(int firstSequence, ResultWriter writer) {
    return name -> open(name, firstSequence, writer);
  }

  private InputStream open(String name, int firstSequence, ResultWriter writer) {
    if (!connection.session().client().capabilities().has(Capability.LOCAL_FILES)) {
      throw new AlraiException(
          ErrorCode.ER_CLIENT_LOCAL_FILES_DISABLED,
          "Loading local data is disabled; this must be enabled on both the client and server"
              + " sides");
    }
    pieces.clear();
    waitingBytes.set(0);
    wanted = true;
    ByteBuf out = connection.channel().alloc().buffer(64);
    int header = Packets.begin(out, firstSequence);
    out.writeByte(0xfb);
    out.writeCharSequence(name, StandardCharsets.UTF_8);
    Packets.end(out, header);
    connection.output().send(out);
    return new FileStream(writer);
  }

  private final class FileStream extends InputStream {
    private byte[] piece = new byte[0];
    private int at;
    private boolean ended;
    private boolean draining;
    private final ResultWriter writer;

    FileStream(ResultWriter writer) {
      this.writer = writer;
    }

    @Override
    public int read() {
      return fill() ? piece[at++] & 0xff : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      if (!fill()) {
        return -1;
      }
      int count = Math.min(length, piece.length - at);
      System.arraycopy(piece, at, into, offset, count);
      at += count;
      return count;
    }

    private boolean fill() {
      while (!ended && at == piece.length) {
        piece = next();
        at = 0;
        ended = piece.length == 0;
        waitingBytes.addAndGet(-piece.length);
        if (ended && aborted) {
          throw new AlraiException(ErrorCode.CR_SERVER_LOST, "the client left within its file");
        }
        writer.continueFrom(sequence + 1);
        readOnIfLow();
      }
      return !ended;
    }

    /** Waits for the client for {@code net_read_timeout} seconds. */
    private byte[] next() {
      long seconds = connection.session().own().netReadSeconds();
      byte[] next;
      try {
        next = pieces.poll(seconds, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw AlraiException.interruption(e);
      }
      if (next == null) {
        ended = true;
        log.warn(
            "the client {} has sent nothing of its file for {} s (net_read_timeout): its connection"
                + " is closed",
            connection.channel().remoteAddress(),
            seconds);
        connection.services().clients().statementCounts().clientTimeouts().increment();
        connection.channel().close();
        throw new AlraiException(
            ErrorCode.ER_NET_READ_INTERRUPTED, "Got timeout reading communication packets");
      }
      if (next != KILLED) {
        return next;
      }
      if (!draining) {
        throw AlraiException.interruption();
      }
      return next();
    }

    /** Reads what the client still sends, so that the connection stays in step; KILL or not. */
    @Override
    public void close() {
      draining = true;
      while (fill()) {
        at = piece.length;
      }
    }
  }
}
