package io.alrai.gms.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.alrai.common.id.NodeId;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that comes back when the log no longer has what it lacks. */
@Tag("nodes")
class LateFollowerTest {
  @TempDir private Path dir;

  @Test
  void aFollowerCatchesUpBySnapshot() {
    try (ThreeNodes nodes = new ThreeNodes(dir, 20);
        RaftGmsClient client = nodes.client()) {
      NodeId leader = nodes.awaitLeader();
      NodeId late = nodes.other(leader);
      nodes.stop(late);
      // The log is cut at whole segments of 4 MB: only this much makes the old entries go.
      String value = "x".repeat(400_000);
      for (int i = 0; i < 25; i++) {
        client.submit(new CatalogCommand.PutSetting("large", value + i));
      }
      ThreeNodes.await(() -> !nodes.hasFirstSegment(leader));
      nodes.start(late);
      Catalog catalog = client.submit(new CatalogCommand.PutSetting("large", ""));
      ThreeNodes.await(() -> nodes.server(late).feed().catalog().equals(catalog));
      assertFalse(nodes.hasFirstSegment(late));
      assertEquals(1, client.reserve("late", 1).first());
    }
  }
}
