package io.alrai.dn.group;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A group's log that commits when and what a test wants. */
final class ScriptedLog implements GroupCommits.Appender {
  final List<GroupEntry> entries = new ArrayList<>();
  private final List<CompletableFuture<Long>> answers = new ArrayList<>();

  @Override
  public CompletableFuture<Long> append(byte[] entry) {
    CompletableFuture<Long> answer = new CompletableFuture<>();
    entries.add(EntryCodec.decode(ByteBuffer.wrap(entry)));
    answers.add(answer);
    return answer;
  }

  void commit(int number) {
    answers.get(number).complete(100L + number);
  }

  void fail(int number) {
    answers.get(number).completeExceptionally(new IllegalStateException("entry " + number));
  }

  /** How many transactions each entry has; 0 for other entries. */
  List<Integer> counts() {
    return entries.stream()
        .map(
            entry -> entry instanceof GroupEntry.Transactions some ? some.transactions().size() : 0)
        .toList();
  }
}
