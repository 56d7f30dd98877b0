package io.alrai.dn.binlog;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A set of transactions, as {@code gtid_executed} has it. Changeable; belongs to one thread at a
 * time.
 */
public final class GtidSet {
  /** The server's own order is by bytes, that of {@link UUID} is signed; here any order will do. */
  private record Origin(UUID source, String tag) implements Comparable<Origin> {
    @Override
    public int compareTo(Origin other) {
      int bySource = source.compareTo(other.source);
      return bySource != 0 ? bySource : tag.compareTo(other.tag);
    }
  }

  /** By origin: first number to last number, both inclusive, of intervals that do not touch. */
  private final TreeMap<Origin, TreeMap<Long, Long>> intervals = new TreeMap<>();

  // The interval that grew last: a stream adds the next number nearly always.
  private Origin lastOrigin = new Origin(new UUID(0, 0), "");
  private @Nullable TreeMap<Long, Long> lastIntervals;

  /** The empty set. */
  public GtidSet() {}

  /**
   * Reads MySQL's text form, with or without tags.
   *
   * @throws IllegalArgumentException when it is none
   */
  public static GtidSet parse(String text) {
    GtidSet set = new GtidSet();
    for (String part : text.split(",", -1)) {
      String source = part.strip();
      if (!source.isEmpty()) {
        set.addSource(source.split(":", -1));
      }
    }
    return set;
  }

  private void addSource(String[] fields) {
    UUID source = UUID.fromString(fields[0].strip());
    String tag = "";
    for (int i = 1; i < fields.length; i++) {
      String field = fields[i].strip();
      if (!Character.isDigit(field.isEmpty() ? ' ' : field.charAt(0))) {
        tag = field;
        continue;
      }
      int dash = field.indexOf('-');
      long first = Long.parseLong(dash < 0 ? field : field.substring(0, dash));
      long last = dash < 0 ? first : Long.parseLong(field.substring(dash + 1));
      add(of(source, tag), first, last);
    }
  }

  private TreeMap<Long, Long> of(UUID source, String tag) {
    TreeMap<Long, Long> known = lastIntervals;
    if (known != null && lastOrigin.source.equals(source) && lastOrigin.tag.equals(tag)) {
      return known;
    }
    lastOrigin = new Origin(source, tag);
    TreeMap<Long, Long> found = intervals.computeIfAbsent(lastOrigin, _ -> new TreeMap<>());
    lastIntervals = found;
    return found;
  }

  /** Adds one. */
  public void add(Gtid gtid) {
    add(of(gtid.source(), gtid.tag()), gtid.number(), gtid.number());
  }

  private static void add(TreeMap<Long, Long> to, long first, long last) {
    if (first < 1 || last < first) {
      throw new IllegalArgumentException("not an interval: " + first + "-" + last);
    }
    long from = first;
    long until = last;
    Map.Entry<Long, Long> before = to.floorEntry(first);
    if (before != null && before.getValue() >= first - 1) {
      from = before.getKey();
      until = Math.max(until, before.getValue());
    }
    Map.Entry<Long, Long> next = to.higherEntry(from);
    while (next != null && next.getKey() <= until + 1) {
      until = Math.max(until, next.getValue());
      to.remove(next.getKey());
      next = to.higherEntry(from);
    }
    to.put(from, until);
  }

  /** Whether it is in. */
  public boolean contains(Gtid gtid) {
    TreeMap<Long, Long> of = intervals.get(new Origin(gtid.source(), gtid.tag()));
    Map.Entry<Long, Long> before = of == null ? null : of.floorEntry(gtid.number());
    return before != null && before.getValue() >= gtid.number();
  }

  /** Whether all of the other are in. */
  public boolean containsAll(GtidSet other) {
    for (Map.Entry<Origin, TreeMap<Long, Long>> entry : other.intervals.entrySet()) {
      TreeMap<Long, Long> own = intervals.getOrDefault(entry.getKey(), new TreeMap<>());
      for (Map.Entry<Long, Long> interval : entry.getValue().entrySet()) {
        Map.Entry<Long, Long> around = own.floorEntry(interval.getKey());
        if (around == null || around.getValue() < interval.getValue()) {
          return false;
        }
      }
    }
    return true;
  }

  /** How many of the other are not in. */
  public long missingOf(GtidSet other) {
    long missing = 0;
    for (Map.Entry<Origin, TreeMap<Long, Long>> entry : other.intervals.entrySet()) {
      TreeMap<Long, Long> own = intervals.getOrDefault(entry.getKey(), new TreeMap<>());
      for (Map.Entry<Long, Long> interval : entry.getValue().entrySet()) {
        missing += interval.getValue() - interval.getKey() + 1 - count(own, interval);
      }
    }
    return missing;
  }

