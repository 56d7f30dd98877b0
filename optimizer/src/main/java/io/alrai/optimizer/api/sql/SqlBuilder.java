package io.alrai.optimizer.api.sql;

import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.SqlTemplate.Piece;
import java.util.ArrayList;
import java.util.List;

/** Puts a template together; neighbouring texts become one. One thread. */
public final class SqlBuilder {
  private final List<Piece> pieces = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();

  /** Appends fixed text. */
  public SqlBuilder text(String sql) {
    text.append(sql);
    return this;
  }

  /** Appends a hole, or text. */
  public SqlBuilder piece(Piece piece) {
    if (piece instanceof Piece.Text fixed) {
      text.append(fixed.sql());
    } else {
      flush();
      pieces.add(piece);
    }
    return this;
  }

  /** Appends another template. */
  public SqlBuilder template(SqlTemplate template) {
    template.pieces().forEach(this::piece);
    return this;
  }

  /** Whether nothing was appended. */
  public boolean isEmpty() {
    return pieces.isEmpty() && text.isEmpty();
  }

  private void flush() {
    if (!text.isEmpty()) {
      pieces.add(new Piece.Text(text.toString()));
      text.setLength(0);
    }
  }

  /** What was appended so far. */
  public SqlTemplate build() {
    flush();
    return new SqlTemplate(pieces);
  }
}
