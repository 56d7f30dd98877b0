package io.alrai.common.wire;

import io.netty.buffer.ByteBuf;

/**
 * Follows the packets of one reply and knows what each is and when the reply ends. The connection
 * must have CLIENT_DEPRECATE_EOF and no session tracking. Not thread-safe; reusable.
 *
 * <pre>
 * START -> OK | ERR | LOCAL_INFILE | COLUMN_COUNT -> COLUMN* LAST_COLUMN -> ROW* -> RESULT_END | ERR
 * OK, RESULT_END with MORE_RESULTS_EXISTS -> START
 * </pre>
 */
public final class ReplyFramer {
  private enum State {
    START,
    PARAMETERS,
    COLUMNS,
    ROWS,
    DONE
  }

  private ReplyKind kind = ReplyKind.STATUS;
  private State state = State.DONE;
  private int parameters;
  private int columns;
  private boolean continued;
  private int status;

  /** Starts to follow a reply. */
  public void begin(ReplyKind replyKind) {
    kind = replyKind;
    state = State.START;
    continued = false;
  }

  /** Whether the last packet seen ended the reply. */
  public boolean done() {
    return state == State.DONE;
  }

  /** Status flags of the last OK or RESULT_END. */
  public int status() {
    return status;
  }

  /**
   * Takes the next packet.
   *
   * @param payload index of its payload
   * @param length of its payload
   * @return what it is
   */
  public PacketKind accept(ByteBuf buf, int payload, int length) {
    if (continued) {
      continued = length == Packets.MAX_PAYLOAD;
      return PacketKind.ROW;
    }
    return switch (state) {
      case START -> start(buf, payload, length);
      case PARAMETERS -> {
        parameters--;
        if (parameters == 0) {
          state = columns > 0 ? State.COLUMNS : State.DONE;
        }
        yield PacketKind.PARAMETER;
      }
      case COLUMNS -> {
        columns--;
        if (columns > 0) {
          yield PacketKind.COLUMN;
        }
        state = kind == ReplyKind.PREPARE ? State.DONE : State.ROWS;
        yield PacketKind.LAST_COLUMN;
      }
      case ROWS -> row(buf, payload, length);
      case DONE -> throw new IllegalStateException("packet behind the end of a reply");
    };
  }

  private PacketKind start(ByteBuf buf, int payload, int length) {
    int first = length == 0 ? 0 : buf.getUnsignedByte(payload);
    if (first == 0xff) {
      state = State.DONE;
      return PacketKind.ERR;
    }
    return switch (kind) {
      case PREPARE -> {
        columns = buf.getUnsignedShortLE(payload + 5);
        parameters = buf.getUnsignedShortLE(payload + 7);
        state = parameters > 0 ? State.PARAMETERS : columns > 0 ? State.COLUMNS : State.DONE;
        yield PacketKind.PREPARE_OK;
      }
      case TEXT -> {
        state = State.DONE;
        yield PacketKind.TEXT;
      }
      case STATUS, RESULTS -> {
        if (first == 0x00 || (kind == ReplyKind.STATUS && first == 0xfe)) {
          afterOk(buf, payload);
          yield PacketKind.OK;
        }
        if (first == 0xfb) {
          yield PacketKind.LOCAL_INFILE;
        }
        columns = Math.toIntExact(Lenenc.value(buf, payload));
        state = State.COLUMNS;
        yield PacketKind.COLUMN_COUNT;
      }
    };
  }

  private PacketKind row(ByteBuf buf, int payload, int length) {
    int first = length == 0 ? 0 : buf.getUnsignedByte(payload);
    if (first == 0xfe && length < Packets.MAX_PAYLOAD) {
      afterOk(buf, payload);
      return PacketKind.RESULT_END;
    }
    if (first == 0xff) {
      state = State.DONE;
      return PacketKind.ERR;
    }
    continued = length == Packets.MAX_PAYLOAD;
    return PacketKind.ROW;
  }

  private void afterOk(ByteBuf buf, int payload) {
    int at = payload + 1;
    at += Lenenc.width(buf, at);
    at += Lenenc.width(buf, at);
    status = buf.getUnsignedShortLE(at);
    state =
        kind == ReplyKind.RESULTS && (status & ServerStatus.MORE_RESULTS_EXISTS) != 0
            ? State.START
            : State.DONE;
  }
}
