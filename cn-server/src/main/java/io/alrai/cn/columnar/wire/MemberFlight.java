package io.alrai.cn.columnar.wire;

import io.alrai.common.secret.ClusterSecret;
import io.alrai.common.secret.MemberKeys;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightGrpcUtils;
import org.apache.arrow.flight.FlightProducer;
import org.apache.arrow.flight.FlightServer;
import org.apache.arrow.flight.Location;
import org.apache.arrow.memory.BufferAllocator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flight between members of the cluster: mutual TLS 1.3 by {@link MemberKeys}, and who it is by
 * {@link MemberToken}, which so never travels in the clear. Thread-safe.
 */
public final class MemberFlight {
  private static final Logger log = LoggerFactory.getLogger(MemberFlight.class);
  private static final String PROTOCOL = "TLSv1.3";

  /** Flight's name for what may change the builder of gRPC. */
  private static final String BUILDER = "grpc.builderConsumer";

  private final ClusterSecret secret;
  private final MemberKeys own;
  private final AtomicBoolean told = new AtomicBoolean();

  /** For a process of the cluster with this secret; with a key of its own. */
  public MemberFlight(ClusterSecret secret) {
    this.secret = secret;
    this.own = secret.keys();
  }

  /** A server, not started. */
  public FlightServer.Builder server(
      BufferAllocator allocator, String host, int port, FlightProducer producer) {
    SslContextBuilder context =
        SslContextBuilder.forServer(own.keyManager()).clientAuth(ClientAuth.REQUIRE);
    Consumer<NettyServerBuilder> secured = builder -> builder.sslContext(tls(context));
    return FlightServer.builder(allocator, Location.forGrpcInsecure(host, port), producer)
        .transportHint(BUILDER, secured)
        .authHandler(new MemberToken(secret));
  }

  /** A client, which has to authenticate itself by a {@link MemberProof} yet. */
  public FlightClient client(BufferAllocator allocator, String host, int port) {
    SslContextBuilder context = SslContextBuilder.forClient().keyManager(own.keyManager());
    return FlightGrpcUtils.createFlightClient(
        allocator,
        NettyChannelBuilder.forAddress(host, port)
            .maxInboundMessageSize(Integer.MAX_VALUE)
            .maxTraceEvents(0)
            .sslContext(tls(context))
            .build());
  }

  private SslContext tls(SslContextBuilder context) {
    try {
      return GrpcSslContexts.configure(context, SslProvider.JDK)
          .trustManager(own.members(this::refused))
          .protocols(PROTOCOL)
          .build();
    } catch (SSLException e) {
      throw new IllegalStateException("every Java has TLS 1.3", e);
    }
  }

  /** A refused caller tries again five times a second: only the first of these is logged. */
  private void refused(String sentence) {
    if (told.compareAndSet(false, true)) {
      log.warn("column indexes: {}", sentence);
    } else {
      log.debug("column indexes: {}", sentence);
    }
  }
}
