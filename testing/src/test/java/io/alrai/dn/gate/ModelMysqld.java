package io.alrai.dn.gate;

import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogPosition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the simulator needs of a mysqld: rows that are lists, row locks, XA, the binlog in the order
 * of group commit, semi-synchronous ACKs, visibility in binlog order, views at now, and a crash
 * that cuts off what was not acknowledged.
 */
public final class ModelMysqld {
  /** A connection with an open transaction. */
  static final class Connection {
    final Map<Integer, List<Long>> writes = new LinkedHashMap<>();
    boolean committing;
    boolean dead;

    /** Whether the mysqld has rolled its transaction back: it is in none. */
    boolean lost;

    /** Whether some of what it wrote was undone, by ROLLBACK TO SAVEPOINT. */
    boolean undone;
  }

  /** A transaction in the binlog. */
  public static final class Entry {
    final BinlogPosition end;
    final boolean mayEndGroup;
    public final Arrival arrival;
    public final ModelChange change;
    final Map<Integer, List<Long>> writes;
    private final Runnable visible;

    /** The last stamp that a gate gave it. */
    public @Nullable HlcTimestamp stamp;

    Entry(
        BinlogPosition end,
        boolean mayEndGroup,
        Arrival arrival,
        ModelChange change,
        Runnable visible) {
      this.end = end;
      this.mayEndGroup = mayEndGroup;
      this.arrival = arrival;
      this.change = change;
      this.writes = change.writes();
      this.visible = visible;
    }
  }

  private record Committing(
      Function<BinlogPosition, Arrival> arrival, ModelChange change, Runnable visible) {}

  private record Prepared(Map<Integer, List<Long>> writes, long since) {}

  private final World world;
  private final LogRules rules;
  final ModelFiles files = new ModelFiles();
  private final ModelRows engine = new ModelRows();
  private final Map<Integer, Object> locks = new HashMap<>();
  private final Map<Integer, Set<Object>> sharedLocks = new HashMap<>();
  private final Map<TransactionId, Prepared> prepared = new LinkedHashMap<>();
  private final Map<TransactionId, Prepared> ending = new LinkedHashMap<>();
  final ModelTxLog txLog = new ModelTxLog(this);

  private final Set<Connection> connections = new HashSet<>();
  private final List<Entry> binlog = new ArrayList<>();
  private int visible;
  private int released;
  private int inPipeline;
  private int groupEnd;
  private final List<Committing> unsynced = new ArrayList<>();
  private int incarnation;
  private Consumer<Entry> stream = entry -> {};
  private Consumer<List<Entry>> executed = entries -> {};

  /** Runs when a file is begun after what waits for its ACK. */
  Runnable rotated = () -> {};

  /** A mysqld that starts with what is on its disk. */
  ModelMysqld(World world, LogRules rules, ModelRows disk) {
    this.world = world;
    this.rules = rules;
    engine.rows.putAll(disk.rows);
    disk.prepared.forEach((id, writes) -> prepared.put(id, new Prepared(writes, world.now())));
    txLog.restore(disk.txLog);
    lockPrepared();
  }

  private void lockPrepared() {
    prepared.forEach((id, branch) -> branch.writes.keySet().forEach(key -> locks.put(key, id)));
  }

  /** Hears what has become visible, a commit group at a time. */
  public void executes(Consumer<List<Entry>> to) {
    executed = to;
  }

  /** All that is in its log. */
  public List<Entry> binlog() {
    return binlog;
  }

  BinlogPosition visibleThrough() {
    return position(visible);
  }

  private BinlogPosition position(int count) {
    return files.position(count);
  }

  private static int count(BinlogPosition position) {
    return ModelFiles.number(position);
  }

  /** Entries after a position. */
  List<Entry> after(BinlogPosition position) {
    return List.copyOf(binlog.subList(count(position), binlog.size()));
  }

  void stream(Consumer<Entry> to) {
    stream = to;
  }

  /** Whether something is on its way from COMMIT to visibility. */
  boolean busy() {
    return inPipeline > 0 || visible < binlog.size();
  }

  void later(long micros, Runnable action) {
    int then = incarnation;
    world.after(
        micros,
        () -> {
          if (incarnation == then) {
            action.run();
          }
        });
  }

  // Statements.

  Connection connect() {
    Connection connection = new Connection();
    connections.add(connection);
    return connection;
  }

  /** What a locking read sees, with the connection's own writes; null if the lock is taken. */
  @Nullable List<Long> append(Connection connection, int key, long value) {
    if (connection.dead || othersRead(connection, key)) {
      return null;
    }
    Object owner = locks.putIfAbsent(key, connection);
    if (owner != null && owner != connection) {
      return null;
    }
    List<Long> before = current(connection, key);
    connection.writes.computeIfAbsent(key, k -> new ArrayList<>()).add(value);
    return before;
  }

