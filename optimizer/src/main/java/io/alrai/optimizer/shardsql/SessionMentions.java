package io.alrai.optimizer.shardsql;

import io.alrai.executor.fragment.SqlTemplate.Piece;
import io.alrai.executor.fragment.SqlTemplate.SessionValue;
import io.alrai.optimizer.syntax.Mention;
import io.alrai.optimizer.syntax.SourceText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Puts holes where a statement asks for what only the session knows. */
public final class SessionMentions {
  private SessionMentions() {}

  /**
   * Adds the holes; variables that the statement assigns stay as they are.
   *
   * @return whether there are any
   */
  public static boolean edit(SourceText text, TextEdits edits) {
    boolean any = false;
    List<String> assigned = assigned(text);
    for (Mention mention : text.mentions()) {
      Optional<Piece> piece = piece(mention);
      boolean stays =
          piece.isPresent()
              && piece.get() instanceof Piece.UserVariable variable
              && assigned.contains(variable.name());
      if (piece.isPresent() && !stays) {
        edits.replace(mention.span(), piece.get());
        any = true;
      }
    }
    return any;
  }

  /** The user variables that stand before {@code :=}: lower-case names without {@code @}. */
  public static List<String> assigned(SourceText text) {
    List<String> names = new ArrayList<>();
    Mention before = null;
    for (Mention mention : text.mentions()) {
      if (mention.what() == Mention.What.ASSIGNMENT
          && before != null
          && before.what() == Mention.What.VARIABLE
          && !before.text().startsWith("@@")) {
        String name = unquoted(before.text().substring(1));
        if (!names.contains(name)) {
          names.add(name);
        }
      }
      before = mention;
    }
    return names;
  }

  /** Whether LAST_INSERT_ID(expression) may stand in the text. */
  public static boolean setsLastInsertId(SourceText text) {
    return text.mentions().stream()
        .anyMatch(mention ->
            mention.what() == Mention.What.NAME
                && mention.text().equalsIgnoreCase("LAST_INSERT_ID"));
  }

  private static Optional<Piece> piece(Mention mention) {
    return switch (mention.what()) {
      case CALL -> sessionValue(mention.text()).map(Piece.Session::new);
      case VARIABLE -> Optional.of(variable(mention.text()));
      case ASSIGNMENT, NAME -> Optional.empty();
    };
  }

  private static Optional<SessionValue> sessionValue(String name) {
    return switch (name) {
      case "LAST_INSERT_ID" -> Optional.of(SessionValue.LAST_INSERT_ID);
      case "CONNECTION_ID" -> Optional.of(SessionValue.CONNECTION_ID);
      case "DATABASE", "SCHEMA" -> Optional.of(SessionValue.DATABASE);
      case "USER", "SESSION_USER", "SYSTEM_USER" -> Optional.of(SessionValue.USER);
      case "CURRENT_USER" -> Optional.of(SessionValue.CURRENT_USER);
      case "CURRENT_ROLE" -> Optional.of(SessionValue.CURRENT_ROLE);
      case "ROW_COUNT" -> Optional.of(SessionValue.ROW_COUNT);
      case "FOUND_ROWS" -> Optional.of(SessionValue.FOUND_ROWS);
      case "VERSION" -> Optional.of(SessionValue.VERSION);
      default -> Optional.empty();
    };
  }

  private static Piece variable(String text) {
    if (!text.startsWith("@@")) {
      return new Piece.UserVariable(unquoted(text.substring(1)));
    }
    String name = text.substring(2).replace("`", "").toLowerCase(Locale.ROOT);
    for (String scope : new String[] {"session", "global", "local"}) {
      if (name.startsWith(scope + ".")) {
        String canonical = scope.equals("local") ? "SESSION" : scope.toUpperCase(Locale.ROOT);
        return new Piece.SystemVariable(canonical, name.substring(scope.length() + 1));
      }
    }
    return name.equals("version")
        ? new Piece.Session(SessionValue.VERSION)
        : new Piece.SystemVariable("", name);
  }

  private static String unquoted(String name) {
    boolean quoted = name.length() >= 2 && "`'\"".indexOf(name.charAt(0)) >= 0;
    return (quoted ? name.substring(1, name.length() - 1) : name).toLowerCase(Locale.ROOT);
  }
}
