package io.alrai.gms.api;

import io.alrai.common.id.NodeId;
import java.util.Map;
import java.util.Set;

/**
 * A DDL statement on its way over the shards. The CN that owns it runs its steps and writes its
 * progress here before and after each that matters; another CN takes over when the owner is gone.
 *
 * @param id unique, growing
 * @param schema the session's logical schema, in which unqualified names are found; may be empty
 * @param targets what it changes; open jobs that share a target exclude each other
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
    Set<Target> targets,
    String statement,
    String kind,
    State state,
    NodeId owner,
    Map<String, String> progress,
    String error) {
  /** The key of the progress of jobs that are never rolled back any more. */
  public static final String ONLY_FORWARD = "only-forward";

  /** A key of the progress: when the job began, in milliseconds since 1970, by its CN's clock. */
  public static final String STARTED = "started";

  /** The beginning of those keys of the progress that are only to be shown. */
  public static final String SHOWN = "shown-";

  /** The statement, or what is waited for. */
  public static final String SHOWN_STEP = SHOWN + "step";

  /** Where it waits. */
  public static final String SHOWN_PLACES = SHOWN + "places";

  /** Since when it waits, in milliseconds since 1970, by its CN's clock. */
  public static final String SHOWN_SINCE = SHOWN + "since";

  public DdlJob {
    targets = Set.copyOf(targets);
    progress = Map.copyOf(progress);
  }

  /**
   * What a job changes.
   *
   * @param schema the logical schema
   * @param table a table of it; empty for the schema with all that is in it
   */
  public record Target(String schema, String table) {
    /** A schema with all that is in it. */
    public static Target of(String schema) {
      return new Target(schema, "");
    }

    /** Whether one of the two lies in the other. */
    public boolean overlaps(Target other) {
      return schema.equals(other.schema)
          && (table.isEmpty() || other.table.isEmpty() || table.equals(other.table));
    }
  }

  /**
   * A job's states.
   *
   * <pre>
   *  RUNNING --> DONE
   *     |
   *     +-----> ROLLING_BACK --> FAILED
   *     |                          ^
   *     +--------------------------+   (failed before it had changed anything)
   * </pre>
   */
  public enum State {
    RUNNING,
    ROLLING_BACK,
    DONE,
    FAILED;

    /** Whether a job in this state may go to the other, or stay in it. */
    public boolean allows(State next) {
      return switch (this) {
        case RUNNING -> true;
        case ROLLING_BACK -> next == ROLLING_BACK || next == FAILED;
        case DONE, FAILED -> false;
      };
    }
  }

  /** Whether somebody still has to work on it. */
  public boolean open() {
    return state == State.RUNNING || state == State.ROLLING_BACK;
  }

  /** Whether it has come too far to be rolled back. */
  public boolean onlyForward() {
    return progress.containsKey(ONLY_FORWARD);
  }

  /** Whether the two must not run at the same time. */
  public boolean clashesWith(DdlJob other) {
    for (Target target : targets) {
      if (other.targets.stream().anyMatch(target::overlaps)) {
        return true;
      }
    }
    return false;
  }
}
