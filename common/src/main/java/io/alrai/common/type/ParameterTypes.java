package io.alrai.common.type;

import java.util.Arrays;

/**
 * The types of a prepared statement's parameters as far as a mysqld tells them apart when it
 * derives those of expressions: one letter for each. A parameter that is NULL has the type that it
 * had last. Not thread-safe.
 */
public final class ParameterTypes {
  private static final int UNSIGNED = 0x80;
  private static final char NULL = 'n';
  private static final char OTHER = '?';

  private char[] letters = {};
  private String text = "";

  /**
   * Those of another execution.
   *
   * @param types two bytes for each: the protocol's type, and its sign
   */
  public void follow(byte[] types) {
    int count = types.length / 2;
    boolean changed = letters.length != count;
    if (changed) {
      letters = new char[count];
      Arrays.fill(letters, NULL);
    }
    for (int i = 0; i < count; i++) {
      char letter = letter(types[2 * i] & 0xff, (types[2 * i + 1] & UNSIGNED) != 0);
      if (letter != NULL && letter != letters[i]) {
        letters[i] = letter;
        changed = true;
      }
    }
    if (changed) {
      text = new String(letters);
    }
  }

  private static char letter(int code, boolean unsigned) {
    MysqlType type;
    try {
      type = MysqlType.ofCode(code);
    } catch (IllegalArgumentException e) {
      return OTHER; // the execution will be refused
    }
    return switch (type) {
      case NULL -> NULL;
      case TINYINT, SMALLINT, MEDIUMINT, INT, BIGINT, YEAR -> unsigned ? 'u' : 'i';
      case FLOAT, DOUBLE -> 'd';
      case DECIMAL, DECIMAL_OLD -> 'm';
      case DATE, NEWDATE -> 'a';
      case DATETIME, TIMESTAMP -> 't';
      case TIME -> 'h';
      case TINYBLOB, BLOB, MEDIUMBLOB, LONGBLOB, BIT, GEOMETRY, VECTOR -> 'b';
      case VARCHAR, VARCHAR_OLD, CHAR, ENUM, SET, JSON -> 's';
    };
  }

  /** The letters; the same object while they are the same. */
  @Override
  public String toString() {
    return text;
  }
}
