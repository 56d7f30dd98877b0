package io.alrai.cn.system;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.alrai.common.wire.Lenenc;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.ColumnIndexDefinition;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.text.Identifier;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What SHOW CREATE TABLE has besides the text of the table's shadow: the next AUTO_INCREMENT
 * number, and after it the column indexes, as a comment, so that the text can be run by any MySQL
 * server.
 */
public final class DefinitionRow {
  private static final byte NULL_MARK = (byte) 0xfb;
  private static final String NAME = "(`(?:[^`]|``)+`|[^\\s`.;]+)";
  private static final Pattern STATEMENT =
      Pattern.compile(
          "\\s*SHOW\\s+CREATE\\s+TABLE\\s+" + NAME + "(?:\\s*\\.\\s*" + NAME + ")?[\\s;]*",
          Pattern.CASE_INSENSITIVE);

  /** Up to where the options begin; strings and names before have no line ends. */
  private static final Pattern ENGINE =
      Pattern.compile("^(.*\n\\) ENGINE=\\w+)(?: AUTO_INCREMENT=(\\d+))?", Pattern.DOTALL);

  private DefinitionRow() {}

  /**
   * The comment; empty for other statements and for tables without column indexes.
   *
   * @param current the session's schema
   */
  public static Optional<String> comment(String sql, String current, Catalog catalog) {
    List<ColumnIndexDefinition> indexes =
        table(sql, current, catalog).map(known -> known.columnIndexes()).orElse(List.of());
    if (indexes.isEmpty()) {
      return Optional.empty();
    }
    StringBuilder comment = new StringBuilder();
    for (ColumnIndexDefinition index : indexes) {
      comment.append("\n/* CLUSTERED COLUMNAR INDEX ").append(quoted(index.name())).append(" (");
      comment.append(
          String.join(",", index.columns().stream().map(DefinitionRow::quoted).toList()));
      comment.append(") */");
    }
    return Optional.of(comment.toString());
  }

  /**
   * The table of a SHOW CREATE TABLE; empty for other statements.
   *
   * @param current the session's schema
   */
  public static Optional<Table> table(String sql, String current, Catalog catalog) {
    Matcher found = STATEMENT.matcher(sql);
    if (!found.matches()) {
      return Optional.empty();
    }
    boolean qualified = found.group(2) != null;
    String schema = qualified ? bare(found.group(1)) : current;
    return catalog.table(schema, bare(qualified ? found.group(2) : found.group(1)));
  }

  private static String bare(String name) {
    return name.startsWith("`")
        ? name.substring(1, name.length() - 1).replace("``", "`")
        : name.strip();
  }

  /** An end of a comment within a name would end it. */
  private static String quoted(String name) {
    return Identifier.quote(name).replace("*/", "* /");
  }

  /** The row of a routine with NULL for its text, which is the third of its values. */
  static byte[] withoutText(byte[] row) {
    ByteBuf in = Unpooled.wrappedBuffer(row);
    int text = Lenenc.skipString(in, Lenenc.skipString(in, 0));
    int behind = Lenenc.skipString(in, text);
    byte[] result = new byte[text + 1 + row.length - behind];
    System.arraycopy(row, 0, result, 0, text);
    result[text] = NULL_MARK;
    System.arraycopy(row, behind, result, text + 1, row.length - behind);
    return result;
  }

  /** The row of table and definition, followed by the comment. */
  public static byte[] with(byte[] row, String comment) {
    String bytes = new String(comment.getBytes(UTF_8), ISO_8859_1);
    return changed(row, definition -> definition + bytes);
  }

  /** The AUTO_INCREMENT number among the options of a definition. */
  static Optional<Long> nextId(String definition) {
    Matcher engine = ENGINE.matcher(definition);
    return engine.find()
        ? Optional.ofNullable(engine.group(2)).map(Long::parseUnsignedLong)
        : Optional.empty();
  }

  /**
   * The row of table and definition, with the AUTO_INCREMENT number that comes next.
   *
   * @param next shown from 2 on, as MySQL does it
   */
  public static byte[] withNextId(byte[] row, long next) {
    return changed(
        row,
        definition -> {
          Matcher engine = ENGINE.matcher(definition);
          return engine.find()
              ? engine.replaceFirst(
                  next == 1 ? "$1" : "$1 AUTO_INCREMENT=" + Long.toUnsignedString(next))
              : definition;
        });
  }

  /**
   * Changes the definition.
   *
   * @param change takes and gives bytes as characters, whatever the character set of results
   */
  private static byte[] changed(byte[] row, UnaryOperator<String> change) {
    ByteBuf in = Unpooled.wrappedBuffer(row);
    byte[] table = Lenenc.readBytes(in);
    byte[] definition =
        change.apply(new String(Lenenc.readBytes(in), ISO_8859_1)).getBytes(ISO_8859_1);
    ByteBuf out = Unpooled.buffer(row.length + definition.length);
    Lenenc.writeBytes(out, table);
    Lenenc.writeBytes(out, definition);
    byte[] result = new byte[out.readableBytes()];
    out.readBytes(result);
    return result;
  }
}
