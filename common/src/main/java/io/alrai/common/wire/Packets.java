package io.alrai.common.wire;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * Whole packets.
 *
 * <pre>
 *  0       1       2       3       4
 * +-------+-------+-------+-------+----------------
 * | payload length (LE)   | seq   | payload ...
 * +-------+-------+-------+-------+----------------
 * </pre>
 *
 * A payload of 2^24-1 bytes or more goes on in the next packet.
 */
public final class Packets {
  /** Bytes before the payload. */
  public static final int HEADER = 4;

  /** Payload length of a packet that is continued by the next. */
  public static final int MAX_PAYLOAD = 0xffffff;

  private Packets() {}

  /** Starts a packet: its length is written by {@link #end}. Returns the header's index. */
  public static int begin(ByteBuf out, int sequence) {
    int header = out.writerIndex();
    out.writeMediumLE(0).writeByte(sequence);
    return header;
  }

  /** Ends a packet of less than 16 MiB that {@link #begin} started. */
  public static void end(ByteBuf out, int header) {
    int length = out.writerIndex() - header - HEADER;
    if (length >= MAX_PAYLOAD) {
      throw new IllegalStateException("packet needs splitting: " + length);
    }
    out.setMediumLE(header, length);
  }

  /** Writes a payload of any size as one or more packets; returns the next sequence number. */
  public static int write(ByteBuf out, int sequence, ByteBuf payload) {
    int next = sequence;
    int length;
    do {
      length = Math.min(payload.readableBytes(), MAX_PAYLOAD);
      out.writeMediumLE(length).writeByte(next++);
      out.writeBytes(payload, length);
    } while (length == MAX_PAYLOAD);
    return next;
  }

  /** Writes a command with its argument as one or more packets, from sequence 0. */
  public static void writeCommand(ByteBuf out, int command, byte[] argument) {
    int offset = 0;
    int sequence = 0;
    int room = MAX_PAYLOAD - 1;
    int length = Math.min(argument.length, room);
    out.writeMediumLE(length + 1).writeByte(sequence++).writeByte(command);
    out.writeBytes(argument, 0, length);
    offset += length;
    boolean full = length == room;
    while (full) {
      length = Math.min(argument.length - offset, MAX_PAYLOAD);
      out.writeMediumLE(length).writeByte(sequence++);
      out.writeBytes(argument, offset, length);
      offset += length;
      full = length == MAX_PAYLOAD;
    }
  }

  /** Writes an OK packet without session tracking. */
  public static void writeOk(ByteBuf out, int sequence, OkPacket ok) {
    writeOk(out, sequence, ok, StateChange.NONE);
  }

  /** Writes it with a change of the session's state, for a client with CLIENT_SESSION_TRACK. */
  public static void writeOk(ByteBuf out, int sequence, OkPacket ok, StateChange change) {
    writeOk(out, sequence, 0, ok, change);
  }

  private static void writeOk(
      ByteBuf out, int sequence, int first, OkPacket ok, StateChange change) {
    int header = begin(out, sequence);
    out.writeByte(first);
    Lenenc.write(out, ok.affectedRows());
    Lenenc.write(out, ok.lastInsertId());
    int changed = change.isNone() ? 0 : ServerStatus.SESSION_STATE_CHANGED;
    out.writeShortLE(ok.status() | changed).writeShortLE(ok.warnings());
    if (!ok.info().isEmpty() || !change.isNone()) {
      Lenenc.writeBytes(out, ok.info().getBytes(StandardCharsets.UTF_8));
    }
    if (!change.isNone()) {
      change.write(out);
    }
    end(out, header);
  }

  /** Writes an ERR packet. */
  public static void writeErr(
      ByteBuf out, int sequence, int errno, String sqlState, String message) {
    int header = begin(out, sequence);
    out.writeByte(0xff).writeShortLE(errno).writeByte('#');
    out.writeBytes(sqlState.getBytes(StandardCharsets.US_ASCII));
    byte[] text = message.getBytes(StandardCharsets.UTF_8);
    out.writeBytes(text, 0, Math.min(text.length, 65_000));
    end(out, header);
  }

  /** Writes the EOF packet of clients without CLIENT_DEPRECATE_EOF. */
  public static void writeEof(ByteBuf out, int sequence, int warnings, int status) {
    out.writeMediumLE(5).writeByte(sequence).writeByte(0xfe);
    out.writeShortLE(warnings).writeShortLE(status);
  }

  /** Writes the OK packet with header 0xFE that ends a result for CLIENT_DEPRECATE_EOF. */
  public static void writeResultEnd(ByteBuf out, int sequence, int warnings, int status) {
    out.writeMediumLE(7).writeByte(sequence).writeByte(0xfe).writeShortLE(0);
    out.writeShortLE(status).writeShortLE(warnings);
  }

  /** Writes it with a change of the session's state, for a client with CLIENT_SESSION_TRACK. */
  public static void writeResultEnd(
      ByteBuf out, int sequence, int warnings, int status, StateChange change) {
    if (change.isNone()) {
      writeResultEnd(out, sequence, warnings, status);
    } else {
      writeOk(out, sequence, 0xfe, new OkPacket(0, 0, status, warnings, ""), change);
    }
  }
}
