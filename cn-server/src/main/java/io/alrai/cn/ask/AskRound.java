package io.alrai.cn.ask;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.dn.ask.AskLine;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * One question on its way to several CNs. It goes over the agent of one DN; to a CN that has no
 * connection there, or that has not answered for a while, over the next one's. Thread-safe.
 */
final class AskRound implements AskLine.Asker {
  static final String ABSENT = "is connected to no agent";
  static final String SILENT = "has not answered within a second";

  /** How far the question to one CN is. */
  private static final class Missing {
    /** The next way to ask over. */
    private int next;

    /** Over how many ways no word has come yet. */
    private int open;

    /** Whether an answer may still come, also over a way that is to be asked. */
    boolean waits(int ways) {
      return open > 0 || next < ways;
    }
  }

  /** A way to other CNs. */
  interface Way {
    /** As {@link AskLine#ask}. */
    void ask(List<String> nodes, byte[] question, AskLine.Asker asker);
  }

  private final List<Way> ways;
  private final byte[] question;
  private final CompletableFuture<Void> over = new CompletableFuture<>();

  @GuardedBy("this")
  private final Map<String, Missing> missing = new HashMap<>();

  @GuardedBy("this")
  private final Map<String, AskPayload.Answer> answers = new TreeMap<>();

  AskRound(List<String> nodes, List<Way> ways, byte[] question) {
    this.ways = List.copyOf(ways);
    this.question = question;
    nodes.forEach(node -> missing.put(node, new Missing()));
  }

  /** Completes when nobody is missing whose answer may still come. */
  CompletableFuture<Void> over() {
    return over;
  }

  /** Asks those that are missing over their next way. */
  void ask() {
    List<String> nodes;
    synchronized (this) {
      nodes = List.copyOf(missing.keySet());
    }
    nodes.forEach(this::ask);
    look();
  }

  private void ask(String node) {
    Way next;
    synchronized (this) {
      Missing way = missing.get(node);
      if (way == null || way.next >= ways.size()) {
        return;
      }
      next = ways.get(way.next);
      way.next++;
      way.open++;
    }
    next.ask(List.of(node), question, this);
  }

  @Override
  public void answered(String node, byte[] bytes) {
    AskPayload.Answer answer = AskPayload.answer(bytes);
    synchronized (this) {
      if (missing.remove(node) != null) {
        answers.put(node, answer);
      }
    }
    look();
  }

  @Override
  public void absent(String node) {
    synchronized (this) {
      Missing way = missing.get(node);
      if (way == null) {
        return;
      }
      way.open--;
    }
    ask(node);
    look();
  }

  private void look() {
    boolean waits;
    synchronized (this) {
      waits = missing.values().stream().anyMatch(way -> way.waits(ways.size()));
    }
    if (!waits) {
      over.complete(null);
    }
  }

  /** Who has answered. */
  synchronized Map<String, AskPayload.Answer> answers() {
    return Map.copyOf(answers);
  }

  /** Why there is no answer of a CN. */
  synchronized String reason(String node) {
    Missing way = missing.get(node);
    return way == null || way.waits(ways.size()) ? SILENT : ABSENT;
  }
}
