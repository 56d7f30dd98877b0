package io.alrai.cn.ddl.rule;

import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.Place;
import io.alrai.cn.ddl.job.TableText;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What partitions do beside their statement when a table loses its primary key: they get the
 * implicit one, in the step in which they lose theirs.
 */
public final class KeyLoss {
  private final boolean happens;
  private final boolean withDrops;
  private final String options;
  private final Map<Place, Long> numbers = new HashMap<>();

  /**
   * The loss of a statement, if it is one.
   *
   * @param middle the definition before columns go
   * @param places all partitions
   */
  public KeyLoss(JobRun run, boolean happens, TableText middle, List<Place> places) {
    this.happens = happens;
    this.withDrops = middle.keys().containsKey(TableText.PRIMARY);
    this.options = middle.options();
    if (happens) {
      long number = run.gms().reserve("ddl-job", places.size()).first();
      for (Place place : places) {
        numbers.put(place, number++);
      }
    }
  }

  /** Whether the table loses its key. */
  public boolean happens() {
    return happens;
  }

  /** What is added to the actions that can be undone. */
  public String withUndoable(Place place) {
    return happens && !withDrops ? number(place) : "";
  }

  /** What is added where columns go, the key's among them. */
  public String withDrops(Place place) {
    return happens && withDrops ? number(place) : "";
  }

  private String number(Place place) {
    return ImplicitKey.number(options, numbers.getOrDefault(place, 0L));
  }
}
