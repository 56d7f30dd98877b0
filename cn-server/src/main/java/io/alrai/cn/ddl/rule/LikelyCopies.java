package io.alrai.cn.ddl.rule;

import io.alrai.cn.ddl.job.DdlShards;
import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.Place;
import io.alrai.cn.ddl.job.TableDefinition;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.TableGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A new table at all the places where it most likely comes, made by the client's own text at the
 * time when the first shadow is made. Those that turn out to differ from the shadow, or not to
 * belong there, go again.
 */
public final class LikelyCopies {
  private static final Logger log = LoggerFactory.getLogger(LikelyCopies.class);

  private final JobRun run;
  private final String table;
  private final Optional<TableGroup> group;

  /** Where they are made; none without a group. */
  private final List<Place> places = new ArrayList<>();

  private final AtomicBoolean refused = new AtomicBoolean();

  public LikelyCopies(JobRun run, String schema, String table, Optional<TableGroup> group) {
    this.run = run;
    this.table = table;
    this.group = group;
    group.ifPresent(likely -> {
      places.addAll(run.otherShadows(schema));
      places.addAll(Place.ofRows(likely, run.dns()));
    });
  }

  /**
   * Makes the first shadow and, at the same time, the others.
   *
   * @throws AlraiException what the first shadow's mysqld says; of the others only that they are
   *     lost, or that the statement was interrupted
   */
  public DdlShards.Executed createWith(Place first, Sql sql) {
    if (places.isEmpty()) {
      return run.execute(first, sql);
    }
    AtomicReference<DdlShards.Executed> answer = new AtomicReference<>();
    List<Place> all = new ArrayList<>(List.of(first));
    all.addAll(places);
    run.atOnce(
        all,
        place -> {
          if (place.equals(first)) {
            answer.set(run.execute(place, sql));
          } else {
            attempt(place, sql);
          }
        });
    return Objects.requireNonNull(answer.get());
  }

  private void attempt(Place place, Sql sql) {
    try {
      run.execute(place, sql);
    } catch (AlraiException e) {
      boolean ends =
          e.isLostConnection()
              || e.is(ErrorCode.ALRAI_NODE_UNAVAILABLE)
              || e.is(ErrorCode.ER_QUERY_INTERRUPTED);
      if (ends) {
        throw e;
      }
      log.debug("{} is not made at {} by the client's text: {}", table, place, e.sentence());
      refused.set(true);
    }
  }

  /** Whether they are what a table of this definition and this group is to have. */
  public boolean fit(TableDefinition definition, TableGroup placed) {
    if (refused.get()
        || definition.primaryKey().isEmpty()
        || group.filter(likely -> likely.id() == placed.id()).isEmpty()) {
      return false;
    }
    AtomicBoolean same = new AtomicBoolean(true);
    run.atOnce(
        places,
        place -> {
          if (!run.readText(place, table).equals(definition.createText())) {
            same.set(false);
          }
        });
    return same.get();
  }

  /** Drops what is there of them. */
  public void drop() {
    run.atOnce(places, place -> run.dropIfThere(place, table));
  }
}
