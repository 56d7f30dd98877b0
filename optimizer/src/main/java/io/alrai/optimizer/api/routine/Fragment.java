package io.alrai.optimizer.api.routine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * A statement or an expression with holes where it names variables of its routine.
 *
 * @param texts what stands around the holes: one more than there are holes
 * @param slots the variable of each hole
 * @param rowCounts of each hole, whether a LIMIT clause wants a bare number there
 */
public record Fragment(List<String> texts, List<Integer> slots, List<Boolean> rowCounts) {
  public Fragment {
    texts = List.copyOf(texts);
    slots = List.copyOf(slots);
    rowCounts = List.copyOf(rowCounts);
  }

  /** One without holes. */
  public static Fragment of(String text) {
    return new Fragment(List.of(text), List.of(), List.of());
  }

  /** The text with a parameter marker in each hole. */
  public String marked() {
    return String.join("?", texts);
  }

  /**
   * The text with something else in each hole.
   *
   * @param filling of the hole of that index
   */
  public String filled(IntFunction<String> filling) {
    StringBuilder text = new StringBuilder(texts.getFirst());
    for (int i = 0; i < slots.size(); i++) {
      text.append(filling.apply(i)).append(texts.get(i + 1));
    }
    return text.toString();
  }

  /** Whether the variable of that number is equal to this expression. */
  public Fragment comparedWith(int slot) {
    List<String> allTexts = new ArrayList<>(texts);
    allTexts.set(0, " = (" + texts.getFirst());
    allTexts.addFirst("");
    allTexts.set(allTexts.size() - 1, allTexts.getLast() + ")");
    List<Integer> allSlots = new ArrayList<>(slots);
    allSlots.addFirst(slot);
    List<Boolean> allCounts = new ArrayList<>(rowCounts);
    allCounts.addFirst(false);
    return new Fragment(allTexts, allSlots, allCounts);
  }

  /** A copy with a text before and after it. */
  public Fragment within(String before, String behind) {
    List<String> all = new ArrayList<>(texts);
    all.set(0, before + all.getFirst());
    all.set(all.size() - 1, all.getLast() + behind);
    return new Fragment(all, slots, rowCounts);
  }
}
