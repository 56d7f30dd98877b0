package io.alrai.optimizer.api.explain;

import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.SqlTemplate.Piece;
import java.util.Locale;

/** A template as one line: slots as {@code ?n}, other holes in braces. */
final class TemplateText {
  private TemplateText() {}

  static String of(SqlTemplate template) {
    StringBuilder text = new StringBuilder();
    template.pieces().forEach(piece -> text.append(of(piece)));
    return text.toString().replaceAll("\\s+", " ").strip();
  }

  private static String of(Piece piece) {
    return switch (piece) {
      case Piece.Text fixed -> fixed.sql();
      case Piece.Slot slot -> "?" + slot.index();
      case Piece.PlaceSchema schema -> "{schema}";
      case Piece.Session session -> "{" + session.value().name().toLowerCase(Locale.ROOT) + "}";
      case Piece.Sum sum -> "?" + sum.first() + "+?" + sum.second();
      case Piece.UserVariable variable -> "{@" + variable.name() + "}";
      case Piece.SystemVariable variable ->
          "{@@"
              + (variable.scope() == SqlTemplate.Scope.NONE ? "" : variable.scope() + ".")
              + variable.name()
              + "}";
    };
  }
}
