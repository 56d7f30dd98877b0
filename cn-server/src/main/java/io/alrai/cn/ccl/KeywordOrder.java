package io.alrai.cn.ccl;

import io.alrai.executor.fragment.SlotValues;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.TokenCursor;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether a rule's keywords stand in a statement in their order, each as a whole word or a whole
 * value: words in any case, values exactly. What of a shape may be one is found once; an execution
 * compares these words and its values. Immutable.
 */
final class KeywordOrder {
  /** A word has none. */
  private static final int NO_SLOT = -1;

  private final List<String> keywords;

  private final List<Part> places;

  /**
   * A word of the shape, or a value.
   *
   * @param slot whose value, or {@link #NO_SLOT}
   * @param exact whether case counts
   */
  private record Part(String word, int slot, boolean exact) {}

  private KeywordOrder(List<String> keywords, List<Part> places) {
    this.keywords = keywords;
    this.places = places;
  }

  /** The keywords of a rule in a shape. */
  static KeywordOrder of(List<String> keywords, TokenCursor shape) {
    List<Part> places = new ArrayList<>();
    int slot = 0;
    for (int i = 0; i < shape.size(); i++) {
      TokenCursor.Token token = shape.token(i);
      if (token.kind() == TokenKind.PARAMETER) {
        places.add(new Part("", slot++, true));
      } else {
        boolean exact = token.kind() == TokenKind.STRING;
        String word = exact ? TokenCursor.unquoted(token.text(), true) : token.name();
        if (keywords.stream().anyMatch(keyword -> same(keyword, word, exact))) {
          places.add(new Part(word, NO_SLOT, exact));
        }
      }
    }
    return new KeywordOrder(keywords, List.copyOf(places));
  }

  private static boolean same(String keyword, String word, boolean exact) {
    return exact ? keyword.equals(word) : keyword.equalsIgnoreCase(word);
  }

  /** Whether an execution has them. */
  boolean in(ShapedStatement statement, SlotValues values, Charset charset) {
    int found = 0;
    int rows = Math.max(1, statement.foldedRows());
    int firstOfRow = statement.firstRowSlot();
    int endOfRow = firstOfRow + statement.slotsPerRow();
    for (Part place : places) {
      int slot = place.slot;
      if (slot == NO_SLOT) {
        found += same(keywords.get(found), place.word, place.exact) ? 1 : 0;
      } else {
        int moved = slot < endOfRow ? slot : slot + (rows - 1) * statement.slotsPerRow();
        found += keywords.get(found).equals(text(values, moved, charset)) ? 1 : 0;
        if (slot == endOfRow - 1 && found < keywords.size()) {
          found = inRows(found, endOfRow, (rows - 1) * statement.slotsPerRow(), values, charset);
        }
      }
      if (found == keywords.size()) {
        return true;
      }
    }
    return false;
  }

  /** All rows of an INSERT but the first, whose shape is that of one. */
  private int inRows(int before, int from, int count, SlotValues values, Charset charset) {
    int found = before;
    for (int slot = from; slot < from + count && found < keywords.size(); slot++) {
      found += keywords.get(found).equals(text(values, slot, charset)) ? 1 : 0;
    }
    return found;
  }

  private static String text(SlotValues values, int slot, Charset charset) {
    return values.kind(slot) == SlotValues.Kind.NULL
        ? "null"
        : new String(values.bytes(slot), charset);
  }
}
