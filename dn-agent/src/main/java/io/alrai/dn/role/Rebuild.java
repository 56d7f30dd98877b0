package io.alrai.dn.role;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.time.Backoff;
import io.alrai.dn.group.DonorPort;
import io.alrai.dn.group.MysqldClone;
import io.alrai.dn.group.MysqldClone.Progress;
import io.alrai.dn.link.DonorLogin;
import io.alrai.dn.link.Donors;
import io.alrai.dn.link.GroupLimit;
import io.alrai.dn.link.GroupLimits;
import io.alrai.dn.link.MemberStatus;
import io.alrai.dn.link.MemberStatus.Cloning;
import io.alrai.dn.mysqld.ClonedData;
import io.alrai.dn.mysqld.MysqldException;
import io.alrai.dn.mysqld.MysqldException.Reason;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gets all rows of a member from another one (docs/design/0077): its mysqld clones that one into a
 * directory of its own, and is killed when all is there; what it is started with next is the clone.
 * Until then nothing of what it has is touched. A clone that fails is begun again after a pause,
 * from another donor where there is one. Thread-safe; each attempt has a thread.
 */
public final class Rebuild implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Rebuild.class);

  private static final Duration ANSWER = Duration.ofSeconds(10);

  /** A mysqld looks for a donor that is gone for minutes. */
  private static final long MOST_LOST_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final String name;
  private final Place place;
  private final LongSupplier nanos;
  private final Supplier<Optional<Donors>> donors;
  private final Runnable changed;
  private final Backoff backoff = new Backoff();

  /** Whether a person wants it, whatever the mysqld has. */
  @GuardedBy("this")
  private boolean asked;

  /** Why; empty while the member needs nothing. */
  @GuardedBy("this")
  private String reason = "";

  @GuardedBy("this")
  private @Nullable Attempt attempt;

  @GuardedBy("this")
  private long againNanos;

  @GuardedBy("this")
  private int attempts;

  /** How many clones have taken the place of what the member had. */
  @GuardedBy("this")
  private int kept;

  /** Why the last attempt came to nothing. */
  @GuardedBy("this")
  private String error = "";

  /**
   * Nothing is to be done yet.
   *
   * @param nanos as {@link System#nanoTime}
   * @param donors the members, where this one knows them already
   * @param changed called when an attempt has ended
   */
  Rebuild(
      String name,
      Place place,
      LongSupplier nanos,
      Supplier<Optional<Donors>> donors,
      Runnable changed) {
    this.name = name;
    this.place = place;
    this.nanos = nanos;
    this.donors = donors;
    this.changed = changed;
  }

  /** The rows of a member come to where its mysqld has them. */
  public static Rebuild of(
      String name,
      Member member,
      GroupLimits limits,
      Supplier<Optional<Donors>> donors,
      Runnable changed) {
    MysqldClone mysqld =
        new MysqldClone(
            member.dn(),
            member.connector(),
            member.loop(1),
            () -> limits.of(GroupLimit.CLONE_SPEED));
    ClonedData data = new ClonedData(member.supervisor().instance());
    return new Rebuild(
        name, new OwnPlace(member, mysqld, data), member.context().nanos(), donors, changed);
  }

  /** Where rows come to, beside those that the member has. */
  interface Place {
    /**
     * Clones; returns when all is there and on disk.
     *
     * @param donor takes connections that are to lead to the donor's mysqld
     */
    void fetch(Consumer<Channel> donor, DonorLogin login, MysqldClone.Watch watch)
        throws InterruptedException;

    /** What was cloned takes the place of what the member has, at the next start. */
    void keep();

    /** Deletes what was cloned and not kept. */
    void discard();

    /** Ends the mysqld, which has not failed: it is started again without a pause. */
    void startAnew();
  }

  private record OwnPlace(Member member, MysqldClone mysqld, ClonedData data) implements Place {
    @Override
    public void fetch(Consumer<Channel> donor, DonorLogin login, MysqldClone.Watch watch)
        throws InterruptedException {
      try (DonorPort port = new DonorPort(member.loop(2), donor)) {
        mysqld.run(port.port(), login, data.begin(), watch);
        data.force();
      }
    }

    @Override
    public void keep() {
      data.keep();
    }

    @Override
    public void discard() {
      data.discard();
    }

    @Override
    public void startAnew() {
      member.endLife(false);
    }
  }

  /**
   * A person wants it.
   *
   * @param role of the member
   * @throws AlraiException while that leads, or is about to
   */
  synchronized void ask(Role role) {
    if (role.leads() || role == Role.PROMOTING) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE, name + " leads its group: let another one lead first");
    }
    if (!asked) {
      asked = true;
      error = "";
      againNanos = nanos();
    }
  }

  /** A person wants it, or does not want it any more; see {@link #ask}. */
  public void want(boolean wanted, Role role) {
    if (wanted) {
      ask(role);
    } else {
      giveUp();
    }
  }

  private synchronized void giveUp() {
    Attempt running = attempt;
    if (running != null && !running.ended) {
      running.unwanted = true;
    }
    forget();
  }

  /** The member is about to lead: its mysqld is not killed for what it has left of a clone. */
  synchronized void leads() {
    Attempt running = attempt;
    if (running != null) {
      running.unwanted = false;
    }
  }

  /** Whether a person wants it. */
  public synchronized boolean asked() {
    return asked;
  }

  /** The member is of use as it is: whoever asked for it has to ask again. */
  public synchronized void forget() {
    asked = false;
    reason = "";
    Attempt running = attempt;
    if (running != null) {
      running.end();
    }
  }

  /**
   * The member has no use before this is done. Called again and again; begins what is due.
   *
   * @param why it is done
   * @param life of the mysqld that is to clone
   */
  public synchronized void step(String why, long life) {
    if (!reason.equals(why)) {
      reason = why;
      againNanos = nanos();
    }
    if (attempt == null && nanos() - againNanos >= 0) {
      Attempt next = new Attempt(attempts++, life);
      attempt = next;
      Thread.ofVirtual().name("rebuild-" + name).start(next);
    }
  }

  /** How far it is, why it is done, and why it has not come further before. */
  public synchronized String sentence() {
    Attempt running = attempt;
    String now = running == null ? "" : running.sentence();
    return Stream.of(now, reason, error.isEmpty() ? "" : "before: " + error)
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining("; "));
  }

  /** How far it is, in numbers. */
  public synchronized Cloning cloning() {
    Attempt running = attempt;
    if (running == null || running.done) {
      return new Cloning(asked, kept, "", 0, 0);
    }
    Progress now = running.progress;
    return new Cloning(asked, kept, running.donor, now.bytes(), now.estimate());
  }

  private synchronized void over(String why) {
    attempt = null;
    error = why;
    againNanos = nanos() + backoff.pauseAfter(Duration.ZERO).toNanos();
  }

  /**
   * What an attempt has made is what the mysqld starts with next, unless the member has become of
   * use meanwhile. The attempt stays until then, so that no other one is begun.
   */
  private synchronized void keep(Attempt made) {
    if (made.ended) {
      throw made.unavailable("it is not needed any more");
    }
    place.keep();
    kept++;
    made.done = true;
    asked = false;
    error = "";
  }

  /** The mysqld has this life, which is a new one where it has started with a clone. */
  public synchronized void lives(long life) {
    Attempt last = attempt;
    if (last != null && last.done && last.life != life) {
      attempt = null;
    }
  }

  private long nanos() {
    return nanos.getAsLong();
  }

  /** One attempt. */
  private final class Attempt implements Runnable, MysqldClone.Watch {
    private final int number;
    private final long life;
    private volatile String donor = "";
    private volatile Progress progress = Progress.NONE;
    private volatile boolean ended;
    private volatile boolean done;

    /** A person has ended it, who may want another one soon. */
    private volatile boolean unwanted;

    /** When the donor was missed; 0 while it is there. */
    private volatile long lostNanos;

    Attempt(int number, long life) {
      this.number = number;
      this.life = life;
    }

    @Override
    public void run() {
      try {
        long since = nanos();
        cloneFromOne();
        log.info(
            "{} has cloned {} bytes of {} in {} ms: its mysqld starts with them",
            name,
            progress.bytes(),
            donor,
            TimeUnit.NANOSECONDS.toMillis(nanos() - since));
        place.startAnew();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (AlraiException e) {
        failed(e.sentence());
      } catch (MysqldException e) {
        boolean looks = e.reason() == Reason.INTERRUPTED || e.reason() == Reason.TIMEOUT;
        if (looks && (!ended || unwanted)) {
          // its mysqld does so for its donor for minutes, and takes no other one meanwhile
          place.startAnew();
        }
        failed(e.sentence());
      } catch (RuntimeException e) {
        log.error("{} gets no rows{}", name, from(), e);
        over(e.toString());
      } finally {
        changed.run();
      }
    }

    private void failed(String sentence) {
      log.warn("{} gets no rows{}: {}", name, from(), sentence);
      over(sentence);
    }

    private String from() {
      return donor.isEmpty() ? "" : " from " + donor;
    }

    private void cloneFromOne() throws InterruptedException {
      Donors known =
          donors.get().orElseThrow(() -> unavailable("no other member of its group is known yet"));
      donor = choose(known);
      DonorLogin login = get(known.offer(donor));
      try {
        place.fetch(channel -> known.relay(donor, channel, () -> lostNanos = nanos()), login, this);
        keep(this);
      } finally {
        place.discard();
      }
    }

    /** The followers first, those that lack least before others; then the leader. */
    private String choose(Donors known) throws InterruptedException {
      List<MemberStatus> able = new ArrayList<>();
      List<String> unable = new ArrayList<>();
      for (String other : known.names()) {
        if (other.equals(name)) {
          continue;
        }
        try {
          MemberStatus status = get(known.ask(other));
          if (status.leads() || status.state().equals(Role.FOLLOWING.name())) {
            able.add(status);
          } else {
            unable.add(other + " is " + status.state());
          }
        } catch (AlraiException e) {
          unable.add(other + ": " + e.sentence());
        }
      }
      if (able.isEmpty()) {
        throw unavailable("no other member has rows to clone: " + unable);
      }
      able.sort(
          Comparator.comparing(MemberStatus::leads).thenComparingLong(MemberStatus::unapplied));
      return able.get(number % able.size()).name();
    }

    private <T> T get(CompletableFuture<T> answer) throws InterruptedException {
      try {
        return answer.get(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
      } catch (ExecutionException e) {
        throw e.getCause() instanceof AlraiException known
            ? known
            : unavailable(String.valueOf(e.getCause()));
      } catch (TimeoutException e) {
        throw unavailable("it does not answer");
      }
    }

    private AlraiException unavailable(String sentence) {
      return new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, sentence);
    }

    void end() {
      ended = true;
    }

    @Override
    public void progress(Progress now) {
      progress = now;
    }

    @Override
    public boolean goesOn() {
      long since = lostNanos;
      return !ended && (since == 0 || nanos() - since < MOST_LOST_NANOS);
    }

    String sentence() {
      Progress now = progress;
      return donor.isEmpty()
          ? ""
          : "clones "
              + donor
              + ": "
              + (now.bytes() >> 20)
              + " of "
              + (now.estimate() >> 20)
              + " MiB";
    }
  }

  /** Ends an attempt that is at work. */
  @Override
  public synchronized void close() {
    Attempt running = attempt;
    if (running != null) {
      running.end();
    }
  }
}
