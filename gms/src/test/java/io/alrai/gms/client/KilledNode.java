package io.alrai.gms.client;

import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metrics;
import io.alrai.gms.api.node.GmsPeer;
import io.alrai.gms.catalog.Samples;
import io.alrai.gms.server.GmsConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A process that {@link KillTest} kills: prints what the GMS has acknowledged, line by line. */
final class KilledNode {
  private KilledNode() {}

  /** Snapshots so often that a kill may well fall into one. */
  static GmsConfig config(Path dir) {
    NodeId node = new NodeId("gms-1");
    return new GmsConfig("killed", node, List.of(new GmsPeer(node, "")), dir, 10, Optional.empty());
  }

  public static void main(String[] args) {
    try (EmbeddedGms gms = EmbeddedGms.start(config(Path.of(args[0])), new Metrics())) {
      for (int i = 0; ; i++) {
        gms.service().submit(Samples.createSchema(args[1] + i));
        long number = gms.service().reserve("s", 1).first();
        System.out.println(args[1] + i + " " + number);
      }
    }
  }
}