  /** Locks the row without changing it. */
  @Nullable List<Long> lockForUpdate(Connection connection, int key) {
    List<Long> now = append(connection, key, 0);
    if (now != null) {
      connection.writes.remove(key);
    }
    return now;
  }

  /** A statement fails, and the whole transaction is undone; the connection stays. */
  void lose(Connection connection) {
    connection.lost = true;
    connection.writes.clear();
    unlock(connection);
  }

  /** ROLLBACK TO SAVEPOINT of the last write of a row: its lock stays. */
  void undo(Connection connection, int key) {
    List<Long> values = connection.writes.get(key);
    if (values != null) {
      values.removeLast();
      connection.undone = true;
      if (values.isEmpty()) {
        connection.writes.remove(key);
      }
    }
  }

  private boolean othersRead(Connection connection, int key) {
    return sharedLocks.getOrDefault(key, Set.of()).stream().anyMatch(other -> other != connection);
  }

  /** What a read of current rows sees; null if the lock is taken. */
  @Nullable List<Long> lock(Connection connection, int key, boolean locks) {
    Object owner = this.locks.get(key);
    if (connection.dead || (locks && owner != null && owner != connection)) {
      return null;
    }
    if (locks) {
      sharedLocks.computeIfAbsent(key, k -> new HashSet<>()).add(connection);
    }
    return current(connection, key);
  }

  private void unlock(Object owner) {
    locks.values().removeIf(other -> other.equals(owner));
    sharedLocks.values().forEach(owners -> owners.remove(owner));
  }

  List<Long> current(Connection connection, int key) {
    List<Long> now = new ArrayList<>(engine.rows.getOrDefault(key, List.of()));
    now.addAll(connection.writes.getOrDefault(key, List.of()));
    return now;
  }

  void rollback(Connection connection) {
    if (!connection.committing && !connection.dead) {
      end(connection);
    }
  }

  private void end(Connection connection) {
    connection.dead = true;
    connections.remove(connection);
    unlock(connection);
  }

  /** The connections of a dead agent: those that do not commit just now are rolled back. */
  void dropConnections() {
    List.copyOf(connections).forEach(this::rollback);
  }

  void pipeline(Function<BinlogPosition, Arrival> arrival, ModelChange change, Runnable onVisible) {
    inPipeline++;
    later(
        world.between(20, 300),
        () -> {
          unsynced.add(new Committing(arrival, change, onVisible));
          if (unsynced.size() == 1) {
            later(world.between(5, 200), this::sync);
          }
        });
  }

  /** One fsync for all that wait; the last one of them is marked. */
  private void sync() {
    inPipeline -= unsynced.size();
    List<Committing> batch = List.copyOf(unsynced);
    unsynced.clear();
    rotate(0.1);
    for (int i = 0; i < batch.size(); i++) {
      Committing next = batch.get(i);
      BinlogPosition end = position(binlog.size() + 1);
      boolean mark = i == batch.size() - 1 || world.chance(0.05);
      Entry entry = new Entry(end, mark, next.arrival.apply(end), next.change, next.visible);
      files.logged(entry.writes.keySet());
      binlog.add(entry);
      stream.accept(entry);
    }
    rotate(0.3);
    gather();
  }

  /** A new file waits for commits, but not for XA COMMIT and XA ROLLBACK. */
  private void rotate(double probability) {
    boolean may =
        binlog.subList(visible, binlog.size()).stream()
            .allMatch(entry ->
                entry.arrival instanceof Arrival.XaCommit
                    || entry.arrival instanceof Arrival.XaRollback);
    if (may && world.chance(probability)) {
      files.rotate();
      if (visible < binlog.size()) {
        rotated.run();
      }
    }
  }

  /** A commit group is all that was synced when the one before had become visible. */
  private void gather() {
    if (groupEnd <= visible) {
      groupEnd = binlog.size();
      showGroup();
    }
  }

  private void showGroup() {
    if (groupEnd > visible && released >= groupEnd) {
      int end = groupEnd;
      later(
          world.between(5, 120),
          () -> {
            show(end);
            gather();
          });
    }
  }

  /** COMMIT of a plain transaction. */
  void commit(Connection connection, HlcTimestamp dependency, Consumer<BinlogPosition> done) {
    connection.committing = true;
    BinlogPosition[] at = new BinlogPosition[1];
    pipeline(
        end -> {
          at[0] = end;
          return new Arrival.Plain(end, dependency);
        },
        ModelChange.of(connection.writes),
        () -> {
          engine.write(connection.writes);
          end(connection);
          done.accept(at[0]);
        });
  }

