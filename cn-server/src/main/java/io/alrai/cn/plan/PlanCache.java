package io.alrai.cn.plan;

import io.alrai.cn.ccl.ShapeRules;
import io.alrai.optimizer.api.Needs;
import io.alrai.optimizer.api.Planned;
import io.alrai.optimizer.api.shape.ShapeScanner;
import io.alrai.optimizer.api.shape.ShapedText;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Plans by statement shape and current schema, all of one catalog version. A set of two ways for
 * each hash: a newcomer replaces the older of the two. Texts are kept only of plans for one text; a
 * newcomer beyond {@value #MOST_BYTES} bytes of shapes and texts drops all others. Not thread-safe.
 */
final class PlanCache {
  /**
   * The most bytes of one shape and its text: planning again costs little compared with reading
   * more than that.
   */
  static final int MOST_BYTES_EACH = 256 << 10;

  static final int MOST_BYTES = 8 << 20;

  private static final int SLOTS = 1 << 12;

  /** A plan, and what its statement needs once an account without all privileges has asked. */
  static final class Entry {
    final ShapedText text;
    final String schema;
    final Planned planned;
    private @Nullable Needs needs;
    private @Nullable ShapeRules rules;

    Entry(ShapedText text, String schema, Planned planned, @Nullable Needs needs) {
      this.text = planned.exactTextOnly() ? text : text.withoutText();
      this.schema = schema;
      this.planned = planned;
      this.needs = needs;
    }

    int bytes() {
      return text.textBytes().length + text.shapeBytes().length;
    }

    /** The CCL rules that may be about it; null for none. */
    @Nullable ShapeRules rules() {
      return rules;
    }

    void rules(@Nullable ShapeRules found) {
      rules = found;
    }

    /** What the statement needs, found by the first that asks. */
    Needs needs(Supplier<Needs> found) {
      Needs known = needs;
      if (known == null) {
        known = found.get();
        needs = known;
      }
      return known;
    }
  }

  private final @Nullable Entry[] first = new @Nullable Entry[SLOTS];
  private final @Nullable Entry[] second = new @Nullable Entry[SLOTS];
  private long version = -1;
  private int bytes;

  /** The plan for a freshly scanned statement, or null. */
  @Nullable Entry find(
      ShapeScanner scanner, long catalogVersion, String schema, byte[] sql, int length) {
    if (catalogVersion != version) {
      return null;
    }
    int slot = slot(scanner.shapeHash());
    Entry entry = first[slot];
    for (int way = 0; way < 2; way++) {
      if (entry != null
          && scanner.sameShape(entry.text)
          && entry.schema.equals(schema)
          && (!entry.planned.exactTextOnly() || sameText(entry.text, sql, length))) {
        return entry;
      }
      entry = second[slot];
    }
    return null;
  }

  /** The plan for a statement scanned before, or null. */
  @Nullable Entry find(ShapedText text, long catalogVersion, String schema) {
    if (catalogVersion != version) {
      return null;
    }
    int slot = slot(text.shapeHash());
    Entry entry = first[slot];
    for (int way = 0; way < 2; way++) {
      if (entry != null
          && (entry.text == text || sameShape(entry.text, text))
          && entry.schema.equals(schema)
          && (!entry.planned.exactTextOnly()
              || sameText(entry.text, text.textBytes(), text.textBytes().length))) {
        return entry;
      }
      entry = second[slot];
    }
    return null;
  }

  /**
   * Keeps a plan, unless it is a very long statement's; one of another version drops all others.
   */
  void keep(Entry entry, long catalogVersion) {
    if (entry.bytes() > MOST_BYTES_EACH) {
      return;
    }
    if (catalogVersion != version || bytes + entry.bytes() > MOST_BYTES) {
      Arrays.fill(first, null);
      Arrays.fill(second, null);
      version = catalogVersion;
      bytes = 0;
    }
    int slot = slot(entry.text.shapeHash());
    Entry gone = second[slot];
    bytes += entry.bytes() - (gone == null ? 0 : gone.bytes());
    second[slot] = first[slot];
    first[slot] = entry;
  }

  private static int slot(long hash) {
    return (int) (hash >>> 20) & (SLOTS - 1);
  }

  private static boolean sameShape(ShapedText a, ShapedText b) {
    return a.shapeHash() == b.shapeHash()
        && a.mode().equals(b.mode())
        && Arrays.equals(a.shapeBytes(), b.shapeBytes());
  }

  private static boolean sameText(ShapedText kept, byte[] sql, int length) {
    byte[] text = kept.textBytes();
    return Arrays.equals(text, 0, text.length, sql, 0, Math.min(length, text.length))
        && length >= text.length;
  }
}
