package io.alrai.optimizer.view;

import io.alrai.common.error.AlraiException;
import io.alrai.executor.fragment.CheckView;
import io.alrai.executor.fragment.SqlTemplate.SessionValue;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.View;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Mention;
import io.alrai.optimizer.syntax.SourceText;
import io.alrai.optimizer.view.WritableView.Part;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Which views stand beside tables to check what is written through views of the clients'. Pure. */
public final class CheckViews {
  private static final int HASH_BYTES = 8;

  private CheckViews() {}

  /**
   * The one that checks what a view writes; empty where it has no CHECK OPTION.
   *
   * @throws AlraiException 1235 for a condition that means something of the session's
   */
  public static Optional<CheckView> of(WritableView writable) {
    if (writable.checked().isEmpty()) {
      return Optional.empty();
    }
    if (!areOfRows(writable)) {
      throw AlraiException.unsupported(
          "INSERT and UPDATE through a view WITH CHECK"
              + " OPTION whose condition calls functions of the session's or stored ones; write to"
              + " the view's table");
    }
    View view = writable.view();
    Table table = writable.table();
    List<String> columns = table.columns().stream().map(Column::name).toList();
    String condition =
        writable.checked().stream()
            .map(part -> part.text(table.name()))
            .collect(Collectors.joining(" AND "));
    String name =
        prefix(view.schema(), view.name())
            + hash(
                table.schema(),
                table.name(),
                String.join("\0", columns),
                condition,
                view.charset(),
                view.collation());
    return Optional.of(
        new CheckView(
            view.schema(),
            view.name(),
            name,
            table.schema(),
            table.name(),
            columns,
            condition,
            view.charset(),
            view.collation()));
  }

  /** The view that checks rows; empty also where {@link #of} refuses. */
  public static Optional<CheckView> ofRows(WritableView writable) {
    return areOfRows(writable) ? of(writable) : Optional.empty();
  }

  /** How the names begin of those that check for one view. */
  public static String prefix(String schema, String view) {
    return CheckView.PREFIX + hash(schema, view) + "_";
  }

  private static String hash(String... parts) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(String.join("\0", parts).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Whether the conditions mean a row's columns only: the mysqlds' views know neither the clients'
   * sessions nor their stored functions.
   */
  private static boolean areOfRows(WritableView writable) {
    return writable.checked().stream().allMatch(CheckViews::isOfRow);
  }

  private static boolean isOfRow(Part condition) {
    boolean mentions =
        SourceText.of(condition.query(), false, false).mentions().stream()
            .filter(mention -> condition.value().span().holds(mention.span()))
            .filter(mention -> mention.what() == Mention.What.CALL)
            .anyMatch(mention -> SessionValue.ofFunction(mention.text()).isPresent());
    boolean[] stored = new boolean[1];
    condition
        .value()
        .walk(inner -> stored[0] |= inner instanceof Expr.Call call && call.inSchema());
    return !mentions && !stored[0];
  }
}
