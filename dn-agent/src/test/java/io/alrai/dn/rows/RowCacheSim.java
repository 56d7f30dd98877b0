package io.alrai.dn.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.TableName;
import io.alrai.dn.binlog.TransactionKind;
import io.alrai.dn.binlog.Xid;
import io.alrai.dn.link.KeptReplies;
import io.alrai.dn.link.KeyedTable;
import io.alrai.dn.link.ReplyKey;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random schedules of a mysqld whose commits arrive before they are visible, with readers of its
 * rows: what is found must be what the mysqld shows at that moment, or in that view. While the
 * table has a foreign key, the log has some of its changes as its parent's only. The seed is in the
 * message.
 */
class RowCacheSim {
  private static final int SEEDS = 3_000;
  private static final int STEPS = 300;
  private static final int KEYS = 6;
  private static final TableName NAME = new TableName("d_p00000", "t");
  private static final TableName PARENT = new TableName("d_p00000", "parent");
  private static final KeyedTable TABLE = new KeyedTable("d_p00000", "t", List.of("id"));

  /** A rule that is broken; each must be found out. */
  enum Broken {
    NONE,
    MARK_WHEN_ANSWERED,
    XA_COMMIT_NOT_SEEN,
    STATEMENT_NOT_SEEN,
    ARRIVAL_WHEN_VISIBLE,
    VISIBLE_WHEN_ARRIVED,
    WATCH_UNLOGGED
  }

  @Test
  void whatIsFoundIsWhatTheMysqldShows() {
    long found = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      World world = new World(seed, Broken.NONE);
      Optional<String> wrong = world.run();
      assertEquals(Optional.empty(), wrong, "seed " + seed);
      found += world.finds;
    }
    assertTrue(found > 5L * SEEDS, found + " found");
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void everyBrokenRuleIsFoundOut(Broken rule) {
    for (int seed = 0; seed < SEEDS; seed++) {
      if (new World(seed, rule).run().isPresent()) {
        return;
      }
    }
    throw new AssertionError(rule + " was not found out");
  }

  /** A commit that has arrived and is not visible. */
  private record Arrived(BinlogTransaction transaction, Map<Integer, Long> values, boolean ddl) {}

  /** Whether every change is in the log was asked for; answered by then, or later. */
  private record Asked(long since, Optional<Boolean> logged) {}

  /** A read of current rows that was sent; executed once it has a value. */
  private static final class Sent {
    final int key;
    final long mark;
    Optional<Long> value = Optional.empty();

    Sent(int key, long mark) {
      this.key = key;
      this.mark = mark;
    }
  }

  private record View(long shown, long[] values) {}

  private static final class World implements RowCache.Wants {
    private final Random random;
    private final Broken broken;
    private final long[] shown = new long[KEYS];
    private final ArrayDeque<Arrived> arrived = new ArrayDeque<>();
    private final Map<Xid, Map<Integer, Long>> prepared = new HashMap<>();
    private final Set<Integer> locked = new HashSet<>();
    private final List<Sent> sent = new ArrayList<>();
    private final List<View> views = new ArrayList<>();
    private final ReplyKey read = new ReplyKey();
    private final byte[] reply = new byte[64];
    private final RowCache cache;
    private Optional<Asked> asked = Optional.empty();

    /** Whether the table has a foreign key, as its dictionary shows. */
    private boolean unlogged;

    private int tableId = 1;
    private int transactions = 1;
    private long values;
    private long lastVisible = LoggedRows.end(1).ordinal();
    private long finds;
    private Optional<String> wrong = Optional.empty();

    World(long seed, Broken broken) {
      this.random = new Random(seed);
      this.broken = broken;
      this.cache = new RowCache(lastVisible, this, new LongAdder());
      this.unlogged = random.nextInt(3) == 0;
    }

    Optional<String> run() {
      for (int step = 0; step < STEPS && wrong.isEmpty(); step++) {
        step();
      }
      return wrong;
    }

    private void step() {
      switch (random.nextInt(20)) {
        case 0 -> commit();
        case 1 -> prepare();
        case 2 -> finish();
        case 3 -> {
          if (random.nextInt(20) == 0) {
            statement();
          }
        }
        case 4, 5 -> becomeVisible();
        case 6 -> cache.visible(lastVisible);
        case 7, 8 -> sent.add(new Sent(random.nextInt(KEYS), cache.visible()));
        case 9, 10 -> execute();
        case 11, 12 -> answer();
        case 13 -> view();
        case 14 -> answerWatch();
        case 15, 16, 17 -> findCurrent();
        default -> useView();
      }
    }

    private Map<Integer, Long> change() {
      Map<Integer, Long> changed = new HashMap<>();
      for (int i = 0; i <= random.nextInt(3); i++) {
        int key = random.nextInt(KEYS);
        if (!locked.contains(key)) {
          changed.put(key, ++values);
        }
      }
      return changed;
    }

    /** A definition locks the table. */
    private boolean changing() {
      return arrived.stream().anyMatch(Arrived::ddl);
    }

    private BinlogTransaction rows(TransactionKind kind, Set<Integer> keys) {
      if (unlogged && random.nextBoolean()) {
        return LoggedRows.update(++transactions, kind, PARENT, 0, List.copyOf(keys));
      }
      return random.nextInt(20) == 0
          ? LoggedRows.tooLong(++transactions, kind, NAME)
          : LoggedRows.update(++transactions, kind, NAME, tableId, List.copyOf(keys));
    }

