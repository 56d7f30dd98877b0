package io.alrai.cn.select;

import io.alrai.cn.statement.StatementRun;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.executor.fragment.MergePlan.Limit;
import io.alrai.executor.fragment.SlotValues;
import io.alrai.optimizer.api.text.SyntaxError;
import java.nio.charset.StandardCharsets;

/** LIMIT as a statement writes it, with numbers or parameters. */
final class WrittenLimit {
  private WrittenLimit() {}

  /** Refuses a number with a sign, a fraction or quotes: it is no number of rows. */
  static void requireDigits(StatementRun run, Limit limit) {
    for (int slot : new int[] {limit.offsetSlot(), limit.countSlot()}) {
      if (slot >= 0 && !run.statement().isParameter(slot)) {
        String written = run.statement().slotText(slot);
        if (!written.chars().allMatch(c -> c >= '0' && c <= '9')) {
          byte[] text = run.statement().text().getBytes(StandardCharsets.UTF_8);
          int start = run.statement().slotStart(slot);
          throw SyntaxError.at(
              run.statement().text(), new String(text, 0, start, StandardCharsets.UTF_8).length());
        }
      }
    }
  }

  /** How many rows a shard needs to give: those to skip, too; -1 for all. */
  static long rows(Limit limit, SlotValues values) {
    long sum = offset(limit, values) + count(limit, values);
    return sum < 0 ? -1 : sum;
  }

  /** How many rows to skip. */
  static long offset(Limit limit, SlotValues values) {
    return number(limit.offsetSlot(), limit.offset(), values);
  }

  /** How many rows to give at most. */
  static long count(Limit limit, SlotValues values) {
    return number(limit.countSlot(), limit.count(), values);
  }

  private static long number(int slot, long constant, SlotValues values) {
    if (slot < 0) {
      return constant;
    }
    try {
      return values.fitsLong(slot) ? values.longValue(slot) : Long.MAX_VALUE;
    } catch (NumberFormatException e) {
      throw new AlraiException(ErrorCode.ER_WRONG_ARGUMENTS, "Incorrect arguments to EXECUTE", e);
    }
  }
}
