package io.alrai.cn.columnar.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.common.id.NodeId;
import io.alrai.common.secret.ClusterSecret;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.flight.Action;
import org.apache.arrow.flight.CallOptions;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightServer;
import org.apache.arrow.flight.FlightStatusCode;
import org.apache.arrow.flight.Location;
import org.apache.arrow.flight.NoOpFlightProducer;
import org.apache.arrow.flight.Result;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // close() of a client may be interrupted
class MemberTokenTest {
  private static final NodeId CN = new NodeId("cn-1");
  private final ClusterSecret secret = new ClusterSecret("of this cluster, and long");
  private final BufferAllocator allocator = new RootAllocator(16 << 20);
  private FlightServer server;

  @BeforeEach
  void start() throws Exception {
    server = serve(0);
  }

  private FlightServer serve(int port) throws Exception {
    NoOpFlightProducer producer =
        new NoOpFlightProducer() {
          @Override
          public void doAction(CallContext call, Action action, StreamListener<Result> listener) {
            listener.onNext(new Result(call.peerIdentity().getBytes()));
            listener.onCompleted();
          }
        };
    return new MemberFlight(secret).server(allocator, "127.0.0.1", port, producer).build().start();
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
    allocator.close();
  }

  private FlightClient client() {
    return new MemberFlight(secret).client(allocator, "127.0.0.1", server.getPort());
  }

  private static String who(FlightClient client) {
    return new String(
        client
            .doAction(new Action("who"), CallOptions.timeout(10, TimeUnit.SECONDS))
            .next()
            .getBody());
  }

  private static void refused(FlightClient client) {
    FlightRuntimeException refusal = assertThrows(FlightRuntimeException.class, () -> who(client));
    assertEquals(FlightStatusCode.UNAUTHENTICATED, refusal.status().code());
  }

  @Test
  void membersAreLetIn() throws Exception {
    try (FlightClient client = client()) {
      client.authenticate(new MemberProof(secret, CN), CallOptions.timeout(10, TimeUnit.SECONDS));
      assertEquals("cn-1", who(client));
    }
  }

  /** Neither in the clear nor by another cluster's certificate is anybody asked anything. */
  @Test
  void strangersAreNotTalkedTo() throws Exception {
    ClusterSecret other = new ClusterSecret("of another one, and long");
    try (FlightClient plain =
            FlightClient.builder(allocator, Location.forGrpcInsecure("127.0.0.1", server.getPort()))
                .build();
        FlightClient strange =
            new MemberFlight(other).client(allocator, "127.0.0.1", server.getPort())) {
      for (FlightClient client : List.of(plain, strange)) {
        FlightRuntimeException refusal =
            assertThrows(FlightRuntimeException.class, () -> who(client));
        assertEquals(FlightStatusCode.UNAVAILABLE, refusal.status().code());
      }
    }
  }

  @Test
  void nobodyElseIs() throws Exception {
    try (FlightClient client = client()) {
      refused(client);
    }
    try (FlightClient client = client()) {
      assertThrows(
          RuntimeException.class,
          () ->
              client.authenticate(
                  new MemberProof(new ClusterSecret("of another one, and long"), CN),
                  CallOptions.timeout(10, TimeUnit.SECONDS)));
      refused(client);
    }
  }

  @Test
  void aTokenIsGoodForOneLifeOfTheNode() throws Exception {
    try (FlightClient client = client()) {
      client.authenticate(new MemberProof(secret, CN), CallOptions.timeout(10, TimeUnit.SECONDS));
      assertEquals("cn-1", who(client));
      int port = server.getPort();
      server.close();
      server = serve(port);
      refused(client);
    }
  }
}
