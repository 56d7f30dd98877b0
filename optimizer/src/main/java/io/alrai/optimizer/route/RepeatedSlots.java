package io.alrai.optimizer.route;

import io.alrai.executor.fragment.SqlTemplate.Piece;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.shardsql.TextEdits;
import java.security.SecureRandom;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Slots that a reshaped text has in a second place, too. As slots are counted from the beginning of
 * the text, a number stands there that nobody can guess: a client who could write it within a
 * string would have the text of another literal there, and what that has would be SQL.
 */
public final class RepeatedSlots {
  private static final String PREFIX =
      Long.toString(new SecureRandom().nextLong(1_000_000_000_000L, 10_000_000_000_000L));

  private static final int MOST = 99_999;
  private static final Pattern MARK = Pattern.compile("\\b" + PREFIX + "(\\d{5})\\b");

  private RepeatedSlots() {}

  /** What stands for a slot. */
  public static String mark(int slot) {
    if (slot > MOST) {
      throw Planning.unsupported("so many values beside a subquery; write fewer rows at once");
    }
    return PREFIX + String.format(Locale.ROOT, "%05d", slot);
  }

  /** Puts the slots where their marks are. */
  static void edit(String text, TextEdits edits) {
    Matcher mark = MARK.matcher(text);
    while (mark.find()) {
      edits.replace(
          new Span(mark.start(), mark.end()), new Piece.Slot(Integer.parseInt(mark.group(1))));
    }
  }
}
