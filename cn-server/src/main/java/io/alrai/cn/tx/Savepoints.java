package io.alrai.cn.tx;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.dn.link.Branch;
import io.alrai.optimizer.syntax.Identifier;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** The savepoints of a transaction, in their order. Event loop only. */
public final class Savepoints {
  /** How names begin that only Alrai gives. */
  private static final String OWN = "alrai:";

  /** Before a statement of a transaction that is undone alone, with backticks. */
  public static final String OF_STATEMENT = Identifier.quote(OWN + "statement");

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

  /**
   * Refuses to a client the names that Alrai gives: to statements of its own, and to decisions of
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
   * @return fails with 1305 when there is none of that name
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
      names.removeIf(quotedName::equalsIgnoreCase);
      names.add(quotedName);
      return;
    }
    int at = indexOf(quotedName);
    if (at < 0) {
      throw new AlraiException(
          ErrorCode.ER_SP_DOES_NOT_EXIST,
          "SAVEPOINT "
              + quotedName.substring(1, quotedName.length() - 1).replace("``", "`")
              + " does not exist");
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
