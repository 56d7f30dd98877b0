package io.alrai.cn.route;

import io.alrai.common.type.MysqlType;
import io.alrai.executor.fragment.KeyColumn;
import io.alrai.executor.fragment.SlotValues;
import io.alrai.executor.fragment.SlotValues.Kind;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;

/**
 * Hashes one key, column by column, each in a canonical form that is the same for all values that
 * the column's type and collation hold equal:
 *
 * <pre>
 * integer          64 bits
 * decimal          digits without needless zeros: -12.5
 * string           weights of the collation (the bytes for binary and _bin ones), less trailing
 *                  blanks where the collation pads or the type is CHAR
 * binary string    bytes, less trailing zero bytes where the type is BINARY
 * DATE             YYYY-MM-DD
 * DATETIME         YYYY-MM-DD hh:mm:ss[.ffffff] without needless zeros after the point
 * </pre>
 *
 * A value whose canonical form is not certain is refused: whoever reads must then look everywhere,
 * and whoever writes must ask a mysqld what the column would hold. One thread, one key.
 */
final class KeyHash {
  /** What the value is for. */
  enum Use {
    /** It is compared with the column. */
    MATCH,
    /** It becomes the column's value, so it must fit as it is. */
    STORE,
    /** A mysqld holds it in a column of this type. */
    STORED
  }

  private final Use use;
  private long hash;
  private long integer;
  private boolean first = true;

  KeyHash(Use use) {
    this.use = use;
  }

  /** The hash of what was added. */
  long hash() {
    return hash;
  }

  /** For HASH: the integer that was added, NULL as 0, modulo the count. */
  int modulo(KeyColumn column, int count) {
    return column.unsigned()
        ? (int) Long.remainderUnsigned(integer, count)
        : Math.floorMod(integer, count);
  }

  /** Adds NULL; false where the column may come to hold another value for it. */
  boolean addNull(KeyColumn column) {
    if (use == Use.STORE && !column.nullable()) {
      return false;
    }
    chain(PartitionHash.NULL);
    return true;
  }

  /** Adds a slot's value; false when it is not known what the column makes of it. */
  boolean add(KeyColumn column, SlotValues values, int slot, StringKeys strings) {
    Kind kind = values.kind(slot);
    if (kind == Kind.NULL) {
      return addNull(column);
    }
    MysqlType type = column.type();
    if (type.isInteger()) {
      return addInteger(column, values, slot, kind);
    }
    byte[] canonical =
        switch (type) {
          case DECIMAL, DECIMAL_OLD -> DecimalKeys.canonical(column, values.bytes(slot), kind, use);
          case DATE, DATETIME -> TemporalKeys.canonical(column, values.bytes(slot), kind, use);
          default ->
              type.isString() ? strings.canonical(column, values.bytes(slot), kind, use) : null;
        };
    if (canonical == null) {
      return false;
    }
    chain(PartitionHash.ofBytes(canonical, 0, canonical.length));
    return true;
  }

  private boolean addInteger(KeyColumn column, SlotValues values, int slot, Kind kind) {
    if (kind == Kind.INTEGER && values.fitsLong(slot)) {
      long value = values.longValue(slot);
      if (!IntegerKeys.exact(column, value, use)) {
        return false;
      }
      chainInteger(value);
      return true;
    }
    byte[] text = values.bytes(slot);
    if (kind == Kind.INTEGER) {
      return column.unsigned() && column.type() == MysqlType.BIGINT && addUnsigned(text);
    }
    OptionalLong value =
        kind == Kind.STRING ? IntegerKeys.ofText(column, text, use) : OptionalLong.empty();
    if (value.isEmpty() || !IntegerKeys.exact(column, value.getAsLong(), use)) {
      return false;
    }
    chainInteger(value.getAsLong());
    return true;
  }

  private boolean addUnsigned(byte[] digits) {
    try {
      chainInteger(Long.parseUnsignedLong(new String(digits, StandardCharsets.US_ASCII)));
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private void chainInteger(long value) {
    integer = value;
    chain(PartitionHash.ofLong(value));
  }

  private void chain(long columnHash) {
    hash = first ? columnHash : PartitionHash.chain(hash, columnHash);
    first = false;
  }
}
