package io.alrai.cn.statement;

import io.alrai.common.wire.OkPacket;
import io.alrai.executor.fragment.Plan;
import java.util.Optional;

/**
 * Runs data statements that are not simply forwarded: several places, or values that must be made
 * first. Called on virtual threads, unless said otherwise; the statement's transaction, result and
 * session fields (affected rows, LAST_INSERT_ID, FOUND_ROWS) are its responsibility. Thread-safe.
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
   * @return the answer that the client would have got
   * @throws io.alrai.common.error.AlraiException its error
   */
  OkPacket fill(StatementRun run, Plan.InsertSelect plan);

  /**
   * Asks the shards of a statement from the event loop, if nothing else must be done before their
   * answers; never blocks.
   *
   * @return empty for any other, for which there is {@link #run}
   */
  Optional<StartedStatement> start(StatementRun run, Plan plan);
}
