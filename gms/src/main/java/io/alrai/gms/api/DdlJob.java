package io.alrai.gms.api;

import io.alrai.common.id.NodeId;
import java.util.Map;

/**
 * A DDL statement on its way over the shards. The CN that owns it runs its steps and writes its
 * progress here before and after each that matters; another CN takes over when the owner is gone.
 *
 * @param id unique, growing
 * @param schema the logical schema it works in
 * @param statement the SQL text
 * @param kind the step plan's name, for example {@code CREATE_TABLE}
 * @param state where it is
 * @param owner the CN that runs it
 * @param progress what the steps noted, by key; enough to resume after a crash
 * @param error why it failed or is being rolled back; empty where nothing went wrong
 */
public record DdlJob(
    long id,
    String schema,
    String statement,
    String kind,
    State state,
    NodeId owner,
    Map<String, String> progress,
    String error) {
  /** Copies the map. */
  public DdlJob {
    progress = Map.copyOf(progress);
  }

  /** A job's states: {@code RUNNING -> (DONE | ROLLING_BACK -> FAILED)}. */
  public enum State {
    RUNNING,
    ROLLING_BACK,
    DONE,
    FAILED
  }

  /** Whether somebody still has to work on it. */
  public boolean open() {
    return state == State.RUNNING || state == State.ROLLING_BACK;
  }
}
