package io.alrai.cn.ddl.step;

import io.alrai.cn.ddl.job.JobRun;
import io.alrai.cn.ddl.job.Place;
import io.alrai.cn.ddl.job.TableDefinition;
import io.alrai.common.sql.Sql;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Table;
import java.util.List;

/** Has a table's sequence start above what ALTER TABLE asked for and above what is there. */
final class SequenceRaise {
  private final JobRun run;
  private final Table altered;
  private final boolean optionGiven;

  SequenceRaise(JobRun run, Table altered, boolean optionGiven) {
    this.run = run;
    this.altered = altered;
    this.optionGiven = optionGiven;
  }

  void raise(Table before, TableDefinition after, List<Place> places) {
    if (altered.ownIds()) {
      return;
    }
    long next = after.text().nextAutoIncrement();
    if (optionGiven && next > 1) {
      run.gms().raise(altered.sequence(), next - 1);
    }
    if (optionGiven || before.autoIncrementColumn().isEmpty()) {
      altered.autoIncrementColumn().ifPresent(column -> raiseAboveRows(column, places));
    }
  }

  private void raiseAboveRows(Column column, List<Place> places) {
    for (Place place : places) {
      Sql sql =
          Sql.of("SELECT CAST(IFNULL(MAX(")
              .name(column.name())
              .words("), 0) AS UNSIGNED) FROM ")
              .name(place.schema(), altered.name());
      String highest = run.query(place.dn(), sql).getFirst().getFirst();
      run.gms().raise(altered.sequence(), Math.max(0, Long.parseUnsignedLong(highest)));
    }
  }
}
