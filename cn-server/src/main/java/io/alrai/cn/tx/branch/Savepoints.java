package io.alrai.cn.tx.branch;

import io.alrai.cn.branch.BranchControl;
import io.alrai.cn.snapshot.SnapshotOpening.Request;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.sql.Sql;
import io.alrai.dn.link.Branch;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The savepoints of a transaction, in their order. Event loop only. */
public final class Savepoints {
  /** How names begin that only Alrai gives. */
  private static final String OWN = "alrai:";

  /** The savepoint before a statement that is undone alone. */
  public static final String OF_STATEMENT = OWN + "statement";

  /** The savepoint before a statement that calls functions, which have statements of their own. */
  public static final String OF_CALLS = OWN + "calls";

  private final List<Point> points = new ArrayList<>();
  private long given;

  /**
   * A savepoint that is set.
   *
   * @param key of its name, which a mysqld never gets to know: it may have characters that the
   *     connection's character set lacks
   * @param number its name there
   */
  private record Point(String key, long number) {
    Sql does(Action action) {
      return action.sql.name(OWN + number);
    }
  }

  /** What can be done with a savepoint. */
  public enum Action {
    SET(Sql.of("SAVEPOINT ")),
    ROLLBACK_TO(Sql.of("ROLLBACK TO SAVEPOINT ")),
    RELEASE(Sql.of("RELEASE SAVEPOINT "));

    private final Sql sql;

    Action(Sql sql) {
      this.sql = sql;
    }
  }

  /**
   * Refuses to clients the names that Alrai gives: to statements of its own, and to decisions of
   * transactions, which are read back from the mysqld's log. A mysqld takes letters with and
   * without accents, large and small ones, for the same.
   *
   * @throws AlraiException 1235
   */
  public static void requireOfClient(String name) {
    String folded =
        Normalizer.normalize(name, Normalizer.Form.NFKD)
            .replaceAll("\\p{M}", "")
            .toUpperCase(Locale.ROOT);
    if (folded.startsWith(OWN.toUpperCase(Locale.ROOT))) {
      throw new AlraiException(
          ErrorCode.ER_NOT_SUPPORTED_YET, "savepoints whose names begin with '" + OWN + "'");
    }
  }

  /** Sets all of them on a branch that begins later. */
  public void queue(Branch branch) {
    points.forEach(point -> BranchControl.queue(branch, point.does(Action.SET)));
  }

  public int count() {
    return points.size();
  }

  /** The statements that set all of them, each after a semicolon. */
  public Sql text() {
    Sql all = Sql.EMPTY;
    for (Point point : points) {
      all = all.words(";").add(point.does(Action.SET));
    }
    return all;
  }

  /**
   * Records an action.
   *
   * @param name as the client gives it, without quotes
   * @return the statement for each branch
   * @throws AlraiException 1305 when there is none of that name
   */
  public Sql note(Action action, String name) {
    String key = SavepointName.key(name);
    int at = indexOf(key);
    if (action == Action.SET) {
      // a mysqld too puts the new one in place of one of the same name
      Point point = new Point(key, at < 0 ? ++given : points.remove(at).number);
      points.add(point);
      return point.does(action);
    }
    if (at < 0) {
      throw new AlraiException(
          ErrorCode.ER_SP_DOES_NOT_EXIST, "SAVEPOINT " + name + " does not exist");
    }
    Sql sql = points.get(at).does(action);
    points.subList(action == Action.RELEASE ? at : at + 1, points.size()).clear();
    return sql;
  }

  /**
   * Records an action, and runs it on every branch.
   *
   * @return the statement; fails as {@link #note} does
   */
  public CompletableFuture<Sql> run(
      Action action, String name, Collection<TransactionBranch> branches) {
    Sql sql;
    try {
      sql = note(action, name);
    } catch (AlraiException unknown) {
      return CompletableFuture.failedFuture(unknown);
    }
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (TransactionBranch branch : branches) {
      all.add(BranchControl.run(branch.branch(), sql));
    }
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).thenApply(done -> sql);
  }

  /** Whether there is one of that name. */
  public boolean has(String name) {
    return indexOf(SavepointName.key(name)) >= 0;
  }

  private int indexOf(String key) {
    for (int i = points.size() - 1; i >= 0; i--) {
      if (points.get(i).key.equals(key)) {
        return i;
      }
    }
    return -1;
  }

  public void clear() {
    points.clear();
    given = 0;
  }

  /**
   * A request for a view that replaces the one of a branch and has these savepoints.
   *
   * @param fresh how one is opened there
   */
  public Request reopening(Branch branch, Request fresh) {
    return new Request(
        branch.dn(),
        Optional.of(branch),
        fresh.opening() + text().text(),
        fresh.undo(),
        true,
        true,
        fresh.follower());
  }
}
