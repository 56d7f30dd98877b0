package io.alrai.cn.digest;

import io.alrai.cn.ask.Answers;
import io.alrai.cn.ask.AskRow;
import io.alrai.cn.ask.ClusterAsk;
import io.alrai.cn.settings.Diagnostics.Condition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What all CNs have counted, in one statement: they are asked once, when it is first wanted, which
 * blocks for a second at most. One thread.
 */
public final class ClusterDigests {
  private static final String TELL = "digests";
  private static final String FORGET = "forget digests";

  private final ClusterAsk asks;
  private @Nullable Answers answers;

  private record Key(String schema, String hash) {}

  /** Those that are there now. */
  public ClusterDigests(ClusterAsk asks) {
    this.asks = asks;
  }

  /** Lets other CNs see what this one has counted, and have it forget that. */
  public static void tell(ClusterAsk asks, StatementDigests digests) {
    asks.answers(TELL, question -> DigestAnswer.of(digests.rows()));
    asks.answers(
        FORGET,
        question -> {
          digests.clear();
          return List.of();
        });
  }

  /**
   * Has all CNs forget what they have counted.
   *
   * @return warnings that name those who have not answered
   */
  public static List<Condition> forget(ClusterAsk asks) {
    return asks.ask(FORGET, AskRow.of()).warnings();
  }

  /** The sums over all CNs, those first that took longest in all. */
  List<DigestRow> rows() {
    Answers known = answers;
    if (known == null) {
      known = asks.ask(TELL, AskRow.of());
      answers = known;
    }
    return sums(known.rows());
  }

  static List<DigestRow> sums(List<AskRow> told) {
    Map<Key, DigestRow> sums = new LinkedHashMap<>();
    for (AskRow each : told) {
      DigestRow row = DigestAnswer.read(each);
      DigestRow before = sums.putIfAbsent(new Key(row.counts().schema, row.hash()), row);
      if (before != null) {
        before.counts().add(row.counts());
      }
    }
    List<DigestRow> sorted = new ArrayList<>(sums.values());
    sorted.sort(Comparator.comparingLong(row -> -row.counts().sumNanos));
    return sorted;
  }

  /** What is to be said of CNs that have not answered; empty while nobody was asked. */
  public List<Condition> warnings() {
    Answers known = answers;
    return known == null ? List.of() : known.warnings();
  }
}
