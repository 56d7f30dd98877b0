package io.alrai.cn.limit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.cn.protocol.LoginLimits.Place;
import io.alrai.cn.settings.CountedStatement;
import io.alrai.cn.settings.UsedAccount;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Account;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Logins to one account at one CN. Those that come while the other CNs are asked are in the next
 * round: there is one at a time. Thread-safe; nobody is called while it is locked.
 *
 * <pre>
 *   WAITING -> CLAIMED (in a round) -> GRANTED -> a session, or none
 *                                   -> refused
 * </pre>
 *
 * What is claimed is known to others before anybody is asked, and who asks counts, too, for those
 * with a round of their own. So a CN that is not counted by another one's round comes to its
 * decision later than that one, and the last to decide counts all: there are never too many
 * sessions. Where there may not be enough for all who ask at the same time, they ask again; of two
 * of them the one whose name comes first hears nothing of the claims of the other, who pauses, so
 * that one of them is alone.
 */
final class AccountLogins {
  /** After so many rounds whoever was heard of meanwhile counts as if he had got his places. */
  private static final int MOST_ROUNDS = 10;

  /** What the other CNs have of an account. */
  record Others(long sessions, long claimed) {}

  /** Asks the other CNs. */
  interface Asking {
    /**
     * Asks, and goes on within a second, on any thread.
     *
     * @param claimed how many places are wanted
     * @param pauses whether it waits for a moment first
     * @param failed takes why nobody could be asked, instead
     */
    void ask(
        long claimed, boolean pauses, Consumer<Others> next, Consumer<RuntimeException> failed);
  }

  private final String node;
  private final AccountUse use;
  private final LongSupplier global;
  private final IntSupplier sessions;
  private final Asking asking;

  @GuardedBy("this")
  private final List<CompletableFuture<Place>> waiting = new ArrayList<>();

  @GuardedBy("this")
  private List<CompletableFuture<Place>> claimed = List.of();

  @GuardedBy("this")
  private int granted;

  /** What CNs have claimed that have asked since this one began to. */
  @GuardedBy("this")
  private long disturbing;

  /** Whether one of them goes first. */
  @GuardedBy("this")
  private boolean yields;

  @GuardedBy("this")
  private int rounds;

  @GuardedBy("this")
  private boolean atWork;

  /**
   * Logins at a CN.
   *
   * @param node the CN's name
   * @param global how many sessions an account without a limit of its own may have; 0 for any
   * @param sessions how many it has at this CN
   */
  AccountLogins(
      String node, AccountUse use, LongSupplier global, IntSupplier sessions, Asking asking) {
    this.node = node;
    this.use = use;
    this.global = global;
    this.sessions = sessions;
    this.asking = asking;
  }

  AccountUse use() {
    return use;
  }

  /** Somebody logs in. */
  CompletableFuture<Place> enter() {
    CompletableFuture<Place> place = new CompletableFuture<>();
    synchronized (this) {
      waiting.add(place);
      if (atWork) {
        return place;
      }
      atWork = true;
    }
    begin();
    return place;
  }

  private void begin() {
    int wanted;
    synchronized (this) {
      claimed = new ArrayList<>(waiting);
      waiting.clear();
      rounds = 0;
      disturbing = 0;
      yields = false;
      wanted = claimed.size();
    }
    asking.ask(wanted, false, this::told, this::failed);
  }

  /**
   * Another CN asks.
   *
   * @param asker its name
   * @param wanted how many places it wants
   */
  synchronized Others answer(String asker, long wanted) {
    long registered = sessions.getAsInt() + granted;
    if (claimed.isEmpty()) {
      return new Others(registered, 0);
    }
    disturbing += wanted;
    boolean first = node.compareTo(asker) < 0;
    yields |= !first;
    return new Others(registered, first ? claimed.size() : 0);
  }

  private void told(Others others) {
    try {
      takes(others);
    } catch (RuntimeException e) {
      failed(e);
    }
  }

  private void takes(Others others) {
    Decided decided;
    int wanted;
    boolean pauses;
    synchronized (this) {
      decided = decide(others);
      wanted = claimed.size();
      pauses = yields;
      yields = false;
    }
    if (decided == null) {
      asking.ask(wanted, pauses, this::told, this::failed);
      return;
    }
    decided.tell();
    if (decided.more) {
      begin();
    }
  }

  /** Null where the others are to be asked again. */
  @GuardedBy("this")
  private @Nullable Decided decide(Others others) {
    long most = use.limits().sessions() > 0 ? use.limits().sessions() : global.getAsLong();
    long used = sessions.getAsInt() + granted + others.sessions() + others.claimed();
    long room = most == 0 ? Long.MAX_VALUE : Math.max(0, most - used);
    long logins = use.loginsLeft();
    long free = Math.min(room, logins) - disturbing;
    if (free < claimed.size() && disturbing > 0 && ++rounds < MOST_ROUNDS) {
      disturbing = 0;
      return null;
    }
    int granting = (int) Math.clamp(free, 0L, (long) claimed.size());
    for (int i = 0; i < granting; i++) {
      use.login();
    }
    granted += granting;
    List<CompletableFuture<Place>> asked = claimed;
    claimed = List.of();
    atWork = !waiting.isEmpty();
    AlraiException refusal =
        room <= logins ? full() : use.reached("max_connections_per_hour", use.limits().logins());
    return new Decided(asked, granting, refusal, atWork);
  }

  private AlraiException full() {
    long own = use.limits().sessions();
    return own > 0
        ? use.reached("max_user_connections", own)
        : new AlraiException(
            ErrorCode.ER_TOO_MANY_USER_CONNECTIONS,
            "User "
                + Account.userOf(use.account())
                + " already has more than 'max_user_connections' active connections");
  }

  private synchronized void free() {
    granted--;
  }

  /** What comes of a round: the first of those who asked get places. */
  private final class Decided {
    private final List<CompletableFuture<Place>> asked;
    private final int granting;
    private final AlraiException refusal;
    private final boolean more;

    Decided(
        List<CompletableFuture<Place>> asked, int granting, AlraiException refusal, boolean more) {
      this.asked = asked;
      this.granting = granting;
      this.refusal = refusal;
      this.more = more;
    }

    void tell() {
      for (int i = 0; i < asked.size(); i++) {
        if (i < granting) {
          asked.get(i).complete(new Granted());
        } else {
          asked.get(i).completeExceptionally(refusal);
        }
      }
    }
  }

  /** Whoever waits, or is in a round, gets an error: nobody could be asked. */
  private void failed(RuntimeException reason) {
    List<CompletableFuture<Place>> all;
    synchronized (this) {
      all = new ArrayList<>(claimed);
      all.addAll(waiting);
      claimed = List.of();
      waiting.clear();
      atWork = false;
    }
    all.forEach(place -> place.completeExceptionally(reason));
  }

  /** A place that is granted, until its session is among the registered ones. */
  private final class Granted implements Place, UsedAccount {
    private final AtomicBoolean closed = new AtomicBoolean();

    @Override
    public UsedAccount account() {
      return this;
    }

    @Override
    public void statement(boolean asked, @Nullable CountedStatement kind) {
      use.statement(asked, kind);
    }

    @Override
    public long mostSessions() {
      return use.mostSessions();
    }

    /** From one to the other at once: whoever counts now sees one of them. */
    @Override
    public void enters(Runnable registers) {
      synchronized (AccountLogins.this) {
        registers.run();
        close();
      }
    }

    @Override
    public void close() {
      if (closed.compareAndSet(false, true)) {
        free();
      }
    }
  }
}
