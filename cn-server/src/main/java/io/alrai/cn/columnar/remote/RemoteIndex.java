package io.alrai.cn.columnar.remote;

import io.alrai.columnar.serve.ColumnIndex;
import io.alrai.columnar.serve.IndexSnapshot;
import io.alrai.columnar.version.PartitionFigures;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.time.HlcTimestamp;
import java.util.concurrent.CompletableFuture;

/**
 * What column nodes last said of an index: good to plan on, not to read.
 *
 * @param figures with its state
 */
record RemoteIndex(String name, PartitionFigures figures) implements ColumnIndex {
  @Override
  public CompletableFuture<IndexSnapshot> openAt(HlcTimestamp at) {
    return CompletableFuture.failedFuture(
        new AlraiException(
            ErrorCode.ALRAI_NODE_UNAVAILABLE,
            "the column index " + name + " is on column nodes, which run whole plans"));
  }
}
