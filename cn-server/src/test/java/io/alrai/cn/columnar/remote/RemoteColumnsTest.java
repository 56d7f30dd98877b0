package io.alrai.cn.columnar.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.cn.columnar.PlainTables;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.gms.api.Table;
import io.alrai.gms.client.LocalGms;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Column indexes of nodes that are not there. */
class RemoteColumnsTest {
  private static final Table TABLE = PlainTables.table();

  /** As DDL's thread is where its client has left, and by KILL. */
  @Test
  void whoWaitsForABuildIsInterrupted() throws Exception {
    LocalGms gms = new LocalGms(() -> 0);
    ClusterSecret secret = new ClusterSecret("of this cluster, and long");
    try (NodeLinks links = new NodeLinks(gms, secret, new NodeId("cn-1"))) {
      RemoteColumns columns = new RemoteColumns(gms, links, table -> {});
      CompletableFuture<AlraiException> told = new CompletableFuture<>();
      Thread waiting =
          Thread.ofVirtual()
              .start(() ->
                  told.complete(assertThrows(AlraiException.class, () -> columns.await(TABLE))));
      waiting.interrupt();
      assertEquals(ErrorCode.ER_QUERY_INTERRUPTED.errno(), told.get(10, TimeUnit.SECONDS).errno());
    }
  }
}
