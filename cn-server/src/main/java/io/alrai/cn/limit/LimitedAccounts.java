package io.alrai.cn.limit;

import io.alrai.cn.ask.Answers;
import io.alrai.cn.ask.AskRow;
import io.alrai.cn.limit.AccountLogins.Others;
import io.alrai.cn.protocol.LoginLimits;
import io.alrai.cn.session.SessionRegistry;
import io.alrai.cn.settings.ClientIdentity;
import io.alrai.cn.settings.GlobalVariables;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.settings.UsedAccount;
import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metric;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.thread.Pause;
import io.alrai.gms.api.Account;
import io.alrai.gms.api.AccountLimits;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.GmsService;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The limits of accounts at one CN. Sessions are counted where they are registered, and others are
 * asked for theirs when somebody logs in to such an account; what it has in an hour is asked for
 * once a second while there is something to tell. Thread-safe.
 */
public final class LimitedAccounts implements LoginLimits {
  private static final Logger log = LoggerFactory.getLogger(LimitedAccounts.class);
  private static final String KIND = "limits";

  /** A CN answers few questions at a time. */
  private static final int MOST_QUESTIONS = 8;

  /** Longer than a question takes as a rule: of two CNs that want the same places one waits. */
  private static final long PAUSE_MILLIS = 10;

  private final NodeId self;
  private final SessionRegistry sessions;
  private final GlobalVariables globals;
  private final Supplier<Catalog> catalog;
  private final LongSupplier wallMillis;
  private final Executor threads;
  private final LongAdder refused;
  private final String started;
  private final Map<String, AccountLogins> accounts = new ConcurrentHashMap<>();
  private final Map<String, Map<String, Long>> heard = new ConcurrentHashMap<>();
  private final AtomicLong flushedMillis = new AtomicLong();
  private final AtomicBoolean looking = new AtomicBoolean();
  private final Semaphore questions = new Semaphore(MOST_QUESTIONS);

  /**
   * Those of a CN, which answers others from now on.
   *
   * @param threads runs what blocks
   * @param refused counts logins that get an error
   */
  private LimitedAccounts(
      NodeId self,
      SessionRegistry sessions,
      GlobalVariables globals,
      Supplier<Catalog> catalog,
      LongSupplier wallMillis,
      Executor threads,
      LongAdder refused) {
    this.self = self;
    this.sessions = sessions;
    this.globals = globals;
    this.catalog = catalog;
    this.wallMillis = wallMillis;
    this.threads = threads;
    this.refused = refused;
    this.started = Long.toString(wallMillis.getAsLong());
    sessions.asks().answers(KIND, this::answer);
  }

  /** Those of a CN, which follow the catalog and FLUSH USER_RESOURCES. */
  public static LimitedAccounts of(
      NodeId self,
      SessionRegistry sessions,
      SettingsRegistry settings,
      GmsService gms,
      Metrics metrics) {
    LimitedAccounts limits =
        new LimitedAccounts(
            self,
            sessions,
            settings.globals(),
            gms::catalog,
            System::currentTimeMillis,
            Thread::startVirtualThread,
            metrics.adder(Metric.LIMITED_LOGINS));
    gms.onChange(limits::follow);
    settings.followResources(limits::flush);
    return limits;
  }

  /** Follows the catalog; never blocks. Any thread. */
  private void follow(Catalog changed) {
    accounts.forEach((name, logins) -> {
      Account account = changed.accounts().get(name);
      logins.use().limits(account == null ? AccountLimits.NONE : account.limits());
      if (account == null) {
        accounts.remove(name);
        heard.remove(name);
      }
    });
  }

  @Override
  public @Nullable CompletableFuture<Place> enter(ClientIdentity identity) {
    Account account = catalog.get().accounts().get(identity.account());
    AccountLimits limits = account == null ? AccountLimits.NONE : account.limits();
    boolean asks = limits.ofLogins() || globals.maxUserConnections() > 0;
    if (!asks && !limits.ofStatements()) {
      return null;
    }
    AccountLogins logins = logins(identity.account(), limits);
    if (!asks) {
      return CompletableFuture.completedFuture(new Counted(logins.use()));
    }
    return logins
        .enter()
        .whenComplete((place, error) -> {
          if (error != null) {
            refused.increment();
          }
        });
  }

  private AccountLogins logins(String name, AccountLimits limits) {
    return accounts.computeIfAbsent(
        name,
        key ->
            new AccountLogins(
                self.name(),
                new AccountUse(key, limits, wallMillis),
                globals::maxUserConnections,
                () -> registered(key),
                (claimed, pauses, next, failed) ->
                    threads.execute(() -> {
                      Others others;
                      try {
                        if (pauses) {
                          Pause.ofMillis(PAUSE_MILLIS);
                        }
                        others = ask(key, claimed);
                      } catch (RuntimeException e) {
                        log.warn("nobody can be asked for the sessions of {}", key, e);
                        failed.accept(e);
                        return;
                      }
                      next.accept(others);
                    })));
  }

