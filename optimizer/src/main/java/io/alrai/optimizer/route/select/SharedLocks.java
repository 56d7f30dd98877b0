package io.alrai.optimizer.route.select;

import io.alrai.common.error.AlraiException;
import io.alrai.executor.fragment.Plan;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.text.SyntaxException;
import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.route.Planning;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.SourceText;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.StatementParser;
import io.alrai.optimizer.view.ReshapedStatement;
import java.util.Optional;

/**
 * The query of an INSERT ... SELECT with shared locks on the rows that it reads, as InnoDB locks
 * them: what a transaction copies stays as it is until it ends. Views lock the rows of their
 * tables.
 */
public final class SharedLocks {
  private static final String CLAUSE = " FOR SHARE";

  private final Planning planning;
  private final ShapedStatement sent;

  public SharedLocks(Planning planning) {
    // the statement with the names of views in it
    this(
        planning,
        planning.statement() instanceof ReshapedStatement reshaped
            ? reshaped.original()
            : planning.statement());
  }

  /** {@code sent} is the statement that is read anew. */
  public SharedLocks(Planning planning, ShapedStatement sent) {
    this.planning = planning;
    this.sent = sent;
  }

  /**
   * Its plan; empty for set operations, for what has locks of its own or calls functions that no
   * mysqld can evaluate, and for queries that no plan locks.
   */
  public Optional<Plan.Select> select() {
    if (!planning.interpreted().isEmpty()) {
      return Optional.empty();
    }
    try {
      if (!(tree(sent) instanceof Statement.InsertQuery insert) || !mayLock(insert.query())) {
        return Optional.empty();
      }
      Query query = insert.query();
      String text = new StringBuilder(sent.shape()).insert(query.span().end(), CLAUSE).toString();
      Planning locked =
          Planning.of(new ReshapedStatement(sent, text), planning.context(), planning.collations());
      Query all = ((Statement.InsertQuery) locked.tree()).query();
      Analysis analysis = locked.newAnalysis();
      analysis.query(all);
      return Optional.of(new SelectPlanner(locked, analysis).plan(all, all.span()));
    } catch (AlraiException | SyntaxException e) {
      return Optional.empty();
    }
  }

  /** Whether it is one SELECT over tables without locks of its own; VALUES are no such query. */
  private static boolean mayLock(Query query) {
    return query.locking().isEmpty()
        && query.into().isEmpty()
        && query.body() instanceof Query.Block block
        && !block.from().isEmpty();
  }

  private Statement tree(ShapedStatement statement) {
    return StatementParser.parse(
        SourceText.of(
            statement.shape(),
            planning.context().ansiQuotes(),
            planning.context().noBackslashEscapes()));
  }
}
