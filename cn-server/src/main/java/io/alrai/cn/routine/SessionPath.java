package io.alrai.cn.routine;

import io.alrai.cn.plan.PlannedStatement;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.shard.ShardQueries;
import io.alrai.cn.statement.StatementRun;
import io.alrai.common.error.AlraiException;
import io.alrai.common.type.Collations;
import io.alrai.gms.api.Catalog;
import io.alrai.optimizer.api.Needs;
import io.alrai.optimizer.api.Planned.Work;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.text.ParameterSource;

/**
 * The way that a session's statements take. Called on the virtual thread that the session is lent
 * to, which waits.
 */
public interface SessionPath {
  /**
   * Plans a statement, and begins a transaction where autocommit is off.
   *
   * @throws AlraiException what is wrong with it, and what the session's account may not do
   */
  PlannedStatement plan(ShapedText text, ParameterSource parameters);

  /** What a statement needs of the session's account; whether that has it is not asked. */
  Needs needs(ShapedText text);

  /**
   * Runs a statement to its end.
   *
   * @throws AlraiException its error
   */
  void run(StatementRun run, Work work);

  /**
   * What has to be done after an error before anything else: a deadlock undoes everything.
   *
   * @return the error as handlers get it
   */
  AlraiException failed(StatementRun run, AlraiException error);

  /** The catalog as it is now. */
  Catalog catalog();

  /** Equal settings are one object. */
  SettingsRegistry settings();

  /** What the mysqlds know. */
  Collations collations();

  /** Questions beside the session. */
  ShardQueries queries();
}
