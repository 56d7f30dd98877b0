package io.alrai.cn.session;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What STMT_SEND_LONG_DATA has sent ahead of an execution, by parameter. That command has no
 * answer: what is wrong with it is reported by the next execution, until STMT_RESET (MySQL's
 * protocol documentation). All of a process has a bound. Event loop only.
 */
public final class LongData {
  /** What all sessions may still send ahead, bytes on the heap. */
  private static final AtomicLong ROOM = new AtomicLong(Runtime.getRuntime().maxMemory() / 4);

  private final AtomicLong room;
  private final Map<Integer, ByteArrayOutputStream> sent = new HashMap<>();
  private Optional<AlraiException> refusal = Optional.empty();
  private long taken;

  LongData() {
    this(ROOM);
  }

  LongData(AtomicLong room) {
    this.room = room;
  }

  /**
   * Takes more of a value.
   *
   * @param parameters how many the statement has
   * @param most bytes of one value: max_allowed_packet
   */
  public void add(int parameter, int parameters, ByteBuf data, int most) {
    if (refusal.isPresent()) {
      return;
    }
    ByteArrayOutputStream before = sent.get(parameter);
    int size = data.readableBytes();
    if (parameter >= parameters) {
      refuse(ErrorCode.ER_WRONG_ARGUMENTS, "Incorrect arguments to mysqld_stmt_send_long_data");
    } else if ((before == null ? 0 : before.size()) + (long) size > most) {
      refuse(
          ErrorCode.ER_UNKNOWN_ERROR,
          "Parameter of prepared statement which is set through mysql_send_long_data() is longer"
              + " than 'max_allowed_packet' bytes");
    } else if (!take(2L * size)) { // an array that grows has up to twice of what is in it
      refuse(
          ErrorCode.ER_OUT_OF_RESOURCES,
          "Out of memory: the CN has no room for what is sent ahead of statements now; send less"
              + " at once, or give the CN more memory");
    } else {
      ByteArrayOutputStream value = before == null ? new ByteArrayOutputStream(size) : before;
      byte[] bytes = new byte[size];
      data.readBytes(bytes);
      value.writeBytes(bytes);
      sent.put(parameter, value);
    }
  }

  private boolean take(long bytes) {
    if (room.addAndGet(-bytes) < 0) {
      room.addAndGet(bytes);
      return false;
    }
    taken += bytes;
    return true;
  }

  private void refuse(ErrorCode code, String sentence) {
    clear();
    refusal = Optional.of(new AlraiException(code, sentence));
  }

  /**
   * Before an execution.
   *
   * @throws AlraiException why something that was sent could not be taken
   */
  public void check() {
    if (refusal.isPresent()) {
      throw refusal.get();
    }
  }

  /** Whether nothing was sent. */
  public boolean isEmpty() {
    return sent.isEmpty();
  }

  /** The value of a parameter, as far as it was sent; null if nothing was. */
  public byte @Nullable [] get(int parameter) {
    ByteArrayOutputStream value = sent.get(parameter);
    return value == null ? null : value.toByteArray();
  }

  /** All values, by parameter. */
  public void forEach(BiConsumer<Integer, byte[]> taker) {
    sent.forEach((parameter, value) -> taker.accept(parameter, value.toByteArray()));
  }

  /** They have been executed, or are not wanted any more. */
  public void clear() {
    sent.clear();
    room.addAndGet(taken);
    taken = 0;
  }

  /** STMT_RESET: also what was wrong is forgotten. */
  public void reset() {
    clear();
    refusal = Optional.empty();
  }
}
