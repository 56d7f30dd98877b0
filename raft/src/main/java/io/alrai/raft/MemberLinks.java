package io.alrai.raft;

import io.alrai.common.secret.ClusterSecret;
import io.alrai.common.secret.MemberCertificate;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslProvider;

/**
 * Links of callers and members to members of a group: mutual TLS 1.3, where both sides know the
 * cluster's secret. Nothing is served before that: neither what a group knows nor its own protocol.
 */
public final class MemberLinks {
  private static final String PROTOCOL = "TLSv1.3";

  /** A caller that is refused tries again at once: its error is not logged more often than this. */
  private static final long SILENT_NANOS = Duration.ofSeconds(10).toNanos();

  private MemberLinks() {}

  /**
   * For a server or a client of Ratis; with a key of its own.
   *
   * @param refused learns, from time to time, that somebody was refused
   */
  public static Parameters parameters(ClusterSecret secret, Consumer<String> refused) {
    MemberCertificate own = new MemberCertificate(secret);
    Parameters parameters = new Parameters();
    GrpcConfigKeys.TLS.setConf(
        parameters,
        GrpcTlsConfig.newBuilder()
            .setName("members")
            .setKeyManager(own.keyManager())
            .setTrustManager(own.members(seldom(refused)))
            .setMutualTls(true)
            .setSslProvider(SslProvider.JDK)
            .setProtocols(PROTOCOL)
            .build());
    return parameters;
  }

  private static Consumer<String> seldom(Consumer<String> listener) {
    AtomicLong last = new AtomicLong(System.nanoTime() - SILENT_NANOS);
    return sentence -> {
      long now = System.nanoTime();
      long before = last.get();
      if (now - before >= SILENT_NANOS && last.compareAndSet(before, now)) {
        listener.accept(sentence);
      }
    };
  }
}
