package io.alrai.cn.ddl.job;

import io.alrai.common.sql.Sql;
import java.util.List;
import java.util.function.Supplier;

/**
 * What steps may use before their job is written: reads, and numbers.
 *
 * @param numbers of this CN
 * @param parallel runs reads at the same time
 */
public record BeforeJob(DdlNumbers numbers, DdlShards shards, ParallelSteps parallel) {
  /** The rows of a query at all DNs. */
  public List<List<String>> queryAll(Sql sql) {
    List<Supplier<List<List<String>>>> reads =
        shards.dns().stream()
            .<Supplier<List<List<String>>>>map(dn -> () -> shards.query(dn, sql))
            .toList();
    return parallel.all(reads).stream().flatMap(List::stream).toList();
  }
}
