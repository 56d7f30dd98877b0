package io.alrai.optimizer.logical;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.TimestampString;

/**
 * A date or moment as text, in the plain forms only: {@code 1998-12-01} and {@code 1998-12-01
 * 10:20:30[.123456]}. MySQL's looser forms are left to it.
 *
 * @param time empty for a date
 */
record TemporalText(LocalDate day, Optional<LocalDateTime> time) {
  private static final Pattern FORM =
      Pattern.compile(
          "(\\d{4})-(\\d\\d)-(\\d\\d)(?:[ T](\\d\\d):(\\d\\d):(\\d\\d)(?:\\.(\\d{1,6}))?)?");
  private static final int NANOS_DIGITS = 9;

  static TemporalText parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new NotCovered("the string '" + text + "' as a date");
    }
    try {
      LocalDate day = LocalDate.of(number(form, 1), number(form, 2), number(form, 3));
      if (form.group(4) == null) {
        return new TemporalText(day, Optional.empty());
      }
      String fraction = form.group(7) == null ? "0" : form.group(7);
      int nanos = Integer.parseInt((fraction + "000000000").substring(0, NANOS_DIGITS));
      LocalDateTime time = day.atTime(number(form, 4), number(form, 5), number(form, 6), nanos);
      return new TemporalText(day, Optional.of(time));
    } catch (DateTimeException e) {
      throw new NotCovered("the string '" + text + "' as a date");
    }
  }

  private static int number(Matcher form, int group) {
    return Integer.parseInt(form.group(group));
  }

  RexNode literal(Expressions expressions) {
    return time.map(moment -> moment(moment, expressions)).orElseGet(() -> expressions.date(day));
  }

  /** A moment as a literal. */
  static RexNode moment(LocalDateTime moment, Expressions expressions) {
    TimestampString text =
        new TimestampString(
                moment.getYear(),
                moment.getMonthValue(),
                moment.getDayOfMonth(),
                moment.getHour(),
                moment.getMinute(),
                moment.getSecond())
            .withNanos(moment.getNano());
    int digits = 0;
    for (int nanos = moment.getNano(), unit = 1_000_000_000; nanos % unit != 0; unit /= 10) {
      digits++;
    }
    return expressions.moment(text, digits);
  }
}
