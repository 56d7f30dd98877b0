package io.alrai.gms.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.certificate.Certificates;
import io.alrai.common.certificate.Pem;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.NodeId;
import io.alrai.common.metrics.Metrics;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.common.secret.MemberTls;
import io.alrai.common.secret.PrivateFiles;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.node.GmsPeer;
import io.alrai.gms.catalog.Samples;
import io.alrai.gms.raft.GmsGroup;
import io.alrai.gms.server.GmsConfig;
import io.alrai.raft.MemberLinks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Callers that do not know the cluster's secret, at a GMS with a port. */
class StrangersTest {
  private static final NodeId NODE = new NodeId("gms-1");
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  @TempDir private static Path directory;
  private static final List<GmsPeer> PEERS =
      List.of(new GmsPeer(NODE, "127.0.0.1:" + ThreeNodes.freePort()));
  private static Path data = Path.of("");
  private static EmbeddedGms gms;

  @BeforeAll
  static void start() throws IOException {
    data = Files.createDirectory(directory.resolve("gms")); // as earlier versions left it
    gms = EmbeddedGms.start(GmsConfig.of(NODE, PEERS, data, ThreeNodes.SECRET), new Metrics());
  }

  @AfterAll
  static void stop() {
    gms.close();
  }

  private static RaftClient stranger(Parameters parameters) {
    RaftProperties settings = new RaftProperties();
    RaftConfigKeys.Rpc.setType(settings, SupportedRpcType.GRPC);
    RaftClientConfigKeys.Rpc.setRequestTimeout(
        settings, TimeDuration.valueOf(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
    return RaftClient.newBuilder()
        .setProperties(settings)
        .setParameters(parameters)
        .setRaftGroup(GmsGroup.of(GmsConfig.DEFAULT_CLUSTER, 0, PEERS))
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
    Catalog before = gms.service().catalog();
    refused(stranger(new Parameters()));
    assertEquals(before, gms.service().catalog());
  }

  @Test
  void withAnotherSecret() throws IOException {
    ClusterSecret other = new ClusterSecret(ClusterSecret.fresh());
    List<String> told = new CopyOnWriteArrayList<>();
    refused(stranger(MemberLinks.parameters(other, told::add)));
    assertTrue(told.get(0).contains("does not know the cluster's secret"), told::toString);
    AlraiException error =
        assertThrows(
            AlraiException.class,
            () ->
                RaftGmsClient.connect(
                    GmsConfig.DEFAULT_CLUSTER, PEERS, other, PATIENCE, new Metrics()));
    assertTrue(error.sentence().contains("does not know the cluster's secret"), error::sentence);
  }

  /** With the secret alone nobody gets in where a certificate of the CA is required. */
  @Test
  void withoutCertificateOfTheCa() throws Exception {
    Certificates certificates = new Certificates(new SecureRandom(), Instant.now());
    Certificates.Owned ca = certificates.authority("CA");
    List<GmsPeer> peers = List.of(new GmsPeer(NODE, "127.0.0.1:" + ThreeNodes.freePort()));
    ClusterSecret node = ThreeNodes.SECRET.with(required(certificates.member(ca, "gms-1"), ca));
    ClusterSecret caller = ThreeNodes.SECRET.with(required(certificates.member(ca, "cn-1"), ca));
    Path home = directory.resolve("gms-of-ca");
    try (EmbeddedGms _ = EmbeddedGms.start(GmsConfig.of(NODE, peers, home, node), new Metrics())) {
      try (RaftGmsClient client =
          RaftGmsClient.connect(
              GmsConfig.DEFAULT_CLUSTER, peers, caller, Duration.ofSeconds(30), new Metrics())) {
        client.submit(Samples.createSchema("by_ca"));
      }
      assertThrows(
          AlraiException.class,
          () ->
              RaftGmsClient.connect(
                  GmsConfig.DEFAULT_CLUSTER, peers, ThreeNodes.SECRET, PATIENCE, new Metrics()));
    }
  }

  private static MemberTls required(Certificates.Owned own, Certificates.Owned ca)
      throws Exception {
    Path home = Files.createTempDirectory(directory, "tls");
    MemberTls.Files files =
        new MemberTls.Files(home.resolve("c"), home.resolve("k"), home.resolve("ca"));
    PrivateFiles.write(files.key(), new Pem("PRIVATE KEY", own.key().getEncoded()).text());
    PrivateFiles.write(
        files.certificate(), new Pem("CERTIFICATE", own.certificate().getEncoded()).text());
    PrivateFiles.write(
        files.authority(), new Pem("CERTIFICATE", ca.certificate().getEncoded()).text());
    return new MemberTls(MemberTls.Mode.REQUIRE, Optional.of(files));
  }

  @Test
  void members() {
    try (RaftGmsClient client =
        RaftGmsClient.connect(
            GmsConfig.DEFAULT_CLUSTER,
            PEERS,
            ThreeNodes.SECRET,
            Duration.ofSeconds(30),
            new Metrics())) {
      assertFalse(gms.service().catalog().schema("shop").isPresent());
      client.submit(Samples.createSchema("shop"));
      assertTrue(gms.service().catalog().schema("shop").isPresent());
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
        () -> new GmsConfig("c", NODE, PEERS, data, 5000, Optional.empty()));
  }
}