    private void arrive(Arrived commit) {
      arrived.add(commit);
      locked.addAll(commit.values.keySet());
      boolean unseen =
          broken == Broken.ARRIVAL_WHEN_VISIBLE
              || broken == Broken.XA_COMMIT_NOT_SEEN
                  && commit.transaction.kind() instanceof TransactionKind.XaCommit
              || broken == Broken.STATEMENT_NOT_SEEN && commit.ddl;
      if (!unseen) {
        cache.arrived(commit.transaction);
      }
      if (broken == Broken.VISIBLE_WHEN_ARRIVED) {
        cache.visible(commit.transaction.end().ordinal());
      }
    }

    private void commit() {
      Map<Integer, Long> changed = change();
      if (!changing() && !changed.isEmpty()) {
        arrive(new Arrived(rows(new TransactionKind.Commit(), changed.keySet()), changed, false));
      }
    }

    private void prepare() {
      Map<Integer, Long> changed = change();
      if (!changing() && !changed.isEmpty()) {
        Xid xid = new Xid(1, "x" + transactions, "dn-1");
        prepared.put(xid, changed);
        locked.addAll(changed.keySet());
        cache.arrived(rows(new TransactionKind.XaPrepare(xid), changed.keySet()));
      }
    }

    private void finish() {
      if (prepared.isEmpty()) {
        return;
      }
      Xid xid = prepared.keySet().iterator().next();
      Map<Integer, Long> changed = prepared.remove(xid);
      if (random.nextInt(4) == 0) {
        locked.removeAll(changed.keySet());
        cache.arrived(LoggedRows.of(++transactions, new TransactionKind.XaRollback(xid)));
      } else {
        TransactionKind kind = new TransactionKind.XaCommit(xid);
        arrive(new Arrived(LoggedRows.of(++transactions, kind), changed, false));
      }
    }

    /** TRUNCATE, ALTER and the like: it waits for all that locks rows. */
    private void statement() {
      if (locked.isEmpty() && !changing()) {
        Map<Integer, Long> changed = new HashMap<>();
        for (int key = 0; key < KEYS; key++) {
          changed.put(key, ++values);
        }
        tableId++;
        arrive(
            new Arrived(
                LoggedRows.of(++transactions, new TransactionKind.Statement()), changed, true));
      }
    }

    private void becomeVisible() {
      Arrived next = arrived.poll();
      if (next != null) {
        if (broken == Broken.ARRIVAL_WHEN_VISIBLE && random.nextBoolean()) {
          next.values.forEach((key, value) -> shown[key] = value);
          findCurrent();
          cache.arrived(next.transaction);
        } else if (broken == Broken.ARRIVAL_WHEN_VISIBLE) {
          cache.arrived(next.transaction);
        }
        next.values.forEach((key, value) -> shown[key] = value);
        if (next.ddl && random.nextInt(3) == 0) {
          unlogged = !unlogged;
        }
        locked.removeAll(next.values.keySet());
        lastVisible = next.transaction.end().ordinal();
      }
    }

    private void execute() {
      if (!sent.isEmpty() && !changing()) {
        Sent next = sent.get(random.nextInt(sent.size()));
        if (next.value.isEmpty()) {
          next.value = Optional.of(shown[next.key]);
        }
      }
    }

    private void answer() {
      sent.stream()
          .filter(each -> each.value.isPresent())
          .findAny()
          .ifPresent(each -> {
            sent.remove(each);
            boolean late = broken == Broken.MARK_WHEN_ANSWERED;
            keep(each.key, late ? cache.visible() : each.mark, each.value.get());
          });
    }

    private void view() {
      if (!changing() && views.size() < 3) {
        views.add(new View(lastVisible, Arrays.copyOf(shown, KEYS)));
      } else if (!views.isEmpty()) {
        views.removeFirst();
      }
    }

    private void useView() {
      if (views.isEmpty()) {
        return;
      }
      View view = views.get(random.nextInt(views.size()));
      int key = random.nextInt(KEYS);
      check(key, find(key, view.shown), view.values[key], "in a view");
      keep(key, view.shown, view.values[key]);
    }

    private void findCurrent() {
      int key = random.nextInt(KEYS);
      check(key, find(key, KeptReplies.CURRENT), shown[key], "now");
    }

    private void check(int key, Optional<Long> found, long expected, String when) {
      if (found.isPresent()) {
        finds++;
        if (found.get() != expected) {
          wrong = Optional.of("row " + key + " is " + expected + " " + when + ", not " + found);
        }
      }
    }

    private void describe(int key) {
      read.begin(TABLE, KeyedTable.rowHash(TABLE.rowHash(), key));
      read.add("SELECT v FROM t WHERE id=" + key);
      read.seal();
    }

    private Optional<Long> find(int key, long at) {
      describe(key);
      int length = cache.find(read, at, reply);
      return length < 0 ? Optional.empty() : Optional.of(ByteBuffer.wrap(reply).getLong());
    }

    private void keep(int key, long mark, long value) {
      describe(key);
      cache.keep(read, mark, ByteBuffer.allocate(8).putLong(value).array(), 8);
    }

    @Override
    public void watched(KeyedTable table) {
      OptionalLong since = cache.statements();
      if (since.isEmpty()) {
        cache.askAgain(table);
        return;
      }
      boolean atOnce = random.nextBoolean();
      asked =
          Optional.of(
              new Asked(since.getAsLong(), atOnce ? Optional.of(!unlogged) : Optional.empty()));
    }

    private void answerWatch() {
      asked
          .filter(each -> broken == Broken.WATCH_UNLOGGED || each.logged.orElse(!unlogged))
          .ifPresent(each -> cache.watch(TABLE, each.since));
      asked = Optional.empty();
    }

    @Override
    public void laterVisible() {}
  }
}
