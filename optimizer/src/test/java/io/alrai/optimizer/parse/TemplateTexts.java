package io.alrai.optimizer.parse;

import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.SqlTemplate.Piece;

/** A template as text with its holes in angle brackets, for comparing. */
public final class TemplateTexts {
  private TemplateTexts() {}

  /** The text. */
  public static String of(SqlTemplate template) {
    StringBuilder text = new StringBuilder();
    for (Piece piece : template.pieces()) {
      text.append(
          switch (piece) {
            case Piece.Text fixed -> fixed.sql();
            case Piece.Slot slot -> "<?" + slot.index() + ">";
            case Piece.PlaceSchema place -> "<place>";
            case Piece.Session value -> "<" + value.value() + ">";
            case Piece.Sum sum -> "<?" + sum.first() + "+?" + sum.second() + ">";
            case Piece.UserVariable variable -> "<@" + variable.name() + ">";
            case Piece.SystemVariable variable ->
                "<@@"
                    + (variable.scope() == SqlTemplate.Scope.NONE ? "" : variable.scope() + ".")
                    + variable.name()
                    + ">";
          });
    }
    return text.toString();
  }
}
