package io.alrai.cn.console;

import io.alrai.cn.tls.TlsChoice;
import io.alrai.cn.tx.TimestampMode;
import java.nio.file.Path;

/**
 * An embedded cluster.
 *
 * @param data where everything is kept
 * @param host where the endpoint listens
 * @param port of the endpoint; 0 for any free one
 * @param dns how many DNs a new cluster gets; a cluster that exists keeps its own
 * @param metricsPort where Prometheus finds the metrics; 0 for none
 * @param timestamps where CNs take timestamps from
 * @param tls what clients get of it
 */
public record ClusterConfig(
    Path data,
    String host,
    int port,
    int dns,
    int metricsPort,
    TimestampMode timestamps,
    TlsChoice tls) {
  /** A usual one: by HLC, without a port for metrics, with TLS by certificates of its own. */
  public ClusterConfig(Path data, String host, int port, int dns) {
    this(data, host, port, dns, 0, TimestampMode.HLC, TlsChoice.OWN);
  }

  /** Where `./alrai up` listens. */
  public static final int DEFAULT_PORT = 8527;
}
