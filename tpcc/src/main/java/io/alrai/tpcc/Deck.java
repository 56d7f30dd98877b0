package io.alrai.tpcc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The mix as a deck of a hundred cards per terminal, shuffled whenever it is used up (TPC-C
 * 5.2.4.2), so that the shares are exact even in short runs.
 */
final class Deck {
  private final TpccRandom random;
  private final List<TpccTransactionType> cards = new ArrayList<>();
  private int next;

  Deck(TpccRandom random) {
    this.random = random;
    for (TpccTransactionType type : TpccTransactionType.values()) {
      cards.addAll(Collections.nCopies(type.percent(), type));
    }
    this.next = cards.size();
  }

  TpccTransactionType draw() {
    if (next == cards.size()) {
      random.shuffle(cards);
      next = 0;
    }
    return cards.get(next++);
  }
}
