package io.alrai.cn.load;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.type.CharacterBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the bytes of a file into lines of fields, as a mysqld does ({@code READ_INFO} of
 * sql_load.cc; MySQL manual, "LOAD DATA Statement", "Field and Line Handling"). What follows the
 * fields that are wanted is skipped to the end of the line, in which quotes mean nothing. Bytes
 * stay where they are until the next line. One thread.
 *
 * <pre>
 * | lines before | start | field | fieldEnd | "field" | .. | lineEnd | bytes to come |
 *                        ^ from             positions count from here
 * </pre>
 */
public final class LineScanner {
  private static final int NONE = -1;
  private static final int ER_INVALID_CHARACTER_STRING = 1300;

  /** A line of more bytes is none: its end does not come, or the CN has no room for it. */
  private static final int MOST_LINE = 64 << 20;

  private static final byte[] NULL = {'N', 'U', 'L', 'L'};

  private final InputStream in;
  private final byte[] fieldEnd;
  private final byte[] lineStart;
  private final byte[] lineEnd;
  private final int quote;
  private final int escape;
  private final CharacterBytes characters;
  private final boolean[] special = new boolean[256];

  /** Whether a line that is skipped is as many fields as a row has. */
  private final boolean skipsFields;

  /** Those of the rest of a line, in which characters need not be whole. */
  private final boolean[] specialInRest;

  private byte[] buffer = new byte[1 << 16];
  private int from;
  private int limit;
  private boolean ended;

  // the present line:
  private final int[] starts;
  private final int[] ends;
  private final boolean[] quoted;
  private final boolean[] plain;
  private int count;
  private int length;
  private boolean atLineEnd;
  private boolean cut;

  /**
   * Lines of a stream.
   *
   * @param charset MySQL's name of the file's character set
   * @param fields how many of each line are wanted, one at least
   * @throws AlraiException 1235 for rows of fixed size
   */
  public LineScanner(InputStream in, FileMarks marks, String charset, int fields) {
    this.in = in;
    this.fieldEnd = marks.fieldEnd();
    this.lineStart = marks.lineStart();
    byte[] end = marks.lineEnd();
    this.lineEnd = Arrays.equals(end, fieldEnd) ? new byte[0] : end;
    this.skipsFields = end.length == 0;
    this.quote = first(marks.quote());
    this.escape = first(marks.escape());
    if (fieldEnd.length == 0) {
      throw AlraiException.unsupported(
          "'LOAD DATA' with rows of fixed size; give FIELDS TERMINATED BY");
    }
    this.characters = CharacterBytes.of(charset);
    boolean ascii = true;
    for (int each : new int[] {fieldEnd[0] & 0xff, first(lineEnd), quote, escape}) {
      if (each != NONE) {
        special[each] = true;
        ascii &= each < 0x80;
      }
    }
    this.specialInRest = special.clone();
    addFirstBytes(specialInRest);
    if (!ascii || characters.hasAscii()) {
      addFirstBytes(special);
    }
    this.starts = new int[fields];
    this.ends = new int[fields];
    this.quoted = new boolean[fields];
    this.plain = new boolean[fields];
  }

  private void addFirstBytes(boolean[] bytes) {
    for (int each = 0x80; each < bytes.length; each++) {
      bytes[each] |= characters.isFirst(each);
    }
  }

  private static int first(byte[] text) {
    return text.length == 0 ? NONE : text[0] & 0xff;
  }

  /** Skips a line, whatever its fields are; false at the end of the file. */
  public boolean skip() {
    if (lineEnd.length == 0) {
      return skipsFields ? next() : peek(0) != NONE;
    }
    advance();
    while (true) {
      from += nextSpecial();
      int here = peek(0);
      if (here == NONE) {
        return false;
      }
      int last = characters.isFirst(here) ? last(0) : 0;
      if (endsLine(last)) {
        from += last + lineEnd.length;
        return peek(0) != NONE;
      }
      from +=
          last > 0 ? Math.min(last + 1, limit - from) : here == escape && peek(1) != NONE ? 2 : 1;
    }
  }

  /** How far it is to what may be special in a line that is skipped; lets go what is before it. */
  private int nextSpecial() {
    while (true) {
      int i = from;
      while (i < limit && !specialInRest[buffer[i] & 0xff]) {
        i++;
      }
      if (i < limit) {
        return i - from;
      }
      from = i;
      if (!fill()) {
        return 0;
      }
    }
  }

  /** Moves to the next line; false at the end of the file. */
  public boolean next() {
    advance();
    if (!toLineStart() || peek(0) == NONE) {
      return false;
    }
    int at = 0;
    while (count < starts.length && !atLineEnd) {
      at = field(at);
    }
    length = atLineEnd ? at : rest(at);
    return true;
  }

