package io.alrai.cn.ask;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.dn.ask.AskLine;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.client.LocalGms;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/** CNs that ask each other; a map stands for the agents. */
class ClusterAskTest {
  private static final String NAMES = "_%'\"` é漢.\\x";

  private final Map<String, ClusterAsk> connected = new TreeMap<>();
  private final LongAdder silent = new LongAdder();
  private Catalog catalog = catalog("cn-1", "cn-2", "cn-3");

  private static Catalog catalog(String... nodes) {
    LocalGms gms = new LocalGms(() -> 0);
    for (String node : nodes) {
      gms.submit(new CatalogCommand.RenewComputeNode(new NodeId(node), "localhost:1", 1, 0, 1_000));
    }
    return gms.catalog();
  }

  private ClusterAsk node(String name) {
    ClusterAsk asks =
        new ClusterAsk(new NodeId(name), () -> catalog, () -> 500, System::nanoTime, silent);
    asks.answers("name", question -> List.of(AskRow.of(name, question.get(0), null)));
    asks.over(() -> List.of(way(name)));
    connected.put(name, asks);
    return asks;
  }

  private AskRound.Way way(String from) {
    return (nodes, question, asker) ->
        nodes.forEach(node -> {
          ClusterAsk asked = connected.get(node);
          if (asked == null) {
            asker.absent(node);
          } else {
            asked.asked(from, question, reply -> asker.answered(node, reply));
          }
        });
  }

  @Test
  void allAnswer() {
    ClusterAsk one = node("cn-1");
    node("cn-2");
    node("cn-3");
    Answers answers = one.ask("name", AskRow.of(NAMES));
    assertEquals(
        List.of("cn-1", "cn-2", "cn-3"), answers.rows().stream().map(row -> row.text(0)).toList());
    assertTrue(answers.rows().stream().allMatch(row -> row.text(1).equals(NAMES)));
    assertTrue(answers.rows().stream().allMatch(row -> row.get(2) == null && row.get(3) == null));
    assertEquals(List.of(), answers.warnings());
    assertEquals(0, silent.sum());
  }

  @Test
  void whoDoesNotAnswerIsNamed() {
    ClusterAsk one = node("cn-1");
    node("cn-2").over(List::of);
    connected.put(
        "cn-2",
        new ClusterAsk(new NodeId("cn-2"), () -> catalog, () -> 0, System::nanoTime, silent));
    Answers answers = one.ask("name", AskRow.of("x"));
    assertEquals(List.of("cn-1"), List.copyOf(answers.byNode().keySet()));
    assertEquals(List.of("cn-2", "cn-3"), List.copyOf(answers.silent().keySet()));
    assertEquals(AskRound.ABSENT, answers.silent().get("cn-3"));
    assertTrue(answers.silent().get("cn-2").contains("another version"), answers.toString());
    List<Condition> warnings = answers.warnings();
    assertEquals(ErrorCode.ALRAI_NODE_UNAVAILABLE.errno(), warnings.getFirst().code());
    assertTrue(warnings.getFirst().message().contains("'cn-2'"), warnings.toString());
    assertEquals(2, silent.sum());
  }

  @Test
  void whoseLeaseIsOverAndWhoIsNotConnectedIsSimplyNotThere() {
    connected.clear();
    ClusterAsk late =
        new ClusterAsk(new NodeId("cn-1"), () -> catalog, () -> 1_001, System::nanoTime, silent);
    late.answers("name", question -> List.of());
    late.over(() -> List.of(way("cn-1")));
    assertEquals(Map.of(), late.ask("name", AskRow.of()).silent());
  }

  @Test
  void aQuestionThatComesTwiceIsDoneOnce() throws Exception {
    LongAdder done = new LongAdder();
    ClusterAsk two = node("cn-2");
    two.answers(
        "do",
        question -> {
          done.increment();
          return List.of(AskRow.of(done.sum()));
        });
    byte[] question = AskPayload.write(new AskPayload.Question(9, "do", AskRow.of()));
    List<CompletableFuture<byte[]>> replies = new ArrayList<>();
    for (String from : List.of("cn-1", "cn-1", "cn-3")) {
      CompletableFuture<byte[]> reply = new CompletableFuture<>();
      two.asked(from, question, reply::complete);
      reply.get(10, TimeUnit.SECONDS);
      replies.add(reply);
    }
    assertEquals(2, done.sum());
    assertEquals("1", AskPayload.answer(replies.get(1).get()).rows().getFirst().text(0));
  }

  private static CompletableFuture<byte[]> asked(ClusterAsk asks, long id, String kind) {
    CompletableFuture<byte[]> reply = new CompletableFuture<>();
    byte[] question = AskPayload.write(new AskPayload.Question(id, kind, AskRow.of()));
    asks.asked("cn-1", question, reply::complete);
    return reply;
  }

