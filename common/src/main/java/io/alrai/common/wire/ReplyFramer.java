package io.alrai.common.wire;

import io.netty.buffer.ByteBuf;

/**
 * Follows the packets of one reply and knows what each is and when the reply ends. The connection
 * must have CLIENT_DEPRECATE_EOF, and no session tracking. A packet that cannot come where it comes
 * is a {@link Violation}: after it, packets of one reply could be taken for those of another. So is
 * a question for a file, but after {@link ReplyKind#FILE}. Not thread-safe; reusable.
 *
 * <pre>
 * START -> OK | ERR | COLUMN_COUNT -> COLUMN* LAST_COLUMN -> ROW* -> RESULT_END | ERR
 * START -> FILE_WANTED -> OK | ERR, for files only
 * OK, RESULT_END with MORE_RESULTS_EXISTS -> START, for replies with several results only
 * </pre>
 */
public final class ReplyFramer {
  private static final int MOST_COLUMNS = 4096;

  /** Begins a question for a file. */
  private static final int FILE_MARK = 0xfb;

  /** Of PREPARE_OK: status, number, columns, parameters, a filler, warnings. */
  private static final int PREPARE_OK_BYTES = 12;

  /** 0xFF and the number of the error. */
  private static final int LEAST_ERR_BYTES = 3;

  /** A definition begins with its catalog, which is always {@code def}. */
  private static final int CATALOG_LENGTH = 3;

  /** The server does not keep to the protocol, or what comes is not what was asked for. */
  public static final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With what was wrong. */
    public Violation(String what) {
      super(what);
    }
  }

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
  private boolean fileWanted;
  private int status;

  /** Starts to follow a reply. */
  public void begin(ReplyKind replyKind) {
    kind = replyKind;
    state = State.START;
    continued = false;
    fileWanted = false;
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
   * @throws Violation when it cannot come here; the framer is of no use then
   */
  public PacketKind accept(ByteBuf buf, int payload, int length) {
    if (continued) {
      continued = length == Packets.MAX_PAYLOAD;
      return PacketKind.ROW;
    }
    return switch (state) {
      case START -> start(buf, payload, length);
      case PARAMETERS, COLUMNS -> definition(buf, payload, length);
      case ROWS -> row(buf, payload, length);
      case DONE -> throw new Violation("a packet after the end of a reply");
    };
  }

  private PacketKind start(ByteBuf buf, int payload, int length) {
    if (kind == ReplyKind.TEXT && length == 0) {
      state = State.DONE;
      return PacketKind.TEXT;
    }
    int first = first(buf, payload, length);
    if (first == 0xff) {
      return error(length);
    }
    return switch (kind) {
      case PREPARE -> prepared(buf, payload, length);
      case TEXT -> {
        state = State.DONE;
        yield PacketKind.TEXT;
      }
      case FILE -> {
        if (first == FILE_MARK && !fileWanted) {
          fileWanted = true;
          yield PacketKind.FILE_WANTED;
        }
        if (first != 0x00) {
          throw new Violation("a result where there can be none");
        }
        afterOk(buf, payload, length);
        yield PacketKind.OK;
      }
      case STATUS -> {
        if (first != 0x00 && first != 0xfe) {
          throw new Violation("a result where there can be none");
        }
        afterOk(buf, payload, length);
        yield PacketKind.OK;
      }
      case RESULTS, SEVERAL -> {
        if (first == 0x00) {
          afterOk(buf, payload, length);
          yield PacketKind.OK;
        }
        columns = columnCount(buf, payload, length);
        state = State.COLUMNS;
        yield PacketKind.COLUMN_COUNT;
      }
    };
  }

  private static int first(ByteBuf buf, int payload, int length) {
    if (length == 0) {
      throw new Violation("an empty packet");
    }
    return buf.getUnsignedByte(payload);
  }

  private PacketKind error(int length) {
    if (length < LEAST_ERR_BYTES) {
      throw new Violation("an error without a number");
    }
    state = State.DONE;
    return PacketKind.ERR;
  }

  private PacketKind prepared(ByteBuf buf, int payload, int length) {
    if (length < PREPARE_OK_BYTES || buf.getUnsignedByte(payload) != 0) {
      throw new Violation("no answer to a PREPARE");
    }
    columns = buf.getUnsignedShortLE(payload + 5);
    parameters = buf.getUnsignedShortLE(payload + 7);
    state = parameters > 0 ? State.PARAMETERS : columns > 0 ? State.COLUMNS : State.DONE;
    return PacketKind.PREPARE_OK;
  }

  private static int columnCount(ByteBuf buf, int payload, int length) {
    int first = buf.getUnsignedByte(payload);
    if (first == FILE_MARK) {
      throw new Violation("it asks for a file of this host");
    }
    long count = Lenenc.width(first) == length ? Lenenc.value(buf, payload) : 0;
    if (count < 1 || count > MOST_COLUMNS) {
      throw new Violation("no number of columns");
    }
    return (int) count;
  }

  private PacketKind definition(ByteBuf buf, int payload, int length) {
    int first = first(buf, payload, length);
    if (first == 0xff) {
      return error(length);
    }
    if (first != CATALOG_LENGTH) {
      throw new Violation("no definition of a column");
    }
    if (state == State.PARAMETERS) {
      parameters--;
      if (parameters == 0) {
        state = columns > 0 ? State.COLUMNS : State.DONE;
      }
      return PacketKind.PARAMETER;
    }
    columns--;
    if (columns > 0) {
      return PacketKind.COLUMN;
    }
    state = kind == ReplyKind.PREPARE ? State.DONE : State.ROWS;
    return PacketKind.LAST_COLUMN;
  }

  private PacketKind row(ByteBuf buf, int payload, int length) {
    int first = first(buf, payload, length);
    if (first == 0xfe && length < Packets.MAX_PAYLOAD) {
      afterOk(buf, payload, length);
      return PacketKind.RESULT_END;
    }
    if (first == 0xff) {
      return error(length);
    }
    continued = length == Packets.MAX_PAYLOAD;
    return PacketKind.ROW;
  }

  private void afterOk(ByteBuf buf, int payload, int length) {
    int end = payload + length;
    int at = behindNumber(buf, behindNumber(buf, payload + 1, end), end);
    if (at + 4 > end) {
      throw new Violation("an OK that is cut off");
    }
    status = buf.getUnsignedShortLE(at);
    boolean more = (status & ServerStatus.MORE_RESULTS_EXISTS) != 0;
    if (more && kind != ReplyKind.RESULTS && kind != ReplyKind.SEVERAL) {
      throw new Violation("several results where there can be but one");
    }
    state = more ? State.START : State.DONE;
  }

  private static int behindNumber(ByteBuf buf, int at, int end) {
    if (at >= end) {
      throw new Violation("an OK that is cut off");
    }
    return at + Lenenc.width(buf, at);
  }
}
