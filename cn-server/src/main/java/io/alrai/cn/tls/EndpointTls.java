package io.alrai.cn.tls;

import io.alrai.common.certificate.KeyFiles;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.thread.BoundedThreads;
import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS of an endpoint: its certificate, and a handler for each client that asks for it. Opened
 * and closed by the thread that runs the process; handlers are made on event loops. What of a
 * handshake takes a processor for long, signatures above all, runs on threads of its own.
 */
public final class EndpointTls implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(EndpointTls.class);

  /** In the order in which a server of MySQL 9.7 prefers them. */
  private static final List<String> CIPHERS =
      List.of(
          "TLS_AES_128_GCM_SHA256",
          "TLS_AES_256_GCM_SHA384",
          "TLS_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

  private static final List<String> VERSIONS = List.of("TLSv1.2", "TLSv1.3");
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("MMM ppd HH:mm:ss yyyy 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private static final Duration SOON = Duration.ofDays(30);

  /** Steps of handshakes: what waits for more than these would be too late for its login. */
  static final int MOST_WAITING = 4096;

  private final TlsFiles files;
  private final X509Certificate certificate;
  private final SslContext context;
  private final ThreadPoolExecutor handshakes;

  private EndpointTls(TlsFiles files, X509Certificate certificate, SslContext context) {
    this.files = files;
    this.certificate = certificate;
    this.context = context;
    this.handshakes = steps(Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
  }

  /** Does steps of handshakes, and refuses what too many of them wait before. */
  static ThreadPoolExecutor steps(int threads) {
    return BoundedThreads.named("tls-", threads, MOST_WAITING);
  }

  /**
   * The TLS that was chosen; empty where there shall be none. Blocking.
   *
   * @param data the directory of a process, where certificates of our own are kept
   * @throws AlraiException with a sentence that says what is wrong with a file
   */
  public static Optional<EndpointTls> open(TlsChoice choice, Path data) {
    if (choice.use() == TlsChoice.Use.NO) {
      return Optional.empty();
    }
    TlsFiles files =
        choice.certificate().isPresent()
            ? new TlsFiles(
                choice.certificate().get(), choice.key().orElseThrow(), choice.authority())
            : OwnCertificates.in(data);
    List<X509Certificate> chain = KeyFiles.certificates(files.certificate());
    PrivateKey key = KeyFiles.key(files.key(), files.certificate(), chain.getFirst());
    files.authority().ifPresent(KeyFiles::certificates);
    warnOfEnd(files.certificate(), chain.getFirst());
    try {
      SslContext context =
          SslContextBuilder.forServer(key, chain.toArray(new X509Certificate[0]))
              .sslProvider(SslProvider.JDK)
              .protocols(VERSIONS)
              .ciphers(CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
              .build();
      return Optional.of(new EndpointTls(files, chain.getFirst(), context));
    } catch (SSLException | IllegalArgumentException e) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          "TLS cannot be had with the certificate in "
              + files.certificate()
              + ": "
              + e.getMessage(),
          e);
    }
  }

  private static void warnOfEnd(Path file, X509Certificate certificate) {
    Instant end = certificate.getNotAfter().toInstant();
    if (end.isBefore(Instant.now().plus(SOON))) {
      log.warn("the certificate in {} is valid until {} only", file, end);
    }
  }

  /** {@code Ssl_cipher_list}. */
  public String ciphers() {
    return CIPHERS.stream().map(Encryption::ofOpenSsl).collect(Collectors.joining(":"));
  }

  /** {@code Ssl_server_not_before}. */
  public String validFrom() {
    return DATE.format(certificate.getNotBefore().toInstant());
  }

  /** {@code Ssl_server_not_after}. */
  public String validUntil() {
    return DATE.format(certificate.getNotAfter().toInstant());
  }

  /** What encrypts one client's channel: the first of its handlers. Event loop only. */
  public SslHandler handler(Channel channel) {
    SslHandler handler =
        context.newHandler(
            channel.alloc(),
            step ->
                handshakes.execute(() -> {
                  if (channel.isOpen()) { // else its time was up while it waited
                    step.run();
                  }
                }));
    handler.setHandshakeTimeoutMillis(0); // the whole login has a time limit
    return handler;
  }

  /** {@code ssl_cert}. */
  public Path certificate() {
    return files.certificate();
  }

  /** {@code ssl_key}. */
  public Path key() {
    return files.key();
  }

  /** {@code ssl_ca}. */
  public Optional<Path> authority() {
    return files.authority();
  }

  /** {@code tls_version}. */
  public String versions() {
    return String.join(",", VERSIONS);
  }

  @Override
  public void close() {
    handshakes.shutdown();
  }
}
