package io.alrai.raft;

import io.alrai.common.secret.ClusterSecret;
import io.alrai.common.secret.MemberKeys;
import io.alrai.common.secret.RareNotice;
import java.util.function.Consumer;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslProvider;

/**
 * Links of callers and members to members of a group: mutual TLS 1.3, where both sides know the
 * cluster's secret, or have a certificate of its CA. Nothing is served before that: neither what a
 * group knows nor its own protocol.
 */
public final class MemberLinks {
  private static final String PROTOCOL = "TLSv1.3";

  private MemberLinks() {}

  /**
   * For a server or a client of Ratis; with a key of its own.
   *
   * @param refused learns, from time to time, that somebody was refused
   */
  public static Parameters parameters(ClusterSecret secret, Consumer<String> refused) {
    MemberKeys own = secret.keys();
    Parameters parameters = new Parameters();
    GrpcConfigKeys.TLS.setConf(
        parameters,
        GrpcTlsConfig.newBuilder()
            .setName("members")
            .setKeyManager(own.keyManager())
            .setTrustManager(own.members(new RareNotice(refused, System::nanoTime)))
            .setMutualTls(true)
            .setSslProvider(SslProvider.JDK)
            .setProtocols(PROTOCOL)
            .build());
    return parameters;
  }
}
