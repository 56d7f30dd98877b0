package io.alrai.optimizer.syntax;

import io.alrai.optimizer.api.text.SyntaxException;

/** Texts that begin with an expression. Pure. */
public final class ExpressionText {
  private ExpressionText() {}

  /**
   * Where the expression ends that a text begins with.
   *
   * @return index after its last character
   * @throws SyntaxException when it begins with none
   */
  public static int end(SourceText text) {
    Cursor cursor = new Cursor(text.tokens());
    Expr read = new QueryParser(cursor).expressions().expression();
    if (read instanceof Expr.Star star) {
      throw new SyntaxException(star.span().start());
    }
    return cursor.last().end();
  }
}
