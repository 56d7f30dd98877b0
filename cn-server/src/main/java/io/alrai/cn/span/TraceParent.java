package io.alrai.cn.span;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The span of a client that a statement belongs to (W3C Trace Context, version 00), as a query
 * attribute {@code traceparent} or in a comment as sqlcommenter writes it: {@code
 * /*traceparent='00-TRACE-SPAN-FLAGS'*}{@code /}.
 *
 * @param traceId 32 hexadecimal digits
 * @param spanId 16 of them
 * @param sampled whether the client's part is recorded
 */
record TraceParent(String traceId, String spanId, boolean sampled) {
  /** Comments are looked for at both ends of a text, and no further in. */
  private static final int LOOKED_AT = 1_024;

  private static final String FORM = "00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})";
  private static final Pattern WHOLE = Pattern.compile(FORM);
  private static final Pattern IN_COMMENT = Pattern.compile("traceparent='" + FORM + "'");
  private static final Pattern ZEROS = Pattern.compile("0+");

  /** What a text says; null where it has another form. */
  static @Nullable TraceParent of(String text) {
    Matcher matcher = WHOLE.matcher(text);
    return matcher.matches() ? of(matcher) : null;
  }

  private static @Nullable TraceParent of(Matcher matcher) {
    String trace = matcher.group(1);
    String span = matcher.group(2);
    boolean none = ZEROS.matcher(trace).matches() || ZEROS.matcher(span).matches();
    int flags = Integer.parseInt(matcher.group(3), 16);
    return none ? null : new TraceParent(trace, span, (flags & 1) != 0);
  }

  /** What a comment at the begin or the end of a statement says; null for nothing. */
  static @Nullable TraceParent inComment(byte[] sql, int length) {
    TraceParent last = inComment(sql, Math.max(0, length - LOOKED_AT), length);
    return last == null && length > LOOKED_AT ? inComment(sql, 0, LOOKED_AT) : last;
  }

  private static @Nullable TraceParent inComment(byte[] sql, int from, int to) {
    if (!hasComment(sql, from, to)) {
      return null; // as nearly all statements have none
    }
    String text = new String(sql, from, to - from, StandardCharsets.ISO_8859_1);
    Matcher matcher = IN_COMMENT.matcher(text);
    while (matcher.find()) {
      int begin = text.lastIndexOf("/*", matcher.start());
      if (begin >= 0 && begin > text.lastIndexOf("*/", matcher.start())) {
        return of(matcher);
      }
    }
    return null;
  }

  private static boolean hasComment(byte[] sql, int from, int to) {
    for (int i = from; i < to - 1; i++) {
      if (sql[i] == '/' && sql[i + 1] == '*') {
        return true;
      }
    }
    return false;
  }
}