  private int registered(String account) {
    int count = 0;
    for (SessionRegistry.Entry entry : sessions.all()) {
      if (entry.session().user().login().account().equals(account)) {
        count++;
      }
    }
    return count;
  }

  /** Blocks for a second at most. What a CN that is silent has is what it had last. */
  private Others ask(String account, long claimed) {
    Answers answers = asked(AskRow.of(account, self.name(), claimed, flushedMillis.get()));
    Map<String, Long> last = heard.computeIfAbsent(account, key -> new ConcurrentHashMap<>());
    Map<String, Long> now = new HashMap<>();
    long pending = 0;
    for (Map.Entry<String, List<AskRow>> node : answers.byNode().entrySet()) {
      if (node.getKey().equals(self.name())) {
        continue;
      }
      for (AskRow row : take(node.getKey(), node.getValue())) {
        now.merge(node.getKey(), row.number(1), Long::sum);
        pending += row.number(2);
      }
    }
    answers.silent().keySet().forEach(node -> now.put(node, last.getOrDefault(node, 0L)));
    last.keySet().retainAll(now.keySet());
    last.putAll(now);
    return new Others(now.values().stream().mapToLong(Long::longValue).sum(), pending);
  }

  private Answers asked(AskRow question) {
    questions.acquireUninterruptibly();
    try {
      return sessions.asks().ask(KIND, question);
    } finally {
      questions.release();
    }
  }

  /** Takes what a CN says of the hour. */
  private List<AskRow> take(String node, List<AskRow> rows) {
    if (rows.isEmpty()) {
      return rows;
    }
    AskRow head = rows.getFirst();
    flushed(head.number(1));
    if (head.number(1) >= flushedMillis.get()) {
      for (AskRow row : rows.subList(1, rows.size())) {
        AccountLogins known = accounts.get(row.text(0));
        if (known != null) {
          known
              .use()
              .heard(
                  node + "@" + head.text(0),
                  new HourCounts(row.number(3), row.number(4), row.number(5), row.number(6)));
        }
      }
    }
    return rows.subList(1, rows.size());
  }

  private List<AskRow> answer(AskRow question) {
    flushed(question.number(3));
    List<AskRow> rows = new ArrayList<>();
    rows.add(AskRow.of(started, flushedMillis.get()));
    String account = question.get(0);
    if (account == null) {
      accounts.values().stream()
          .filter(logins -> logins.use().limits().ofHours())
          .filter(logins -> logins.use().own().startMillis() != 0)
          .forEach(logins -> rows.add(row(logins.use(), new Others(0, 0))));
      return rows;
    }
    AccountLogins logins = accounts.get(account);
    if (logins == null) {
      rows.add(AskRow.of(account, registered(account), 0, 0, 0, 0, 0));
    } else if (!question.text(1).equals(self.name())) {
      rows.add(row(logins.use(), logins.answer(question.text(1), question.number(2))));
    }
    return rows;
  }

  private static AskRow row(AccountUse use, Others here) {
    HourCounts own = use.own();
    return AskRow.of(
        use.account(),
        here.sessions(),
        here.claimed(),
        own.startMillis(),
        own.queries(),
        own.updates(),
        own.logins());
  }

  /** Once a second: others are asked for what limited accounts have had there. Any thread. */
  public void look() {
    boolean asks = false;
    for (AccountLogins logins : accounts.values()) {
      asks |= logins.use().takeAsks();
    }
    if (asks && looking.compareAndSet(false, true)) {
      threads.execute(() -> {
        try {
          tell(node -> {});
        } finally {
          looking.set(false);
        }
      });
    }
  }

  private void tell(Consumer<String> silent) {
    Answers answers = asked(AskRow.of(null, self.name(), 0, flushedMillis.get()));
    answers
        .byNode()
        .forEach((node, rows) -> {
          if (!node.equals(self.name())) {
            take(node, rows);
          }
        });
    answers.silent().keySet().forEach(silent);
  }

  /** FLUSH USER_RESOURCES: hours begin anew, at all CNs. Blocks for a second at most. */
  private void flush() {
    flushed(Math.max(wallMillis.getAsLong(), flushedMillis.get() + 1));
    tell(node -> log.info("{} is silent; it begins its hours anew when it is asked next", node));
  }

  private void flushed(long millis) {
    if (flushedMillis.get() < millis) {
      accounts.values().forEach(logins -> logins.use().reset()); // before others hear of it
      flushedMillis.accumulateAndGet(millis, Math::max);
    }
  }

  /** Nobody has to be asked about such a login. */
  private record Counted(UsedAccount account) implements Place {
    @Override
    public void close() {
      // it is no place
    }
  }
}
