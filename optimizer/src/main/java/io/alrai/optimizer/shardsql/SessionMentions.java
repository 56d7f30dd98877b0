package io.alrai.optimizer.shardsql;

import io.alrai.common.sql.VariableName;
import io.alrai.executor.fragment.SqlTemplate.Piece;
import io.alrai.executor.fragment.SqlTemplate.Scope;
import io.alrai.executor.fragment.SqlTemplate.SessionValue;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.api.token.VariableNames;
import io.alrai.optimizer.syntax.Mention;
import io.alrai.optimizer.syntax.SourceText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Puts holes where a statement asks for what only the session knows. */
public final class SessionMentions {
  /** Of LAST_INSERT_ID() as a system variable. */
  private static final Set<String> NAMES_OF_ID = Set.of("last_insert_id", "identity");

  private SessionMentions() {}

  /**
   * Adds the holes; variables that the statement assigns stay as they are.
   *
   * @param takesId whether that holds for LAST_INSERT_ID(), too
   */
  public static void edit(SourceText text, TextEdits edits, boolean takesId) {
    List<String> assigned = assigned(text);
    boolean id = takesId && setsLastInsertId(text);
    for (Mention mention : text.mentions()) {
      piece(mention)
          .filter(piece -> !isAssigned(piece, assigned, id))
          .ifPresent(piece -> edits.replace(mention.span(), piece));
    }
  }

  private static boolean isAssigned(Piece piece, List<String> variables, boolean id) {
    return switch (piece) {
      case Piece.UserVariable variable -> variables.contains(variable.name());
      case Piece.Session value -> id && value.value() == SessionValue.LAST_INSERT_ID;
      case Piece.SystemVariable variable -> id && NAMES_OF_ID.contains(variable.name().text());
      case Piece.Text _, Piece.Slot _, Piece.PlaceSchema _, Piece.Sum _ -> false;
    };
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
        String name = VariableNames.ofUserVariable(before.text());
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
    return text.mentions().stream().anyMatch(SessionMentions::mayBeLastInsertId);
  }

  /** Where {@code :=} and what may be LAST_INSERT_ID(expression) stand. */
  public static List<Span> assignments(SourceText text) {
    return text.mentions().stream()
        .filter(mention -> mention.what() == Mention.What.ASSIGNMENT || mayBeLastInsertId(mention))
        .map(Mention::span)
        .toList();
  }

  private static boolean mayBeLastInsertId(Mention mention) {
    return mention.what() == Mention.What.NAME && mention.text().equalsIgnoreCase("LAST_INSERT_ID");
  }

  private static Optional<Piece> piece(Mention mention) {
    return switch (mention.what()) {
      case CALL -> SessionValue.ofFunction(mention.text()).map(Piece.Session::new);
      case VARIABLE -> Optional.of(variable(mention.text()));
      case ASSIGNMENT, NAME -> Optional.empty();
    };
  }

  private static Piece variable(String text) {
    if (!text.startsWith("@@")) {
      return new Piece.UserVariable(VariableNames.ofUserVariable(text));
    }
    String name = text.substring(2).replace("`", "").toLowerCase(Locale.ROOT);
    for (String scope : new String[] {"session", "global", "local"}) {
      if (name.startsWith(scope + ".")) {
        return new Piece.SystemVariable(
            scope.equals("global") ? Scope.GLOBAL : Scope.SESSION,
            VariableName.of(name.substring(scope.length() + 1)));
      }
    }
    return name.equals("version")
        ? new Piece.Session(SessionValue.VERSION)
        : new Piece.SystemVariable(Scope.NONE, VariableName.of(name));
  }
}
