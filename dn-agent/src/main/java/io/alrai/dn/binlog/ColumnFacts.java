package io.alrai.dn.binlog;

import io.alrai.common.wire.Lenenc;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The optional metadata of a Table_map event, for columns one after the other. Signs are counted
 * among the numbers, collations among the strings.
 *
 * <pre>
 *  1 signs       one bit for each number, the highest first: 1 is unsigned
 *  2 collations  that of most strings, { index of another string, its collation }
 *  3 collations  one for each string
 *  4 names       { length, name }
 * </pre>
 */
final class ColumnFacts {
  private static final int SIGNS = 1;
  private static final int DEFAULT_COLLATION = 2;
  private static final int COLLATIONS = 3;
  private static final int NAMES = 4;

  private final List<String> names = new ArrayList<>();
  private final Map<Integer, Integer> collations = new HashMap<>();
  private byte[] signs = {};
  private int usualCollation;
  private int numbers;
  private int strings;

  private ColumnFacts() {}

  static ColumnFacts read(ByteBuf in) {
    ColumnFacts facts = new ColumnFacts();
    while (in.isReadable()) {
      int what = in.readUnsignedByte();
      facts.field(what, in.readSlice(Math.toIntExact(Lenenc.read(in))));
    }
    return facts;
  }

  private void field(int what, ByteBuf value) {
    switch (what) {
      case SIGNS -> {
        signs = new byte[value.readableBytes()];
        value.readBytes(signs);
      }
      case DEFAULT_COLLATION -> {
        usualCollation = Math.toIntExact(Lenenc.read(value));
        while (value.isReadable()) {
          int index = Math.toIntExact(Lenenc.read(value));
          collations.put(index, Math.toIntExact(Lenenc.read(value)));
        }
      }
      case COLLATIONS -> {
        while (value.isReadable()) {
          collations.put(collations.size(), Math.toIntExact(Lenenc.read(value)));
        }
      }
      case NAMES -> {
        while (value.isReadable()) {
          names.add(new String(Lenenc.readBytes(value), StandardCharsets.UTF_8));
        }
      }
      default -> {}
    }
  }

  List<String> names() {
    return names;
  }

  /** Whether the next column is unsigned. */
  boolean nextUnsigned(int type) {
    if (!ColumnType.isNumeric(type)) {
      return false;
    }
    int index = numbers++;
    return index / 8 < signs.length && (signs[index / 8] & 0x80 >> index % 8) != 0;
  }

  /** The collation of the next column; 0 if it is not a string. */
  int nextCollation(int type) {
    return ColumnType.isCharacter(type) ? collations.getOrDefault(strings++, usualCollation) : 0;
  }
}