  /** Those of it that are not in the other. */
  public GtidSet without(GtidSet other) {
    GtidSet rest = new GtidSet();
    intervals.forEach((origin, of) -> {
      TreeMap<Long, Long> theirs = other.intervals.getOrDefault(origin, new TreeMap<>());
      TreeMap<Long, Long> left = new TreeMap<>();
      of.forEach((first, last) -> {
        long from = first;
        Long around = theirs.floorKey(first);
        for (Map.Entry<Long, Long> gone :
            theirs.subMap(around == null ? first : around, true, last, true).entrySet()) {
          if (gone.getKey() > from) {
            left.put(from, gone.getKey() - 1);
          }
          from = Math.max(from, gone.getValue() + 1);
        }
        if (from <= last) {
          left.put(from, last);
        }
      });
      if (!left.isEmpty()) {
        rest.intervals.put(origin, left);
      }
    });
    return rest;
  }

  /** How many numbers of an interval are in. */
  private static long count(TreeMap<Long, Long> own, Map.Entry<Long, Long> interval) {
    long from = interval.getKey();
    long to = interval.getValue();
    Long first = own.floorKey(from);
    long count = 0;
    for (Map.Entry<Long, Long> each :
        own.subMap(first == null ? from : first, true, to, true).entrySet()) {
      count += Math.max(0, Math.min(to, each.getValue()) - Math.max(from, each.getKey()) + 1);
    }
    return count;
  }

  /** Whether none is in. */
  public boolean isEmpty() {
    return intervals.values().stream().allMatch(Map::isEmpty);
  }

  /** A set of its own with the same content. */
  public GtidSet copy() {
    GtidSet copy = new GtidSet();
    intervals.forEach((origin, of) -> copy.intervals.put(origin, new TreeMap<>(of)));
    return copy;
  }

  /**
   * Writes it as COM_BINLOG_DUMP_GTID takes it; numbers are 64 bits, little-endian.
   *
   * <pre>
   *  without tags:  count of origins | { uuid (16) | count | { first | last + 1 } }
   *  with tags:     01 count (6 bytes) 01 | { uuid (16) | tag length * 2 | tag | count | ... }
   * </pre>
   */
  public void encode(ByteBuf out) {
    boolean tagged = intervals.keySet().stream().anyMatch(origin -> !origin.tag.isEmpty());
    long origins = intervals.size();
    out.writeLongLE(tagged ? 1L << 56 | origins << 8 | 1 : origins);
    intervals.forEach((origin, of) -> {
      out.writeLong(origin.source.getMostSignificantBits());
      out.writeLong(origin.source.getLeastSignificantBits());
      if (tagged) {
        // a variable-length integer of one byte: tags are at most 32 characters
        out.writeByte(origin.tag.length() << 1);
        out.writeCharSequence(origin.tag, StandardCharsets.US_ASCII);
      }
      out.writeLongLE(of.size());
      of.forEach((first, last) -> out.writeLongLE(first).writeLongLE(last + 1));
    });
  }

  /**
   * Reads what {@link #encode} writes, also as MySQL writes it: an origin once for each tag.
   *
   * @throws BinlogException when it is none
   */
  public static GtidSet decode(ByteBuf in) {
    GtidSet set = new GtidSet();
    try {
      long head = in.readLongLE();
      boolean tagged = head >>> 56 == 1;
      long origins = tagged ? head << 8 >>> 16 : head;
      for (long i = 0; i < origins; i++) {
        UUID source = new UUID(in.readLong(), in.readLong());
        int length = tagged ? in.readUnsignedByte() >>> 1 : 0;
        String tag = in.readCharSequence(length, StandardCharsets.US_ASCII).toString();
        long count = in.readLongLE();
        for (long j = 0; j < count; j++) {
          add(set.of(source, tag), in.readLongLE(), in.readLongLE() - 1);
        }
      }
      return set;
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw new BinlogException("a GTID set of an unknown form", e);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof GtidSet set && containsAll(set) && set.containsAll(this);
  }

  @Override
  public int hashCode() {
    return Objects.hash(intervals);
  }

  /** As MySQL writes it, but with each origin on its own. */
  @Override
  public String toString() {
    StringJoiner all = new StringJoiner(",");
    intervals.forEach((origin, of) -> {
      StringBuilder one = new StringBuilder(origin.source.toString());
      if (!origin.tag.isEmpty()) {
        one.append(':').append(origin.tag);
      }
      of.forEach((first, last) -> {
        one.append(':').append(first);
        if (!last.equals(first)) {
          one.append('-').append(last);
        }
      });
      if (!of.isEmpty()) {
        all.add(one);
      }
    });
    return all.toString();
  }
}
