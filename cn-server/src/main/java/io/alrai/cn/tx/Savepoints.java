package io.alrai.cn.tx;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.dn.binlog.DecisionMark;
import io.alrai.dn.link.Branch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** The savepoints of a transaction, in their order. Event loop only. */
public final class Savepoints {
  private final List<String> names = new ArrayList<>();

  /** What can be done with a savepoint. */
  public enum Action {
    SET("SAVEPOINT "),
    ROLLBACK_TO("ROLLBACK TO SAVEPOINT "),
    RELEASE("RELEASE SAVEPOINT ");

    private final String sql;

    Action(String sql) {
      this.sql = sql;
    }

    String sql() {
      return sql;
    }
  }

  /** Queues all of them on a branch that begins later. */
  void queue(Branch branch) {
    names.forEach(name -> BranchEnding.queue(branch, Action.SET.sql + name));
  }

  int count() {
    return names.size();
  }

  /** The statements that set all of them, each behind a semicolon. */
  String text() {
    return names.stream().map(name -> ";" + Action.SET.sql + name).collect(Collectors.joining());
  }

  /**
   * Runs an action on every branch.
   *
   * @param quotedName with backticks
   * @return fails with 1305 when there is none of that name, with 1235 for a name that decides
   */
  CompletableFuture<Void> run(
      Action action, String quotedName, Collection<TransactionBranch> branches) {
    try {
      note(action, quotedName);
    } catch (AlraiException unknown) {
      return CompletableFuture.failedFuture(unknown);
    }
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (TransactionBranch branch : branches) {
      all.add(BranchEnding.run(branch.branch(), action.sql() + quotedName));
    }
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
  }

  private void note(Action action, String quotedName) {
    if (action == Action.SET) {
      if (quotedName.startsWith("`" + DecisionMark.PREFIX)) {
        throw new AlraiException(
            ErrorCode.ER_NOT_SUPPORTED_YET,
            "savepoints whose names begin with '" + DecisionMark.PREFIX + "'");
      }
      names.removeIf(quotedName::equalsIgnoreCase);
      names.add(quotedName);
      return;
    }
    int at = indexOf(quotedName);
    if (at < 0) {
      throw new AlraiException(
          ErrorCode.ER_SP_DOES_NOT_EXIST,
          "SAVEPOINT " + quotedName.replace("`", "") + " does not exist");
    }
    names.subList(action == Action.RELEASE ? at : at + 1, names.size()).clear();
  }

  private int indexOf(String name) {
    for (int i = names.size() - 1; i >= 0; i--) {
      if (names.get(i).equalsIgnoreCase(name)) {
        return i;
      }
    }
    return -1;
  }

  void clear() {
    names.clear();
  }
}
