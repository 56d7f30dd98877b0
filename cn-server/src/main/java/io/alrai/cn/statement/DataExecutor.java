package io.alrai.cn.statement;

import io.alrai.common.wire.OkPacket;
import io.alrai.executor.fragment.Plan;
import java.util.Optional;

/**
 * Runs data statements that are not simply forwarded: several places, or values that must be made
 * first. Called on virtual threads, unless said otherwise; the statement's transaction, result and
 * session fields (affected rows, LAST_INSERT_ID, FOUND_ROWS) are its business. Thread-safe.
 */
public interface DataExecutor {
  /**
   * Runs a statement to its end.
   *
   * @throws io.alrai.common.error.AlraiException what the client gets as an error
   */
  void run(StatementRun run, Plan plan);

  /**
   * Runs an INSERT or REPLACE ... SELECT for a statement that answers the client itself.
   *
   * @return what the client would have got
   * @throws io.alrai.common.error.AlraiException its error
   */
  OkPacket fill(StatementRun run, Plan.InsertSelect plan);

  /**
   * Asks the shards of a statement from the event loop, if it is one for which nothing else must be
   * done before their answers are there; never blocks.
   *
   * @return empty if it is not: {@link #run} is for it
   */
  Optional<StartedStatement> start(StatementRun run, Plan plan);
}
