package io.alrai.cn.gather;

import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.settings.VariableLiteral;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.common.sql.Sql;
import io.alrai.common.type.Collations;
import io.alrai.common.type.Collations.Collation;
import io.alrai.common.wire.ColumnDefinition;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Asks a mysqld what user variables hold there, whole: type, bytes and collation. */
public final class VariableReading {
  private static final int COLUMNS = 3;

  private VariableReading() {}

  /** The query, for variables as they stand in SQL. */
  public static Sql query(List<Sql> variables) {
    return Sql.of("SELECT ")
        .add(
            Sql.join(
                ",",
                variables.stream()
                    .map(name ->
                        name.words(",COLLATION(")
                            .add(name)
                            .words("),CONVERT(HEX(")
                            .add(name)
                            .words(") USING utf8mb4)"))
                    .toList()));
  }

  /** Reads the answer to its end: the literal of each variable. */
  public static List<String> literals(ShardCall call, Collations collations) {
    List<ColumnDefinition> columns = call.columns();
    byte[] row = Objects.requireNonNull(call.nextRow());
    List<@Nullable String> values = ShardQueries.texts(row, columns.size());
    call.status();
    List<String> literals = new ArrayList<>();
    for (int at = 0; at + COLUMNS <= columns.size(); at += COLUMNS) {
      literals.add(
          literal(
              columns.get(at), values.get(at), values.get(at + 1), values.get(at + 2), collations));
    }
    return literals;
  }

  private static String literal(
      ColumnDefinition column,
      @Nullable String value,
      @Nullable String collation,
      @Nullable String hex,
      Collations collations) {
    if (value == null || collation == null || hex == null) {
      return VariableLiteral.NULL;
    }
    if (column.type().isNumeric()) {
      byte[] digits = value.getBytes(StandardCharsets.US_ASCII);
      return VariableLiteral.of(column, digits, "binary", "binary");
    }
    String charset = collations.ofName(collation).map(Collation::charset).orElse("binary");
    return VariableLiteral.of(column, HexFormat.of().parseHex(hex), charset, collation);
  }
}
