package io.alrai.cn.console;

import io.alrai.cn.tls.TlsChoice;
import java.util.List;
import picocli.CommandLine.Option;

/** {@code --tls} and the files of a certificate. */
final class TlsOptions {
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

  TlsChoice choice() {
    return TlsChoice.of(use, certificate, key, authority);
  }

  /** The same options for another process. */
  static List<String> of(TlsChoice choice) {
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
