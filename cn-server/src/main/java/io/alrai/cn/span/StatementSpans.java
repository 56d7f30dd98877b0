package io.alrai.cn.span;

import io.alrai.cn.session.Session;
import io.alrai.cn.span.EndedStatement.EndedStep;
import io.alrai.cn.trace.TraceStep;
import io.alrai.optimizer.api.text.LexicalMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Chooses which statements become spans: those whose client's part is recorded, a share of those
 * that bring no parent, and all that were slow. Event loops; thread-safe.
 */
public final class StatementSpans {
  /** More steps of a statement are left out. */
  private static final int MOST_STEPS = 100;

  private static final Pattern NUMBER = Pattern.compile("(\\d+): ");

  private final double ratio;
  private final DoubleSupplier random;
  private final Function<EndedStatement, String> out;

  /**
   * Spans of some statements.
   *
   * @param ratio of those without a parent, 0 to 1
   * @param random from 0 to below 1
   * @param out never waits; says the id of the trace that it is part of
   */
  StatementSpans(double ratio, DoubleSupplier random, Function<EndedStatement, String> out) {
    this.ratio = ratio;
    this.random = random;
    this.out = out;
  }

  /** A statement that becomes spans. */
  public static final class Chosen {
    /** Whom it belongs to; null for nobody. */
    private final @Nullable TraceParent parent;

    private Chosen(@Nullable TraceParent parent) {
      this.parent = parent;
    }
  }

  /**
   * How a statement ended.
   *
   * @param millis when, since 1970
   * @param rows that its client got
   * @param errno that its client got; 0 for none
   */
  public record End(long millis, String schema, String path, long nanos, long rows, int errno) {}

  /**
   * Whether a statement that has ended becomes spans.
   *
   * @param sql as its client sent it
   * @param attribute the query attribute {@code traceparent}; null where the client sent none
   * @param slow by {@code long_query_time}
   * @return null where it does not
   */
  public @Nullable Chosen choose(byte[] sql, int length, @Nullable String attribute, boolean slow) {
    TraceParent parent = attribute == null ? null : TraceParent.of(attribute);
    if (parent == null) {
      parent = TraceParent.inComment(sql, length);
    }
    boolean chosen = parent == null ? random.getAsDouble() < ratio : parent.sampled();
    return chosen || slow ? new Chosen(parent) : null;
  }

  /**
   * A statement has ended that was chosen.
   *
   * @param sql as its client sent it
   * @param steps first the statement itself, as {@link io.alrai.cn.trace.SessionTrace} has them
   * @return the id of the trace that it is part of
   */
  public String ended(
      Session session, byte[] sql, int length, Chosen chosen, End end, List<TraceStep> steps) {
    LexicalMode mode = session.variables().lexicalMode();
    LexicalMode sent =
        new LexicalMode(StandardCharsets.UTF_8, mode.ansiQuotes(), mode.noBackslashEscapes());
    List<EndedStep> asked = new ArrayList<>();
    for (TraceStep step : steps.subList(Math.min(1, steps.size()), steps.size())) {
      if (asked.size() < MOST_STEPS) {
        asked.add(new EndedStep(step, text(step.text(), mode, sent), error(step)));
      }
    }
    return out.apply(
        new EndedStatement(
            SpanText.of(sql, length, mode),
            end.schema(),
            session.user().identity().access().user(),
            end.path(),
            end.millis(),
            end.nanos(),
            end.rows(),
            end.errno(),
            chosen.parent,
            asked));
  }

  /** Texts were kept as if they were UTF-8; where they are not, strings may seem to end early. */
  private static String text(String kept, LexicalMode mode, LexicalMode sent) {
    boolean exact =
        mode.charset().equals(StandardCharsets.UTF_8)
            || kept.chars().allMatch(letter -> letter < 0x80);
    byte[] text = kept.getBytes(StandardCharsets.UTF_8);
    return exact ? SpanText.of(text, text.length, sent) : SpanText.verb(kept) + " ...";
  }

  /** Sentences of errors have values in them. */
  private static String error(TraceStep step) {
    String sentence = step.error();
    if (sentence == null) {
      return "";
    }
    Matcher number = NUMBER.matcher(sentence);
    return number.lookingAt() ? number.group(1) : "failed";
  }
}
