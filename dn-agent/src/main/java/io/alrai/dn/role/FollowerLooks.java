package io.alrai.dn.role;

import io.alrai.dn.group.CommitBrake;
import io.alrai.dn.group.GroupView;
import io.alrai.dn.raft.GroupLog;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A leader asks the others with rows how they are, and brakes its commits by their lags. So does a
 * member that must not lead, as it may be elected nevertheless.
 */
final class FollowerLooks implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(FollowerLooks.class);

  /** What was heard longer ago says nothing. */
  private static final long HEARD_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** What lags more has work to do before it leads. */
  private static final long IN_STEP_MILLIS = 500;

  private final String name;
  private final Supplier<List<String>> others;
  private final GroupLog groupLog;
  private final GroupView view;
  private final Supplier<Role> role;
  private final BooleanSupplier unfit;
  private final CommitBrake brake;
  private final LongSupplier nanos;
  private final Map<String, Heard> heard = new ConcurrentHashMap<>();
  private final Map<String, Boolean> asked = new ConcurrentHashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);

  private record Heard(MemberWord word, long nanos) {}

  /**
   * Asks nobody yet.
   *
   * @param others members with rows, without this one
   * @param unfit whether this one must not lead: then it needs to know who else can, too
   */
  FollowerLooks(
      String name,
      Supplier<List<String>> others,
      GroupLog groupLog,
      GroupView view,
      Supplier<Role> role,
      BooleanSupplier unfit,
      CommitBrake brake,
      LongSupplier nanos) {
    this.name = name;
    this.others = others;
    this.groupLog = groupLog;
    this.view = view;
    this.role = role;
    this.unfit = unfit;
    this.brake = brake;
    this.nanos = nanos;
  }

  void start() {
    Thread.ofVirtual().name("followers-" + name).start(this::run);
  }

  private void run() {
    try {
      while (!closed.await(CommitBrake.LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        try {
          look();
        } catch (RuntimeException e) {
          brake.release();
          log.warn("{}: the others are not looked at: {}", name, e.toString());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look() {
    boolean leads = role.get().leads();
    if (leads || unfit.getAsBoolean()) {
      others.get().forEach(this::ask);
    } else {
      heard.clear();
    }
    if (leads) {
      brake.look(lags());
    } else {
      brake.release();
    }
  }

  /** What is slow is not asked again meanwhile. */
  private void ask(String other) {
    if (asked.putIfAbsent(other, true) == null) {
      Thread.ofVirtual().name("ask-" + other).start(() -> askNow(other));
    }
  }

  private void askNow(String other) {
    try {
      MemberWord word = MemberWord.decode(groupLog.ask(other));
      heard.put(other, new Heard(word, nanos.getAsLong()));
    } catch (IOException | RuntimeException e) {
      log.debug("{}: {} does not say how it is: {}", name, other, e.toString());
    } finally {
      asked.remove(other);
    }
  }

  private Map<String, Long> lags() {
    Map<String, Long> lags = new TreeMap<>();
    for (String other : others.get()) {
      word(other)
          .filter(word -> word.applied() >= 0)
          .ifPresent(word -> lags.put(other, view.lag().millis(word.applied())));
    }
    return lags;
  }

  /** What another member has said lately. */
  Optional<MemberWord> word(String other) {
    return Optional.ofNullable(heard.get(other))
        .filter(last -> nanos.getAsLong() - last.nanos < HEARD_NANOS)
        .map(Heard::word);
  }

  /** Who could lead instead: the one that lags least of those that have said that they may. */
  Optional<String> best() {
    return others.get().stream()
        .filter(other -> word(other).filter(MemberWord::isFit).isPresent())
        .min(Comparator.comparingLong(this::lag));
  }

  /** Of these, one that has applied nearly all that is committed. */
  Optional<String> inStep() {
    return best().filter(other -> lag(other) <= IN_STEP_MILLIS);
  }

  private long lag(String other) {
    return word(other).map(word -> view.lag().millis(word.applied())).orElse(Long.MAX_VALUE);
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
