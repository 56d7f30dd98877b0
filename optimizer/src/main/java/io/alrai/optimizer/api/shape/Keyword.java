package io.alrai.optimizer.api.shape;

import io.alrai.optimizer.api.text.StatementKind;
import io.alrai.optimizer.api.token.TokenScanner;
import java.nio.charset.StandardCharsets;

/**
 * The few words that decide what {@link ShapeScanner} does. A word's key is its last eight letters
 * in upper case, packed into a long as {@link TokenScanner} does in passing; no listed word is
 * longer than nine letters, so the key and the length decide, with the first letter for nine.
 */
enum Keyword {
  NONE(0),
  // Statements with slots.
  SELECT(Does.VERB | Does.VALUE | Does.CLAUSE),
  INSERT(Does.VERB),
  UPDATE(Does.VERB),
  DELETE(Does.VERB),
  REPLACE(Does.VERB),
  WITH(Does.VERB),
  TABLE(Does.VERB),
  VALUES(Does.VERB),
  VALUE(0),
  DO(Does.VERB | Does.VALUE),
  CALL(Does.VERB),
  // Statements whose slots begin at an inner verb.
  EXPLAIN(0),
  DESCRIBE(0),
  DESC(0),
  // Statements without slots.
  SET(Does.CLAUSE),
  USE(0),
  SHOW(0),
  BEGIN(0),
  START(0),
  COMMIT(0),
  ROLLBACK(0),
  CREATE(0),
  // Goes before any statement.
  TRACE(0),
  // Routine bodies hold semicolons.
  PROCEDURE(0),
  FUNCTION(0),
  TRIGGER(0),
  EVENT(0),
  // A value may follow.
  WHERE(Does.VALUE | Does.CLAUSE),
  AND(Does.VALUE),
  OR(Does.VALUE),
  XOR(Does.VALUE),
  NOT(Does.VALUE),
  LIKE(Does.VALUE),
  REGEXP(Does.VALUE),
  RLIKE(Does.VALUE),
  BETWEEN(Does.VALUE),
  DIV(Does.VALUE),
  MOD(Does.VALUE),
  CASE(Does.VALUE),
  WHEN(Does.VALUE),
  THEN(Does.VALUE),
  ELSE(Does.VALUE),
  ON(Does.VALUE),
  HAVING(Does.VALUE | Does.CLAUSE),
  LIMIT(Does.VALUE | Does.CLAUSE),
  OFFSET(Does.VALUE),
  INTERVAL(Does.VALUE),
  // A list follows where a number is a column's position.
  BY(Does.LIST),
  WINDOW(Does.CLAUSE),
  UNION(Does.CLAUSE),
  // Numbers in parentheses after them are part of a type.
  DECIMAL(Does.TYPE),
  DEC(Does.TYPE),
  NUMERIC(Does.TYPE),
  FIXED(Does.TYPE),
  FLOAT(Does.TYPE),
  DOUBLE(Does.TYPE),
  REAL(Does.TYPE),
  CHAR(Does.TYPE),
  CHARACTER(Does.TYPE),
  NCHAR(Does.TYPE),
  VARCHAR(Does.TYPE),
  NVARCHAR(Does.TYPE),
  BINARY(Does.TYPE),
  VARBINARY(Does.TYPE),
  VECTOR(Does.TYPE),
  BIT(Does.TYPE),
  TINYINT(Does.TYPE),
  SMALLINT(Does.TYPE),
  INT(Does.TYPE),
  INTEGER(Does.TYPE),
  BIGINT(Does.TYPE),
  TIME(Does.TYPE),
  DATETIME(Does.TYPE),
  TIMESTAMP(Does.TYPE),
  YEAR(Does.TYPE),
  NULL(0);

  /** What a word does, as bits. */
  private static final class Does {
    static final int VERB = 1;
    static final int VALUE = 2;
    static final int CLAUSE = 4;
    static final int LIST = 8;
    static final int TYPE = 16;
  }

  private static final int TABLE_SIZE = 512;
  private static final long[] KEYS = new long[TABLE_SIZE];
  private static final Keyword[] WORDS = new Keyword[TABLE_SIZE];

  static {
    for (Keyword keyword : values()) {
      if (keyword != NONE) {
        long key = 0;
        for (byte letter : keyword.name().getBytes(StandardCharsets.US_ASCII)) {
          key = key << 8 | (letter & 0xdf);
        }
        int at = bucket(key);
        while (KEYS[at] != 0) {
          at = (at + 1) & (TABLE_SIZE - 1);
        }
        KEYS[at] = key;
        WORDS[at] = keyword;
      }
    }
  }

  private final int flags;
  private final byte first;
  private final int length;

  Keyword(int flags) {
    this.flags = flags;
    this.first = (byte) name().charAt(0);
    this.length = name().length();
  }

  /** The keyword of a key and a length, or NONE; {@code first} is the word's first byte. */
  static Keyword of(long key, int length, byte first) {
    if (length > 9) {
      return NONE;
    }
    int at = bucket(key);
    while (KEYS[at] != 0) {
      if (KEYS[at] == key) {
        Keyword found = WORDS[at];
        return found.length == length && found.first == (first & 0xdf) ? found : NONE;
      }
      at = (at + 1) & (TABLE_SIZE - 1);
    }
    return NONE;
  }

  private static int bucket(long key) {
    return (int) ((key * 0x9e3779b97f4a7c15L) >>> 55);
  }

  /** What a statement is that starts with it. */
  StatementKind statementKind() {
    return switch (this) {
      case SELECT, WITH, TABLE, VALUES -> StatementKind.QUERY;
      case INSERT -> StatementKind.INSERT;
      case REPLACE -> StatementKind.REPLACE;
      case UPDATE -> StatementKind.UPDATE;
      case DELETE -> StatementKind.DELETE;
      case DO -> StatementKind.DO;
      case CALL -> StatementKind.CALL;
      case EXPLAIN, DESCRIBE, DESC -> StatementKind.EXPLAIN;
      case SET -> StatementKind.SET;
      case USE -> StatementKind.USE;
      case SHOW -> StatementKind.SHOW;
      case BEGIN, START -> StatementKind.BEGIN;
      case COMMIT -> StatementKind.COMMIT;
      case ROLLBACK -> StatementKind.ROLLBACK;
      default -> StatementKind.OTHER;
    };
  }

  /** Whether literals after it, in this statement, are slots. */
  boolean isVerb() {
    return (flags & Does.VERB) != 0;
  }

  /** Whether a literal right after it is a value. */
  boolean valueFollows() {
    return (flags & Does.VALUE) != 0;
  }

  /** Whether it ends a list after BY. */
  boolean startsClause() {
    return (flags & Does.CLAUSE) != 0;
  }

  boolean startsList() {
    return (flags & Does.LIST) != 0;
  }

  boolean isType() {
    return (flags & Does.TYPE) != 0;
  }
}