  private void advance() {
    from += length;
    length = 0;
    count = 0;
    atLineEnd = false;
    cut = false;
  }

  /** Moves past the next LINES STARTING BY. */
  private boolean toLineStart() {
    if (lineStart.length == 0) {
      return true;
    }
    while (!matches(lineStart, 0)) {
      if (peek(0) == NONE) {
        return false;
      }
      from++;
    }
    from += lineStart.length;
    return true;
  }

  /** Takes a field, and gives where the next one begins. */
  private int field(int begin) {
    int first = peek(begin);
    if (first == NONE) {
      atLineEnd = true;
      return begin;
    }
    boolean enclosed = first == quote;
    int at = enclosed ? begin + 1 : begin;
    int escaped = NONE;
    plain[count] = true;
    while (true) {
      at = at == escaped ? at : nextSpecial(at, special);
      int here = peek(at);
      if (here == NONE) {
        // what is not closed keeps its quote
        atLineEnd = true;
        return add(begin, at, false, at);
      }
      int after = here == escape || here == quote ? peek(at + 1) : NONE;
      if (here == escape && after == NONE) {
        at++;
      } else if (here == escape && (escape != quote || after == escape)) {
        plain[count] = false;
        escaped = characters.isFirst(after) ? at + 1 : NONE;
        at += escaped == NONE ? 2 : 1;
      } else if (enclosed && here == quote && after == quote) {
        plain[count] = false;
        at += 2;
      } else if (enclosed && here == quote && (after == NONE || matches(lineEnd, at + 1))) {
        atLineEnd = true;
        return add(begin + 1, at, true, at + 1 + (after == NONE ? 0 : lineEnd.length));
      } else if (enclosed && here == quote && matches(fieldEnd, at + 1)) {
        return add(begin + 1, at, true, at + 1 + fieldEnd.length);
      } else if (!enclosed && matches(lineEnd, at)) {
        atLineEnd = true;
        return add(begin, at, false, at + lineEnd.length);
      } else if (!enclosed && matches(fieldEnd, at)) {
        return add(begin, at, false, at + fieldEnd.length);
      } else {
        int width = width(at, at == escaped);
        if (width == NONE) {
          // half a character at the end of the file is none
          atLineEnd = true;
          return add(begin, at == escaped ? at - 1 : at, false, limit - from);
        }
        at += width;
      }
    }
  }

  /**
   * How many bytes the character here takes, 1 for a byte that begins none.
   *
   * @param escaped whether an escape is in front of it: then bytes of it may have theirs
   * @return NONE where the file ends before the character does
   */
  private int width(int at, boolean escaped) {
    int here = peek(at);
    if (!characters.isFirst(here)) {
      return 1;
    }
    byte[] bytes = new byte[characters.length(here, peek(at + 1))];
    int next = at;
    boolean changed = false;
    for (int i = 0; i < bytes.length; i++) {
      int each = peek(next++);
      if (i > 0 && escaped && each == escape) {
        changed = true;
        int after = peek(next++);
        each = after == NONE ? NONE : unescaped(after);
      }
      if (each == NONE) {
        return NONE;
      }
      bytes[i] = (byte) each;
    }
    if (bytes.length > 0 && characters.isCharacter(bytes)) {
      return next - at;
    }
    if (changed) {
      // a mysqld would go on with bytes that the file does not have
      throw AlraiException.fromServer(
          ER_INVALID_CHARACTER_STRING,
          "HY000",
          "Invalid character string: '\\x" + HexFormat.of().formatHex(bytes) + "'");
    }
    return 1;
  }

  private int add(int start, int end, boolean enclosed, int after) {
    starts[count] = start;
    ends[count] = end;
    quoted[count] = enclosed;
    plain[count] &= enclosed || start == end || (buffer[from + start] & 0xff) != quote;
    count++;
    return after;
  }

  /** Gives where the next line begins. */
  private int rest(int begin) {
    if (lineEnd.length == 0) {
      return begin;
    }
    int at = begin;
    while (true) {
      int before = at;
      at = nextSpecial(at, specialInRest);
      int here = peek(at);
      cut |= at > before;
      if (here == NONE) {
        return at;
      }
      if (characters.isFirst(here)) {
        int last = last(at);
        if (peek(last) == NONE) {
          return limit - from;
        }
        if (endsLine(last)) {
          return last + lineEnd.length;
        }
        cut |= peek(last) != escape;
        at = last + 1;
      } else if (here == escape) {
        cut = true;
        at += peek(at + 1) == NONE ? 1 : 2;
      } else if (matches(lineEnd, at)) {
        return at + lineEnd.length;
      } else {
        cut = true;
        at++;
      }
    }
  }

