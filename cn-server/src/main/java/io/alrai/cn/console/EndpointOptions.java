package io.alrai.cn.console;

import io.alrai.cn.health.DrainBounds;
import io.alrai.cn.net.TrustedProxies;
import io.alrai.cn.process.EndpointChoice;
import io.alrai.cn.span.SpanChoice;
import io.alrai.cn.tls.TlsChoice;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** {@code --tls} and the files of a certificate, {@code --proxy-networks}. */
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

  EndpointChoice choice() {
    return new EndpointChoice(
        TlsChoice.of(use, certificate, key, authority),
        TrustedProxies.of(proxies),
        nativePasswords,
        DrainBounds.NONE,
        SpanChoice.OFF);
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
