package io.alrai.dn.gate;

import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.link.PushAnswer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The transactions that are decided on this DN, its primaries.
 *
 * <pre>
 *           decide            submitted            arrived          acked          forget
 * UNDECIDED ------> DECIDING ----------> SUBMITTED -------> ARRIVED -----> DECIDED ------> gone
 *   |  ^ |            | ^ |                  |
 *   | push            | push                 | surely failed
 *   | given up,       | given up,            |
 *   | abandoned       | abandoned            |
 *   +--> gone         +--> gone              +--> gone
 * </pre>
 *
 * The commit timestamp is fixed when the decision is submitted, not before: a push still moves what
 * waits in DECIDING. A decision is final when it is acknowledged: a mysqld that dies before loses
 * it. A push at or above its timestamp waits until then. A transaction that is gone, or was never
 * here, and whose branch was prepared after this agent started, can only be pre-committed after the
 * push, so above it: the push has moved the clock. About an older one the log is asked.
 */
final class Decisions {
  private enum State {
    UNDECIDED,
    DECIDING,
    SUBMITTED,
    ARRIVED
  }

  private record Waiting(PushId push, HlcTimestamp above) {}

  private static final class Entry {
    private State state;
    private HlcTimestamp lowerBound;
    private HlcTimestamp proposed = HlcTimestamp.ZERO;
    private HlcTimestamp commitTs = HlcTimestamp.ZERO;
    private Optional<BinlogPosition> arrivedAt = Optional.empty();
    private final List<Waiting> waiting = new ArrayList<>();

    Entry(State state, HlcTimestamp lowerBound) {
      this.state = state;
      this.lowerBound = lowerBound;
    }
  }

  /** The result of a push. */
  sealed interface PushResult {
    /** Here it is. */
    record Answered(PushAnswer answer) implements PushResult {}

    /** It comes when the decision is final, or with the log's answer. */
    record Later() implements PushResult {}

    /** The log must be asked; the answer comes with {@link #settled}. */
    record FromLog() implements PushResult {}
  }

  /** An answer to a push that waited. */
  record Answer(PushId push, PushAnswer answer) {}

  private final GateRules rules;
  private final HlcTimestamp started;
  private final Map<TransactionId, Entry> entries = new LinkedHashMap<>();
  private final Map<TransactionId, HlcTimestamp> decided = new HashMap<>();
  private final Map<TransactionId, List<Waiting>> asksLog = new LinkedHashMap<>();

  /**
   * Begins without transactions.
   *
   * @param started the clock when the agent started
   */
  Decisions(GateRules rules, HlcTimestamp started) {
    this.rules = rules;
    this.started = started;
  }

  /** Whether none is UNDECIDED, DECIDING, SUBMITTED or ARRIVED. */
  boolean isEmpty() {
    return entries.isEmpty();
  }

  /** Enters UNDECIDED. */
  void preCommitted(TransactionId id, HlcTimestamp prepareTs) {
    entries.put(id, new Entry(State.UNDECIDED, prepareTs));
  }

  /**
   * UNDECIDED to DECIDING.
   *
   * @return false when it may not be decided any more
   */
  boolean decide(TransactionId id, HlcTimestamp proposed) {
    Entry entry = entries.get(id);
    if (entry == null || entry.state != State.UNDECIDED) {
      return false;
    }
    entry.state = State.DECIDING;
    entry.proposed = proposed;
    return true;
  }

  /** The transactions that are DECIDING, with the timestamps that they would have now. */
  Map<TransactionId, HlcTimestamp> unsubmitted() {
    if (entries.isEmpty()) {
      return Map.of();
    }
    Map<TransactionId, HlcTimestamp> found = new LinkedHashMap<>();
    entries.forEach((id, entry) -> {
      if (entry.state == State.DECIDING) {
        found.put(id, Fence.max(entry.proposed, entry.lowerBound));
      }
    });
    return found;
  }

  /** DECIDING to SUBMITTED. */
  void submitted(TransactionId id, HlcTimestamp commitTs) {
    Entry entry = entries.get(id);
    if (entry != null) {
      entry.state = State.SUBMITTED;
      entry.commitTs = commitTs;
    }
  }

  /** A decision came in the stream, perhaps one from before this agent started. */
  void arrived(TransactionId id, HlcTimestamp commitTs, BinlogPosition end) {
    Entry entry = entries.computeIfAbsent(id, key -> new Entry(State.SUBMITTED, commitTs));
    entry.state = State.ARRIVED;
    entry.commitTs = commitTs;
    entry.arrivedAt = Optional.of(end);
  }

