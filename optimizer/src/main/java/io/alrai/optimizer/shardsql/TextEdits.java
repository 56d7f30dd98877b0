package io.alrai.optimizer.shardsql;

import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.SqlTemplate.Piece;
import io.alrai.optimizer.api.sql.SqlBuilder;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.syntax.SourceText;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Replacements in a source text. Two replacements of the same span are one; replacements do not
 * overlap. One thread.
 */
public final class TextEdits {
  private final String source;
  private final TreeMap<Integer, Edit> edits = new TreeMap<>();

  private record Edit(Span span, List<Piece> pieces) {}

  /** None but those that put slots where the text has them. */
  public TextEdits(SourceText text) {
    this.source = text.text();
    List<Span> slots = text.slots();
    for (int i = 0; i < slots.size(); i++) {
      edits.put(slots.get(i).start(), new Edit(slots.get(i), List.of(new Piece.Slot(i))));
    }
  }

  private TextEdits(TextEdits other) {
    this.source = other.source;
    this.edits.putAll(other.edits);
  }

  /** One that can be added to without effect on this. */
  public TextEdits copy() {
    return new TextEdits(this);
  }

  /** Replaces a piece of the text. */
  public TextEdits replace(Span span, Piece... pieces) {
    edits.subMap(span.start(), span.end()).clear();
    edits.put(span.start(), new Edit(span, List.of(pieces)));
    return this;
  }

  /** Replaces a piece of the text by fixed text. */
  public TextEdits replace(Span span, String sql) {
    return replace(span, new Piece.Text(sql));
  }

  /** Makes a piece of the text count as changed. */
  public void touch(Span span) {
    Span first = new Span(span.start(), span.start() + 1);
    replace(first, first.of(source));
  }

  /** Leaves out a piece of the text. */
  public TextEdits remove(Span span) {
    return replace(span);
  }

  /** Whether anything but slots is replaced within. */
  public boolean changes(Span span) {
    return edits.subMap(span.start(), span.end()).values().stream()
        .anyMatch(
            edit -> !(edit.pieces().size() == 1 && edit.pieces().getFirst() instanceof Piece.Slot));
  }

  /** A piece of the text with the replacements in it. */
  public SqlTemplate of(Span span) {
    return append(new SqlBuilder(), span).build();
  }

  /** Appends a piece of the text with the replacements in it. */
  public SqlBuilder append(SqlBuilder builder, Span span) {
    int position = span.start();
    for (Map.Entry<Integer, Edit> entry : edits.subMap(span.start(), span.end()).entrySet()) {
      Edit edit = entry.getValue();
      builder.text(source.substring(position, entry.getKey()));
      edit.pieces().forEach(builder::piece);
      position = edit.span().end();
    }
    if (position < span.end()) {
      builder.text(source.substring(position, span.end()));
    }
    return builder;
  }

  /** The text itself. */
  public String source() {
    return source;
  }
}
