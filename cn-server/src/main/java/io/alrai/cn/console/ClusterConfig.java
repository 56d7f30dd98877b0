package io.alrai.cn.console;

import java.nio.file.Path;

/**
 * An embedded cluster.
 *
 * @param data where everything is kept
 * @param host where the endpoint listens
 * @param port of the endpoint; 0 for any free one
 * @param dns how many DNs a new cluster gets; a cluster that exists keeps its own
 */
public record ClusterConfig(Path data, String host, int port, int dns) {
  /** Where `./alrai up` listens. */
  public static final int DEFAULT_PORT = 8527;
}
