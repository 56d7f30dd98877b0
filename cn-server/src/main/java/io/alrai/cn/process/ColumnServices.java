package io.alrai.cn.process;

import io.alrai.cn.admin.ColumnarStatements;
import io.alrai.cn.columnar.ColumnarService;
import io.alrai.cn.columnar.LocalReports;
import io.alrai.cn.columnar.RemotePlans;
import io.alrai.cn.ddl.job.ColumnIndexBuilds;
import io.alrai.columnar.serve.ColumnIndexes;
import java.util.Optional;

/**
 * What a CN's process has of column indexes.
 *
 * @param indexes those that it can plan on
 * @param builds who builds them
 * @param statements SHOW and CHECK
 * @param remote who runs plans over them, where they are not in this process
 */
public record ColumnServices(
    ColumnIndexes indexes,
    ColumnIndexBuilds builds,
    ColumnarStatements statements,
    Optional<RemotePlans> remote) {
  /** The services of a process that keeps column indexes. */
  public static ColumnServices of(ColumnarService service) {
    return new ColumnServices(
        service, service, new ColumnarStatements(new LocalReports(service)), Optional.empty());
  }
}