  /** Where the last byte of what the byte here announces is: it may be that of a line's end. */
  private int last(int at) {
    return at + Math.max(characters.length(peek(at), peek(at + 1)), 2) - 1;
  }

  private boolean endsLine(int last) {
    return peek(last) != escape && matches(lineEnd, last);
  }

  private int nextSpecial(int begin, boolean[] special) {
    int at = begin;
    while (true) {
      byte[] bytes = buffer;
      int i = from + at;
      int end = limit;
      while (i < end && !special[bytes[i] & 0xff]) {
        i++;
      }
      at = i - from;
      if (i < end || !fill()) {
        return at;
      }
    }
  }

  private boolean matches(byte[] text, int at) {
    for (int i = 0; i < text.length; i++) {
      if (peek(at + i) != (text[i] & 0xff)) {
        return false;
      }
    }
    return text.length > 0;
  }

  private int peek(int at) {
    while (from + at >= limit) {
      if (!fill()) {
        return NONE;
      }
    }
    return buffer[from + at] & 0xff;
  }

  /** Reads more bytes after those of the present line; false at the end of the file. */
  private boolean fill() {
    if (ended) {
      return false;
    }
    if (from > 0) {
      System.arraycopy(buffer, from, buffer, 0, limit - from);
      limit -= from;
      from = 0;
    }
    if (limit == buffer.length) {
      if (limit >= MOST_LINE) {
        throw new AlraiException(
            ErrorCode.ER_NET_PACKET_TOO_LARGE,
            "a line of the file has more than "
                + (MOST_LINE >> 20)
                + " MiB; does LINES TERMINATED BY say how its lines end?");
      }
      buffer = Arrays.copyOf(buffer, buffer.length * 2);
    }
    try {
      int read = in.read(buffer, limit, buffer.length - limit);
      ended = read < 0;
      limit += Math.max(0, read);
      return !ended;
    } catch (IOException e) {
      throw new AlraiException(
          ErrorCode.ER_ERROR_ON_READ, "cannot read the client's file: " + e.getMessage(), e);
    }
  }

  /** How many of the fields the line has. */
  public int count() {
    return count;
  }

  /** Whether it has more than are wanted. */
  public boolean isCut() {
    return cut;
  }

  /** Appends the line as it is, without what LINES STARTING BY says, with its end if it has one. */
  public void appendLine(FilePart part) {
    part.append(buffer, from, length);
  }

  /** Appends a field as it is in the file, with its quotes. */
  public void appendWritten(int field, FilePart part) {
    int quotes = quoted[field] ? 1 : 0;
    part.append(buffer, from + starts[field] - quotes, ends[field] - starts[field] + 2 * quotes);
  }

  /** The value of a field; null for NULL. */
  public byte @Nullable [] value(int field) {
    int start = from + starts[field];
    int end = from + ends[field];
    byte[] value =
        plain[field] ? Arrays.copyOfRange(buffer, start, end) : decoded(start, end, quoted[field]);
    if (!quoted[field] && quote != NONE && Arrays.equals(value, NULL)) {
      return null;
    }
    boolean mark = end - start == 2 && (buffer[start] & 0xff) == escape && buffer[start + 1] == 'N';
    return mark && (escape != quote || escape == 'N') ? null : value;
  }

  private byte[] decoded(int start, int end, boolean enclosed) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(end - start);
    boolean unclosed = !enclosed && (buffer[start] & 0xff) == quote;
    int at = start;
    if (unclosed) {
      out.write(buffer[at++]);
    }
    while (at < end) {
      int here = buffer[at++] & 0xff;
      int after = at == end ? NONE : buffer[at] & 0xff;
      if (here == escape && after != NONE && (escape != quote || after == escape)) {
        out.write(unescaped(after));
        at++;
        if (characters.isFirst(after)) {
          at = character(at - 1, true, end, out);
        }
      } else if (characters.isFirst(here)) {
        out.write(here);
        at = character(at - 1, false, end, out);
      } else {
        out.write(here);
        boolean doubled = (enclosed || unclosed) && here == quote && after == quote;
        at += doubled ? 1 : 0;
      }
    }
    return out.toByteArray();
  }

  /** Writes the bytes of a character after its first, and gives where it ends. */
  private int character(int first, boolean escaped, int end, ByteArrayOutputStream out) {
    int after = Math.min(end, first + width(first - from, escaped));
    int at = first + 1;
    while (at < after) {
      int here = buffer[at++] & 0xff;
      boolean changed = escaped && here == escape && at < after;
      out.write(changed ? unescaped(buffer[at++] & 0xff) : here);
    }
    return Math.max(at, first + 1);
  }

  private static int unescaped(int escaped) {
    return switch (escaped) {
      case '0' -> 0;
      case 'b' -> '\b';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'Z' -> 26;
      default -> escaped;
    };
  }
}
