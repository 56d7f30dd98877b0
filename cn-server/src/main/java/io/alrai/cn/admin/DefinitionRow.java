package io.alrai.cn.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.alrai.common.wire.Lenenc;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.ColumnIndexDefinition;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What SHOW CREATE TABLE has behind the mysqld's text: the table's column indexes, as a comment, so
 * that the text can be run by any MySQL server.
 */
final class DefinitionRow {
  private static final byte NULL_MARK = (byte) 0xfb;
  private static final String NAME = "(`(?:[^`]|``)+`|[^\\s`.;]+)";
  private static final Pattern STATEMENT =
      Pattern.compile(
          "\\s*SHOW\\s+CREATE\\s+TABLE\\s+" + NAME + "(?:\\s*\\.\\s*" + NAME + ")?[\\s;]*",
          Pattern.CASE_INSENSITIVE);

  private DefinitionRow() {}

  /**
   * The comment; empty for other statements and for tables without column indexes.
   *
   * @param current the session's schema
   */
  static Optional<String> comment(String sql, String current, Catalog catalog) {
    Matcher found = STATEMENT.matcher(sql);
    if (!found.matches()) {
      return Optional.empty();
    }
    boolean qualified = found.group(2) != null;
    String schema = qualified ? bare(found.group(1)) : current;
    String table = bare(qualified ? found.group(2) : found.group(1));
    List<ColumnIndexDefinition> indexes =
        catalog.table(schema, table).map(known -> known.columnIndexes()).orElse(List.of());
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

  private static String bare(String name) {
    return name.startsWith("`")
        ? name.substring(1, name.length() - 1).replace("``", "`")
        : name.strip();
  }

  /** An end of a comment within a name would end it. */
  private static String quoted(String name) {
    return "`" + name.replace("`", "``").replace("*/", "* /") + "`";
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

  /** The row of table and definition with the comment behind it. */
  static byte[] with(byte[] row, String comment) {
    ByteBuf in = Unpooled.wrappedBuffer(row);
    byte[] table = Lenenc.readBytes(in);
    byte[] definition = Lenenc.readBytes(in);
    byte[] added = comment.getBytes(UTF_8);
    byte[] longer = Arrays.copyOf(definition, definition.length + added.length);
    System.arraycopy(added, 0, longer, definition.length, added.length);
    ByteBuf out = Unpooled.buffer(row.length + added.length + Long.BYTES);
    Lenenc.writeBytes(out, table);
    Lenenc.writeBytes(out, longer);
    byte[] result = new byte[out.readableBytes()];
    out.readBytes(result);
    return result;
  }
}