  /** Everything up to there is acknowledged; the answers that waited for it. */
  List<Answer> acknowledged(BinlogPosition through) {
    List<Answer> answers = new ArrayList<>();
    Iterator<Map.Entry<TransactionId, Entry>> all = entries.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<TransactionId, Entry> next = all.next();
      Entry entry = next.getValue();
      if (entry.arrivedAt.isPresent() && entry.arrivedAt.get().compareTo(through) <= 0) {
        all.remove();
        decided.put(next.getKey(), entry.commitTs);
        PushAnswer answer = new PushAnswer.Committed(entry.commitTs);
        answerAll(entry.waiting, answer, answers);
        answers.addAll(settled(next.getKey(), answer));
      }
    }
    return answers;
  }

  /** It surely did not commit, or its tombstone is written. */
  List<Answer> failed(TransactionId id) {
    List<Answer> answers = new ArrayList<>();
    Entry entry = entries.get(id);
    if (entry != null && entry.state != State.ARRIVED) {
      entries.remove(id);
      answerAll(entry.waiting, new PushAnswer.Above(), answers);
    }
    return answers;
  }

  private static void answerAll(List<Waiting> waiting, PushAnswer answer, List<Answer> to) {
    waiting.forEach(w -> to.add(new Answer(w.push, answer)));
    waiting.clear();
  }

  /** What a request to give a transaction up found. */
  enum GivenUp {
    /** It is not decided, and cannot be any more; the log must be asked for older decisions. */
    GONE,
    /** As GONE, but its DECIDE waited here and must be refused. */
    GONE_DECIDING,
    /** It is being decided, or is. */
    AT_WORK
  }

  /** UNDECIDED or DECIDING to gone. */
  GivenUp giveUp(TransactionId id) {
    Entry entry = entries.get(id);
    if (entry == null) {
      return decided.containsKey(id) ? GivenUp.AT_WORK : GivenUp.GONE;
    }
    return switch (entry.state) {
      case UNDECIDED -> {
        entries.remove(id);
        yield GivenUp.GONE;
      }
      case DECIDING -> {
        entries.remove(id);
        yield GivenUp.GONE_DECIDING;
      }
      case SUBMITTED, ARRIVED -> GivenUp.AT_WORK;
    };
  }

  /** Forgets the decision: every participant has finished. */
  void forget(TransactionId id) {
    decided.remove(id);
  }

  /** Moves what is not decided here above a snapshot that is to be shown here. */
  void pushUndecided(HlcTimestamp snapshot) {
    for (Entry entry : entries.values()) {
      if ((entry.state == State.UNDECIDED || entry.state == State.DECIDING)
          && rules.mustPush(entry.lowerBound, snapshot)) {
        entry.lowerBound = above(snapshot);
      }
    }
  }

  private static HlcTimestamp above(HlcTimestamp snapshot) {
    return new HlcTimestamp(snapshot.value() + 1);
  }

  /**
   * Another DN asks. The clock must be at or above the snapshot already.
   *
   * @param prepareTs of the branch there; ZERO when it is not known
   */
  PushResult push(PushId push, TransactionId id, HlcTimestamp prepareTs, HlcTimestamp above) {
    HlcTimestamp commitTs = decided.get(id);
    if (commitTs != null) {
      return new PushResult.Answered(new PushAnswer.Committed(commitTs));
    }
    Entry entry = entries.get(id);
    if (entry == null) {
      if (prepareTs.compareTo(started) > 0) {
        return new PushResult.Answered(new PushAnswer.Above());
      }
      List<Waiting> asking = asksLog.computeIfAbsent(id, key -> new ArrayList<>());
      asking.add(new Waiting(push, above));
      return asking.size() == 1 ? new PushResult.FromLog() : new PushResult.Later();
    }
    return switch (entry.state) {
      case UNDECIDED, DECIDING -> {
        entry.lowerBound = Fence.max(entry.lowerBound, above(above));
        yield new PushResult.Answered(new PushAnswer.Above());
      }
      case SUBMITTED, ARRIVED -> {
        if (entry.commitTs.compareTo(above) > 0) {
          yield new PushResult.Answered(new PushAnswer.Above());
        }
        entry.waiting.add(new Waiting(push, above));
        yield new PushResult.Later();
      }
    };
  }

  /** The log's final answer about a transaction. */
  List<Answer> settled(TransactionId id, PushAnswer outcome) {
    List<Answer> answers = new ArrayList<>();
    List<Waiting> asked = asksLog.remove(id);
    if (asked != null) {
      answerAll(asked, outcome, answers);
    }
    return answers;
  }

  /** Whether every decision that is in the snapshot has arrived. */
  boolean settledFor(HlcTimestamp snapshot) {
    for (Entry entry : entries.values()) {
      if (entry.state == State.SUBMITTED && entry.commitTs.compareTo(snapshot) <= 0) {
        return false;
      }
    }
    return true;
  }
}