  @Test
  void aQuestionThatFoundNoRoomIsAnsweredWhenItComesAgain() throws Exception {
    CompletableFuture<List<AskRow>> until = new CompletableFuture<>();
    ClusterAsk two = node("cn-2");
    two.answers("wait", question -> until.join());
    List<CompletableFuture<byte[]>> replies = new ArrayList<>();
    for (int id = 0; id < 64; id++) {
      replies.add(asked(two, id, "wait"));
    }
    CompletableFuture<byte[]> tooMany = asked(two, 64, "wait");
    until.complete(List.of());
    for (CompletableFuture<byte[]> reply : replies) {
      reply.get(10, TimeUnit.SECONDS);
    }
    assertEquals(
        AskPayload.ANSWERED,
        AskPayload.answer(asked(two, 64, "wait").get(10, TimeUnit.SECONDS)).status());
    assertFalse(tooMany.isDone());
  }

  @Test
  void aDefectIsAnAnswerToo() throws Exception {
    ClusterAsk two = node("cn-2");
    AlraiException reason = new AlraiException(ErrorCode.ALRAI_INTERNAL, "a session's");
    two.answers(
        "fail",
        question -> {
          throw new CompletionException(reason);
        });
    for (int i = 0; i < 2; i++) { // the second time it is known
      AskPayload.Answer answer = AskPayload.answer(asked(two, 1, "fail").get(10, TimeUnit.SECONDS));
      assertEquals(AskPayload.FAILED, answer.status());
      assertEquals("a session's", answer.rows().getFirst().text(0));
    }
  }

  @Test
  void whatNoRecordHasRoomForIsSaidToBeTooMuch() throws Exception {
    ClusterAsk two = node("cn-2");
    String most = "x".repeat(AskLine.MOST_ANSWER_BYTES);
    two.answers("much", question -> List.of(AskRow.of(most)));
    byte[] answer = asked(two, 1, "much").get(30, TimeUnit.SECONDS);
    assertTrue(answer.length < 100, answer.length + " bytes");
    assertEquals(AskPayload.FAILED, AskPayload.answer(answer).status());
  }

  @Test
  void anErrorIsToldToWhoAsks() {
    ClusterAsk one = node("cn-1");
    catalog = catalog("cn-1", "cn-2");
    node("cn-2")
        .answers(
            "name",
            question -> {
              throw new AlraiException(ErrorCode.ALRAI_INTERNAL, "no names today");
            });
    assertEquals(Map.of("cn-2", "says: no names today"), one.ask("name", AskRow.of()).silent());
    assertThrows(IllegalStateException.class, () -> one.ask("what nobody knows", AskRow.of()));
  }

  @Test
  void aSecondWayIsTriedWhereTheFirstHasNoSuchNodeOrIsSilent() {
    List<String> said = new ArrayList<>();
    AskLine.Asker[] kept = new AskLine.Asker[1];
    AskRound.Way silentWay =
        (nodes, question, asker) -> {
          said.add("first " + nodes);
          kept[0] = asker;
        };
    AskRound.Way second = (nodes, question, asker) -> said.add("second " + nodes);
    AskRound round = new AskRound(List.of("a"), List.of(silentWay, second), new byte[0]);
    round.ask();
    round.ask();
    round.ask();
    assertEquals(List.of("first [a]", "second [a]"), said);
    kept[0].absent("a");
    assertEquals(AskRound.SILENT, round.reason("a"));
    kept[0].absent("a");
    assertTrue(round.over().isDone());
    assertEquals(AskRound.ABSENT, round.reason("a"));
    round.answered("a", AskPayload.write(new AskPayload.Answer(0, List.of())));
    assertEquals(1, round.answers().size());
  }

  @Test
  void whoWasNotAskedYetIsWaitedFor() {
    List<String> said = new ArrayList<>();
    AskRound.Way way =
        (nodes, question, asker) -> {
          said.addAll(nodes);
          if (said.size() == 1) {
            asker.absent(said.getFirst());
          }
        };
    AskRound round = new AskRound(List.of("a", "b"), List.of(way), new byte[0]);
    round.ask();
    assertEquals(2, said.size());
    assertFalse(round.over().isDone());
    assertEquals(AskRound.ABSENT, round.reason(said.getFirst()));
    assertEquals(AskRound.SILENT, round.reason(said.getLast()));
    round.answered(said.getLast(), AskPayload.write(new AskPayload.Answer(0, List.of())));
    assertTrue(round.over().isDone());
  }

  @Test
  void whatIsNoQuestionOrAnswerIsSaidToBeNone() {
    byte[] whole = AskPayload.write(new AskPayload.Question(1, "k", AskRow.of(NAMES, null)));
    for (int length = 0; length < whole.length; length++) {
      assertTrue(AskPayload.question(Arrays.copyOf(whole, length)).isEmpty());
    }
    assertEquals(NAMES, AskPayload.question(whole).orElseThrow().row().text(0));
    byte[] answer = AskPayload.write(new AskPayload.Answer(0, List.of(AskRow.of(NAMES))));
    for (int length = 0; length < answer.length; length++) {
      assertEquals(AskPayload.UNKNOWN, AskPayload.answer(Arrays.copyOf(answer, length)).status());
    }
    answer[0] = 2;
    assertEquals(AskPayload.UNKNOWN, AskPayload.answer(answer).status());
  }
}