  /**
   * COMMIT with its mark, which no tombstone stops; false if the connection is gone. In no
   * transaction it logs nothing, and a row is the decision.
   *
   * @param done gets whether that is in the log: not where all changes were undone
   */
  boolean decide(
      Connection connection, TransactionId id, HlcTimestamp commitTs, Consumer<Boolean> done) {
    if (connection.dead) {
      return false;
    }
    if (connection.undone && connection.writes.isEmpty() && !connection.lost) {
      connection.committing = true;
      later(
          50,
          () -> {
            end(connection);
            done.accept(false);
          });
      return true;
    }
    connection.committing = true;
    txLog.begins(id);
    pipeline(
        end -> new Arrival.Decision(end, id, commitTs),
        ModelChange.of(connection.writes),
        () -> {
          engine.write(connection.writes);
          txLog.ended(id);
          if (connection.lost) {
            txLog.write(id, commitTs.value());
          }
          end(connection);
          done.accept(true);
        });
    return true;
  }

  void xaPrepare(Connection connection, TransactionId id, Runnable done) {
    if (connection.writes.isEmpty()) {
      // not logged, and its locks are gone
      prepared.put(id, new Prepared(Map.of(), world.now()));
      end(connection);
      later(world.between(5, 100), done);
      return;
    }
    connection.committing = true;
    pipeline(
        end -> new Arrival.XaPrepare(end, id),
        new ModelChange(Map.of(), connection.writes, Map.of()),
        () -> {
          prepared.put(id, new Prepared(connection.writes, world.now()));
          connection.writes.keySet().forEach(key -> locks.put(key, id));
          sharedLocks.values().stream()
              .filter(owners -> owners.contains(connection))
              .forEach(owners -> owners.add(id));
          end(connection);
          done.run();
        });
  }

  /** Says whether the branch was known. */
  void xaEnd(TransactionId id, boolean commit, Consumer<Boolean> done) {
    Prepared branch = prepared.remove(id);
    if (branch == null || branch.writes.isEmpty()) {
      later(50, () -> done.accept(false));
      return;
    }
    ending.put(id, branch);
    pipeline(
        end -> commit ? new Arrival.XaCommit(end, id) : new Arrival.XaRollback(end, id),
        ModelChange.of(commit ? branch.writes : Map.of()),
        () -> {
          ending.remove(id);
          if (commit) {
            engine.write(branch.writes);
          }
          unlock(id);
          done.accept(true);
        });
  }

  /** Whether an XA COMMIT or XA ROLLBACK of it has not come to its end. */
  boolean isEnding(TransactionId id) {
    return ending.containsKey(id);
  }

  /** XA RECOVER. */
  public Set<TransactionId> recover() {
    return Set.copyOf(prepared.keySet());
  }

  /** Those that have been prepared for longer than that. */
  List<TransactionId> preparedBefore(long micros) {
    return prepared.entrySet().stream()
        .filter(e -> e.getValue().since < micros)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The rows that are visible. */
  public Map<Integer, List<Long>> view() {
    return new HashMap<>(engine.rows);
  }

  // Semi-synchronous replication.

  /** An ACK came: a commit group becomes visible when all of it is acknowledged. */
  void acknowledged(BinlogPosition through) {
    int upTo = count(through);
    if (upTo > binlog.size()) {
      throw new IllegalStateException("an ACK beyond the log");
    }
    if (upTo > released) {
      released = upTo;
      showGroup();
    }
  }

  private void show(int upTo) {
    int before = visible;
    while (visible < upTo) {
      Entry entry = binlog.get(visible++);
      entry.visible.run();
    }
    executed.accept(binlog.subList(before, visible));
  }

  /**
   * kill -9, and the restart after what was not acknowledged is cut off.
   *
   * @param acked the last position that the agent acknowledged
   */
  void crash(BinlogPosition acked) {
    int keep = Math.max(count(acked), visible);
    int left = rules.cutsEarlierFiles() ? keep : Math.max(keep, files.beforeLastFile());
    while (binlog.size() > left) {
      binlog.removeLast();
    }
    incarnation++;
    stream = entry -> {};
    inPipeline = 0;
    unsynced.clear();
    show(keep);
    // in the log, but their branches are prepared again
    visible = binlog.size();
    files.cut(visible);
    if (!rules.keepsFiles()) {
      files.delete(visible);
    }
    released = visible;
    groupEnd = visible;
    prepared.putAll(ending);
    ending.clear();
    prepared.values().removeIf(branch -> branch.writes.isEmpty());
    txLog.crash();
    connections.forEach(connection -> connection.dead = true);
    connections.clear();
    locks.clear();
    sharedLocks.clear();
    lockPrepared();
  }

  /** kill -9; nobody starts it again. */
  void end() {
    incarnation++;
    stream = entry -> {};
    connections.forEach(connection -> connection.dead = true);
    connections.clear();
  }
}
