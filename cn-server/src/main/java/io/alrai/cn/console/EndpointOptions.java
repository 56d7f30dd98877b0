package io.alrai.cn.console;

import io.alrai.cn.config.EndpointChoice;
import io.alrai.cn.health.DrainBounds;
import io.alrai.cn.net.TrustedProxies;
import io.alrai.cn.span.SpanChoice;
import io.alrai.cn.tls.TlsChoice;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/**
 * {@code --tls} and the files of a certificate, {@code --proxy-networks}, how clients are let go,
 * where spans of their statements go.
 */
final class EndpointOptions {
  @Option(
      names = "--tls",
      paramLabel = "yes|no|required",
      defaultValue = "yes",
      description =
          "Whether clients get TLS: those that ask for it, none, or all, so that those without are"
              + " refused (require_secure_transport = ON) (default: ${DEFAULT-VALUE}).")
  private String use = "yes";

  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      defaultValue = "",
      description =
          "The endpoint's certificate (PEM), those of CAs between it and the root behind it. Without"
              + " it DIR/tls has certificates that are made at the first start: ca.pem is for"
              + " clients.")
  private String certificate = "";

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      defaultValue = "",
      description = "The certificate's key (PEM: PKCS#8, or PKCS#1 of RSA), not encrypted.")
  private String key = "";

  @Option(
      names = "--tls-ca",
      paramLabel = "FILE",
      defaultValue = "",
      description = "The root (PEM), for the system variable ssl_ca.")
  private String authority = "";

  @Option(
      names = "--proxy-networks",
      paramLabel = "NETWORKS",
      defaultValue = "",
      description =
          "From where load balancers may say, by the PROXY protocol (v1, v2), who their clients are:"
              + " addresses and networks such as 10.0.0.0/8, with commas between them (default:"
              + " nobody may).")
  private String proxies = "";

  @Option(
      names = "--native-passwords",
      description =
          "Accounts may be made with mysql_native_password, for clients that know nothing else: its"
              + " SHA-1 is weak.")
  private boolean nativePasswords;

  @Option(
      names = "--drain-listen-seconds",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "For how long CNs that were asked to end still let clients in, while they say that they are"
              + " not ready (default: ${DEFAULT-VALUE}).")
  private long drainListenSeconds;

  @Option(
      names = "--drain-seconds",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "For how long, then, they wait for transactions to end (default: ${DEFAULT-VALUE}).")
  private long drainSeconds;

  @Option(
      names = "--otlp-endpoint",
      paramLabel = "URL",
      defaultValue = "",
      description =
          "Where CNs send spans of statements, by OpenTelemetry's protocol over HTTP, such as"
              + " http://collector:4318/v1/traces (default: nowhere).")
  private String otlpEndpoint = "";

  @Option(
      names = "--otlp-ratio",
      paramLabel = "0..1",
      defaultValue = "",
      description =
          "The share of statements that become spans, of those whose client says nothing of it;"
              + " slow ones do always (default: 0.01).")
  private String otlpRatio = "";

  EndpointChoice choice() {
    if (drainListenSeconds < 0 || drainSeconds < 0) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_VALUE_FOR_VAR,
          "--drain-listen-seconds and --drain-seconds want 0 or more");
    }
    return new EndpointChoice(
        TlsChoice.of(use, certificate, key, authority),
        TrustedProxies.of(proxies),
        nativePasswords,
        new DrainBounds(drainListenSeconds, drainSeconds),
        SpanChoice.of(otlpEndpoint, otlpRatio),
        0);
  }

  /** The options for another process. */
  static List<String> of(EndpointChoice endpoint) {
    TlsChoice choice = endpoint.tls();
    List<String> options = new ArrayList<>(ofTls(choice));
    options.add("--proxy-networks");
    options.add(endpoint.proxies().text());
    if (endpoint.nativePasswords()) {
      options.add("--native-passwords");
    }
    options.add("--drain-listen-seconds");
    options.add(Long.toString(endpoint.drain().listenSeconds()));
    options.add("--drain-seconds");
    options.add(Long.toString(endpoint.drain().mostSeconds()));
    options.add("--otlp-endpoint");
    options.add(endpoint.spans().endpoint());
    options.add("--otlp-ratio");
    options.add(Double.toString(endpoint.spans().ratio()));
    return options;
  }

  private static List<String> ofTls(TlsChoice choice) {
    return List.of(
        "--tls",
        choice.use().text(),
        "--tls-cert",
        choice.certificate().map(String::valueOf).orElse(""),
        "--tls-key",
        choice.key().map(String::valueOf).orElse(""),
        "--tls-ca",
        choice.authority().map(String::valueOf).orElse(""));
  }
}
