package io.alrai.cn.blocked;

import io.alrai.cn.ask.Answers;
import io.alrai.cn.blocked.SessionConnections.Owner;
import io.alrai.cn.session.SessionRegistry;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.cn.statement.LogicalNames;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.gms.api.Catalog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Who waits for whose lock in one statement: all DNs and all CNs are asked at once, for a second at
 * most. One thread.
 */
public final class LockWaits {
  private static final long PATIENCE_MILLIS = 900;

  private final ShardQueries queries;
  private final SessionSettings settings;
  private final SessionRegistry sessions;
  private final LogicalNames names;
  private final List<Condition> warnings = new ArrayList<>();

  /** One answer of a DN that is waited for. */
  private record Asked(Thread thread, CompletableFuture<List<MysqldWait>> waits) {}

  /**
   * Waits as of now.
   *
   * @param settings of connections to the mysqlds
   */
  public LockWaits(
      ShardQueries queries,
      SessionSettings settings,
      SessionRegistry sessions,
      Supplier<Catalog> catalog) {
    this.queries = queries;
    this.settings = settings;
    this.sessions = sessions;
    this.names = new LogicalNames(catalog);
  }

  /** Lets other CNs know which connections the sessions of this one have. */
  public static void tell(SessionRegistry sessions) {
    SessionConnections.tell(sessions);
  }

  /** The waits, the oldest first; blocks. */
  public List<LockWait> find() {
    Map<DnId, Asked> asked = new TreeMap<>(Comparator.comparing(DnId::name));
    queries.links().dns().forEach(dn -> asked.put(dn, ask(dn)));
    Answers answers = SessionConnections.ask(sessions);
    warnings.addAll(answers.warnings());
    SessionConnections connections = new SessionConnections(answers);
    List<LockWait> found = new ArrayList<>();
    asked.forEach((dn, one) -> {
      for (MysqldWait wait : answer(dn, one)) {
        found.add(wait(dn, wait, connections));
      }
    });
    found.sort(Comparator.comparing(wait -> Objects.requireNonNullElse(wait.started(), "")));
    return found;
  }

  /** DNs and CNs that have not answered. */
  public List<Condition> warnings() {
    return warnings;
  }

  private Asked ask(DnId dn) {
    CompletableFuture<List<MysqldWait>> waits = new CompletableFuture<>();
    Thread thread =
        Thread.startVirtualThread(() -> {
          try {
            waits.complete(MysqldWaits.of(queries, settings, dn));
          } catch (RuntimeException e) {
            waits.completeExceptionally(e);
          }
        });
    return new Asked(thread, waits.orTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS));
  }

  private List<MysqldWait> answer(DnId dn, Asked asked) {
    try {
      return asked.waits.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TimeoutException) {
        asked.thread.interrupt();
        warn(dn, "has not answered within a second");
      } else {
        warn(dn, "says: " + AlraiException.causeOf(e).sentence());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return List.of();
  }

  private void warn(DnId dn, String why) {
    warnings.add(
        new Condition(
            "Warning",
            ErrorCode.ALRAI_NODE_UNAVAILABLE.errno(),
            "DN '" + dn.name() + "' " + why + "; what it has is missing here"));
  }

  private LockWait wait(DnId dn, MysqldWait wait, SessionConnections connections) {
    return new LockWait(
        dn.name(),
        side(dn, wait.waiting(), wait.wanted(), connections),
        side(dn, wait.blocking(), wait.had(), connections));
  }

  private LockWait.Side side(
      DnId dn,
      MysqldWait.Transaction transaction,
      Optional<MysqldWait.Lock> lock,
      SessionConnections connections) {
    Optional<Owner> owner = connections.owner(dn.name(), transaction.connection());
    return new LockWait.Side(
        transaction,
        lock.map(this::logical),
        owner.map(Owner::session),
        owner.flatMap(known -> Optional.ofNullable(known.statement())));
  }

  private MysqldWait.Lock logical(MysqldWait.Lock lock) {
    String schema = lock.schema();
    return new MysqldWait.Lock(
        lock.id(),
        schema == null ? null : names.schema(schema),
        lock.table(),
        lock.partition(),
        lock.subpartition(),
        lock.index(),
        lock.type(),
        lock.mode());
  }
}
