package io.alrai.cn.write;

import io.alrai.cn.session.Session;
import io.alrai.cn.statement.Sequences;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.executor.fragment.InsertRows.AutoIncrement;

/**
 * The AUTO_INCREMENT ids of one statement's rows, in their order, as a mysqld makes them under
 * innodb_autoinc_lock_mode = 2 ({@code handler::update_auto_increment}): numbers are reserved for
 * the first row that has none, and again where they are used up or where a number of the client's
 * own has led beyond them. Beyond the largest number of the column's type there are none (1467),
 * but whoever reserves some there gets the largest once more. One thread.
 */
final class RowIds {
  private static final int MOST_DOUBLINGS = 16;

  private final Sequences sequences;
  private final AutoIncrement auto;
  private final Session session;
  private final long estimate;
  private final long increment;
  private final long offset;
  private int reservations;

  /** How many rows that are not written yet have reserved numbers. */
  private long awaited;

  private long next;

  /** The first number that is not reserved. */
  private long end;

  private long highest;
  private boolean ofSession;

  /**
   * The ids of a statement that has no rows yet.
   *
   * @param estimate how many rows there will be; 0 where that is not known
   */
  RowIds(Sequences sequences, AutoIncrement auto, Session session, long estimate) {
    this.sequences = sequences;
    this.auto = auto;
    this.session = session;
    this.estimate = estimate;
    this.increment = setting("auto_increment_increment");
    this.offset = setting("auto_increment_offset") % increment;
  }

  private long setting(String variable) {
    String literal = session.variables().settings().literal(variable);
    return literal.isEmpty() ? 1 : Long.parseLong(literal);
  }

  /**
   * The id of the next row, which has none of its own.
   *
   * @throws AlraiException 1467 where there is none
   */
  long make() {
    if (next >= end) {
      reserve();
    }
    if (next > auto.largest()) {
      throw none();
    }
    long id = next;
    next = after(id);
    if (ofSession) {
      highest = Math.max(highest, id);
    }
    awaited = Math.max(0, awaited - 1);
    return id;
  }

  /** The next row has an id of its own. */
  void given(long id) {
    long stored = Math.min(id, auto.largest());
    highest = Math.max(highest, stored);
    awaited = Math.max(0, awaited - 1);
    if (reservations > 0 && stored >= next) {
      next = after(stored);
    }
  }

  /** Makes the sequence continue above the ids that rows so far had of their own. */
  void passOver() {
    if (highest > 0) {
      passOver(highest);
    }
  }

  private void reserve() {
    long wanted = reservations == 0 ? session.own().takeInsertId() : 0;
    if (wanted != 0) {
      ofSession = true;
      reservations++;
      next = wanted;
      end = Long.MAX_VALUE;
      return;
    }
    if (awaited == 0) {
      awaited =
          reservations == 0 ? Math.max(1, estimate) : 1L << Math.min(reservations, MOST_DOUBLINGS);
    }
    reservations++;
    highest = Math.max(highest, next - 1);
    passOver();
    long count = awaited * increment;
    next = Math.min(aligned(first(count)), auto.largest());
    end = next > Long.MAX_VALUE - count ? Long.MAX_VALUE : next + count;
    if (increment > 1) {
      passOver(end - 1);
    }
  }

  private long first(long count) {
    try {
      return sequences.take(auto.sequence(), count);
    } catch (AlraiException e) {
      if (!isEnd(e)) {
        throw e;
      }
      if (auto.unsigned()) {
        throw none();
      }
      return auto.largest();
    }
  }

  private void passOver(long id) {
    try {
      sequences.passOver(auto.sequence(), Math.min(id, Long.MAX_VALUE - 1));
    } catch (AlraiException e) {
      if (!isEnd(e)) {
        throw e;
      }
    }
  }

  private static AlraiException none() {
    return new AlraiException(
        ErrorCode.ER_AUTOINC_READ_FAILED,
        "Failed to read auto-increment value from storage engine");
  }

  /** Whether the sequence has no more numbers. */
  private static boolean isEnd(AlraiException error) {
    return error.is(ErrorCode.ER_AUTOINC_READ_FAILED);
  }

  private long after(long id) {
    return id == Long.MAX_VALUE ? id : aligned(id + 1);
  }

  /** The first number of the session's that is not below. */
  private long aligned(long from) {
    if (increment == 1) {
      return from;
    }
    return from + Math.floorMod(offset - from, increment);
  }
}
