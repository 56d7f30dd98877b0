package io.alrai.cn.process;

import io.alrai.cn.config.EndpointChoice;
import io.alrai.cn.snapshot.TimestampMode;
import io.alrai.common.secret.MemberTls;
import java.nio.file.Path;
import java.util.Optional;

/**
 * An embedded cluster.
 *
 * @param data where everything is kept
 * @param host where the endpoint listens
 * @param port of the endpoint; 0 for any free one
 * @param dns how many DNs a new cluster gets; a cluster that exists keeps its own
 * @param replicas members of each DN of a new cluster: 1, or 3 with every role as a process
 * @param metricsPort where Prometheus finds the metrics; 0 for none
 * @param timestamps where CNs take timestamps from
 * @param endpoint what clients find there
 * @param memberTls how far its processes come with TLS between them; empty: as they were
 */
public record ClusterConfig(
    Path data,
    String host,
    int port,
    int dns,
    int replicas,
    int metricsPort,
    TimestampMode timestamps,
    EndpointChoice endpoint,
    Optional<MemberTls.Mode> memberTls) {
  /** A usual one: by HLC, without a port for metrics, with TLS by certificates of its own. */
  public ClusterConfig(Path data, String host, int port, int dns) {
    this(data, host, port, dns, 1, 0, TimestampMode.HLC, EndpointChoice.USUAL, Optional.empty());
  }

  /** A copy with this many members of each DN. */
  public ClusterConfig withReplicas(int value) {
    return new ClusterConfig(
        data, host, port, dns, value, metricsPort, timestamps, endpoint, memberTls);
  }

  /** Where `./alrai up` listens. */
  public static final int DEFAULT_PORT = 8527;
}
