package io.alrai.gms.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.NodeId;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.gms.api.GmsPeer;
import io.alrai.gms.catalog.Samples;
import io.alrai.gms.raft.GmsGroup;
import io.alrai.gms.raft.MemberLinks;
import io.alrai.gms.server.GmsConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.util.TimeDuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Callers that do not know the cluster's secret, at a GMS with a port. */
class StrangersTest {
  private static final NodeId NODE = new NodeId("gms-1");
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  @TempDir Path directory;
  private final List<GmsPeer> peers =
      List.of(new GmsPeer(NODE, "127.0.0.1:" + ThreeNodes.freePort()));
  private Path data = Path.of("");
  private EmbeddedGms gms;

  @BeforeEach
  void start() throws IOException {
    data = Files.createDirectory(directory.resolve("gms")); // as earlier versions left it
    gms = EmbeddedGms.start(GmsConfig.of(NODE, peers, data, ThreeNodes.SECRET));
  }

  @AfterEach
  void stop() {
    gms.close();
  }

  private static RaftClient stranger(List<GmsPeer> peers, Parameters parameters) {
    RaftProperties settings = new RaftProperties();
    RaftConfigKeys.Rpc.setType(settings, SupportedRpcType.GRPC);
    RaftClientConfigKeys.Rpc.setRequestTimeout(
        settings, TimeDuration.valueOf(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
    return RaftClient.newBuilder()
        .setProperties(settings)
        .setParameters(parameters)
        .setRaftGroup(GmsGroup.of(GmsConfig.DEFAULT_CLUSTER, peers))
        .setRetryPolicy(RetryPolicies.noRetry())
        .build();
  }

  /** Every service of the port: reads, writes, and what changes the group. */
  private static void refused(RaftClient client) throws IOException {
    try (client) {
      RaftPeerId server = RaftPeerId.valueOf(NODE.name());
      assertThrows(IOException.class, () -> client.io().sendReadOnly(Message.EMPTY));
      assertThrows(IOException.class, () -> client.io().send(Message.EMPTY));
      assertThrows(Exception.class, () -> client.getGroupManagementApi(server).list());
      assertThrows(IOException.class, () -> client.admin().setConfiguration(new ArrayList<>()));
    }
  }

  @Test
  void withoutSecret() throws IOException {
    refused(stranger(peers, new Parameters()));
    assertTrue(gms.service().catalog().schemas().isEmpty());
  }

  @Test
  void withAnotherSecret() throws IOException {
    ClusterSecret other = new ClusterSecret(ClusterSecret.fresh());
    List<String> told = new CopyOnWriteArrayList<>();
    refused(stranger(peers, MemberLinks.parameters(other, told::add)));
    assertTrue(told.get(0).contains("does not know the cluster's secret"), told::toString);
    AlraiException error =
        assertThrows(
            AlraiException.class,
            () -> RaftGmsClient.connect(GmsConfig.DEFAULT_CLUSTER, peers, other, PATIENCE));
    assertTrue(error.sentence().contains("does not know the cluster's secret"), error::sentence);
  }

  @Test
  void members() {
    try (RaftGmsClient client =
        RaftGmsClient.connect(
            GmsConfig.DEFAULT_CLUSTER, peers, ThreeNodes.SECRET, Duration.ofSeconds(30))) {
      client.submit(Samples.createSchema("shop"));
      assertEquals(1, gms.service().catalog().schemas().size());
    }
  }

  @Test
  void theDirectoryIsClosedToOthers() throws IOException {
    assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(data)));
  }

  @Test
  void aPortNeedsASecret() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new GmsConfig("c", NODE, peers, data, 5000, Optional.empty()));
  }
}
