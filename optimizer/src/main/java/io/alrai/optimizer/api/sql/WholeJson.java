package io.alrai.optimizer.api.sql;

import io.alrai.common.sql.Sql;
import io.alrai.executor.fragment.SqlTemplate;
import java.util.regex.Pattern;

/**
 * JSON as it is read to be written again. The text of a document does not tell a DECIMAL from a
 * DOUBLE, an unsigned number from a signed one, and a date or bytes from a string, so the types of
 * all values stand before it:
 *
 * <pre>
 *   ! type ~ types of members ~ types of elements ~ document
 * </pre>
 *
 * The types are JSON arrays, or empty. Members of objects, and elements of arrays, stand in the
 * order in which a walk comes to their parents: parent first, children from left to right. A
 * document without digits is its text alone: all its values are what they look like.
 */
public final class WholeJson {
  /** What result columns of this form are called. */
  public static final String LABEL = "__alrai_json";

  /** Before the types. */
  public static final char TYPED = '!';

  /** After each part. */
  public static final char END = '~';

  private static final String HOLE = "@@";
  private static final String TYPES = "(SELECT JSON_ARRAYAGG(JSON_TYPE(x.v)) FROM JSON_TABLE(";
  private static final String OF_EACH = " COLUMNS (v JSON PATH '$')) AS x), _utf8mb4'')";

  /** The expression for any value. */
  private static final Pattern EXPRESSION = expression();

  private WholeJson() {}

  private static Pattern expression() {
    String[] parts = of(Sql.of(HOLE)).text().split(HOLE, -1);
    StringBuilder pattern = new StringBuilder(Pattern.quote(parts[0])).append("(.+?)");
    for (int i = 1; i < parts.length; i++) {
      pattern.append(i == 1 ? "" : "\\1").append(Pattern.quote(parts[i]));
    }
    return Pattern.compile(pattern.toString(), Pattern.DOTALL);
  }

  private static Sql text(Sql value) {
    return Sql.of("CONVERT(").add(value).words(" USING utf8mb4)");
  }

  /** The expression for a value of JSON, without a label. */
  public static Sql of(Sql value) {
    Sql text = text(value);
    return Sql.of("IF(")
        .add(text)
        .words(" REGEXP _utf8mb4'[0-9]', CONCAT(_utf8mb4'!', JSON_TYPE(")
        .add(value)
        .words("), _utf8mb4'~', IFNULL(" + TYPES)
        .add(value)
        .words(", '$**.*'" + OF_EACH)
        .words(", _utf8mb4'~', IFNULL(" + TYPES)
        .add(value)
        .words(", '$**[*]'" + OF_EACH)
        .words(", _utf8mb4'~', ")
        .add(text)
        .words("), ")
        .add(text)
        .words(")");
  }

  /**
   * A text with the documents' texts in place of such expressions: under {@code
   * character_set_connection} binary MySQL has no JSON_TABLE.
   */
  public static String withoutTypes(String sql) {
    return EXPRESSION.matcher(sql).replaceAll(text(Sql.of("$1")).text());
  }

  /** The form for copies of a part of a statement, as a column of a select list. */
  public static SqlTemplate labelled(SqlTemplate value) {
    SqlBuilder sql = new SqlBuilder();
    String[] parts = of(Sql.of(HOLE)).text().split(HOLE, -1);
    for (int i = 0; i < parts.length; i++) {
      if (i > 0) {
        sql.template(value);
      }
      sql.text(parts[i]);
    }
    return sql.text(" AS " + LABEL).build();
  }
}
