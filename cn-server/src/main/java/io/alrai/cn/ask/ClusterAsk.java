package io.alrai.cn.ask;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.NodeId;
import io.alrai.dn.ask.AskLine;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.node.ComputeNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks all CNs, and answers what others ask. Kinds of questions are named by their owners, who say
 * what this CN {@link #answers}. Thread-safe.
 */
public final class ClusterAsk implements AskLine.Listener {
  private static final Logger log = LoggerFactory.getLogger(ClusterAsk.class);

  /** Within a second, with what comes before and after. */
  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(900);

  /** After so long a question goes over the next DN's agent, too. */
  private static final long NEXT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** How many questions of others are answered at the same time; what is more is not answered. */
  private static final int MOST_AT_WORK = 64;

  /** How many questions are known again when they come over another DN's agent. */
  private static final int MOST_KNOWN = 1_000;

  /** A longer answer is not kept for the same question: it is computed again. */
  private static final int MOST_KEPT_BYTES = 4_096;

  /** What this CN answers. Blocking, on a virtual thread. */
  public interface Answerer {
    /**
     * Answers.
     *
     * @throws AlraiException its sentence is what the other CN gets
     */
    List<AskRow> answer(AskRow question);
  }

  private final NodeId self;
  private final Supplier<Catalog> catalog;
  private final LongSupplier wallMillis;
  private final LongSupplier nanoTime;
  private final LongAdder silent;
  private final Map<String, Answerer> answerers = new ConcurrentHashMap<>();
  private final AtomicInteger atWork = new AtomicInteger();
  private volatile Supplier<List<AskRound.Way>> ways = List::of;

  @GuardedBy("itself")
  private final LinkedHashMap<String, CompletableFuture<byte[]>> known =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, CompletableFuture<byte[]>> eldest) {
          return size() > MOST_KNOWN;
        }
      };

  /**
   * A CN that knows no way to others yet.
   *
   * @param catalog which CNs there are
   * @param wallMillis milliseconds since 1970, as leases have them
   * @param nanoTime as {@link System#nanoTime}
   * @param silent counts those that do not answer
   */
  public ClusterAsk(
      NodeId self,
      Supplier<Catalog> catalog,
      LongSupplier wallMillis,
      LongSupplier nanoTime,
      LongAdder silent) {
    this.self = self;
    this.catalog = catalog;
    this.wallMillis = wallMillis;
    this.nanoTime = nanoTime;
    this.silent = silent;
  }

  /** The ways to the others; asked for each question. */
  void over(Supplier<List<AskRound.Way>> found) {
    ways = found;
  }

  /** Milliseconds since 1970, by which CNs tell each other when they asked. */
  public long nowMillis() {
    return wallMillis.getAsLong();
  }

  /** Answers questions of that kind. */
  public void answers(String kind, Answerer answerer) {
    answerers.put(kind, answerer);
  }

  /**
   * Asks all CNs, this one too. Blocking, for a second at most.
   *
   * @throws AlraiException what this CN itself would say
   */
  public Answers ask(String kind, AskRow question) {
    List<String> others =
        catalog.get().computeNodes().stream()
            .map(node -> node.id().name())
            .filter(name -> !name.equals(self.name()))
            .toList();
    long until = nanoTime.getAsLong() + PATIENCE_NANOS;
    AskRound round = begin(kind, question, others);
    Answers answers = Answers.of(self.name(), own(kind, question));
    await(round, until);
    return gather(round, others, answers);
  }

  /**
   * Asks one other CN. Blocking, for a second at most.
   *
   * @return its rows, or why there are none
   */
  public Answers askOne(String node, String kind, AskRow question) {
    long until = nanoTime.getAsLong() + PATIENCE_NANOS;
    AskRound round = begin(kind, question, List.of(node));
    await(round, until);
    return gather(round, List.of(node), new Answers(new TreeMap<>(), new TreeMap<>()));
  }

  private List<AskRow> own(String kind, AskRow question) {
    Answerer answerer = answerers.get(kind);
    if (answerer == null) {
      throw new IllegalStateException("nobody here answers " + kind);
    }
    return answerer.answer(question);
  }

  private AskRound begin(String kind, AskRow row, List<String> nodes) {
    long id = ThreadLocalRandom.current().nextLong();
    byte[] question = AskPayload.write(new AskPayload.Question(id, kind, row));
    AskRound round = new AskRound(nodes, ways.get(), question);
    round.ask();
    return round;
  }

  private void await(AskRound round, long untilNanos) {
    long left;
    while ((left = untilNanos - nanoTime.getAsLong()) > 0) {
      try {
        round.over().get(Math.min(left, NEXT_NANOS), TimeUnit.NANOSECONDS);
        return;
      } catch (TimeoutException _) {
        round.ask();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private Answers gather(AskRound round, List<String> nodes, Answers own) {
    SortedMap<String, List<AskRow>> rows = new TreeMap<>(own.byNode());
    SortedMap<String, String> missing = new TreeMap<>();
    Map<String, AskPayload.Answer> answers = round.answers();
    for (String node : nodes) {
      AskPayload.Answer answer = answers.get(node);
      if (answer == null) {
        String reason = round.reason(node);
        if (!reason.equals(AskRound.ABSENT) || isAlive(node)) {
          missing.put(node, reason);
        }
        continue;
      }
      switch (answer.status()) {
        case AskPayload.ANSWERED -> rows.put(node, answer.rows());
        case AskPayload.FAILED ->
            missing.put(
                node,
                "says: " + answer.rows().stream().findFirst().map(row -> row.text(0)).orElse(""));
        default -> missing.put(node, "does not know this question: it has another version");
      }
    }
    silent.add(missing.size());
    return new Answers(rows, missing);
  }

  /** One whose lease has run out, and that no agent has a connection of, is simply not there. */
  private boolean isAlive(String node) {
    long now = wallMillis.getAsLong();
    return catalog.get().computeNodes().stream()
        .filter(known -> known.id().name().equals(node))
        .mapToLong(ComputeNode::leaseUntilMillis)
        .anyMatch(until -> until > now);
  }

  @Override
  public void asked(String node, byte[] bytes, Consumer<byte[]> reply) {
    CompletableFuture<byte[]> answer = new CompletableFuture<>();
    AskPayload.Question question = AskPayload.question(bytes).orElse(null);
    if (question == null) {
      reply.accept(AskPayload.write(new AskPayload.Answer(AskPayload.UNKNOWN, List.of())));
      return;
    }
    String name = node + ":" + question.id();
    synchronized (known) {
      CompletableFuture<byte[]> earlier = known.get(name);
      if (earlier != null) {
        earlier.thenAccept(reply);
        return;
      }
      if (atWork.incrementAndGet() > MOST_AT_WORK) {
        atWork.decrementAndGet();
        log.warn(
            "more than {} questions of other CNs at a time; one is not answered", MOST_AT_WORK);
        return;
      }
      known.put(name, answer);
    }
    answer.thenAccept(reply);
    Thread.startVirtualThread(() -> {
      byte[] computed = AskPayload.write(failed("an error"));
      try {
        computed = written(question);
      } finally {
        atWork.decrementAndGet();
        if (computed.length > MOST_KEPT_BYTES) {
          synchronized (known) {
            known.remove(name);
          }
        }
        answer.complete(computed);
      }
    });
  }

  private byte[] written(AskPayload.Question question) {
    byte[] answer = AskPayload.write(compute(question));
    if (answer.length <= AskLine.MOST_ANSWER_BYTES) {
      return answer;
    }
    log.warn("too much to tell another CN of {}: {} bytes", question.kind(), answer.length);
    return AskPayload.write(failed("too much to tell: " + answer.length + " bytes"));
  }

  private AskPayload.Answer compute(AskPayload.Question question) {
    Answerer answerer = answerers.get(question.kind());
    if (answerer == null) {
      return new AskPayload.Answer(AskPayload.UNKNOWN, List.of());
    }
    try {
      return new AskPayload.Answer(AskPayload.ANSWERED, answerer.answer(question.row()));
    } catch (AlraiException e) {
      return failed(e.sentence());
    } catch (RuntimeException defect) {
      log.warn("another CN's question of {} has failed", question.kind(), defect);
      return failed(AlraiException.causeOf(defect).sentence());
    }
  }

  private static AskPayload.Answer failed(String why) {
    return new AskPayload.Answer(AskPayload.FAILED, List.of(AskRow.of(why)));
  }
}
