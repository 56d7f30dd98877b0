package io.alrai.cn.process;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.config.DnGroup;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.secret.ClusterSecret;
import io.alrai.dn.mysqld.MysqldConfig;
import io.alrai.dn.raft.GroupConfig;
import io.alrai.dn.raft.LogBounds;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.node.DataNode;
import io.alrai.gms.api.node.DnMember;
import io.alrai.gms.client.LocalGms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DnAdmissionTest {
  private static final DnId KNOWN = new DnId("dn-1");
  private static final DnId STRANGE = new DnId("dn-2");

  @TempDir Path directory;
  private final LocalGms gms = new LocalGms(() -> 0);

  private MysqldConfig mysqld(DnId dn) {
    return MysqldConfig.of(directory.resolve(dn.name()), 1);
  }

  private void check(DnId dn) {
    Catalog catalog = gms.catalog();
    DnAdmission.check(catalog, dn, mysqld(dn));
  }

  private void refused(DnId dn, String reason) {
    AlraiException refusal = assertThrows(AlraiException.class, () -> check(dn));
    assertTrue(refusal.sentence().contains(reason), refusal.sentence());
  }

  @Test
  void aMemberComesWithItsLogOrForTheFirstTime() throws IOException {
    GroupConfig member =
        DnGroup.parse(KNOWN, "dn-1-a@127.0.0.1:1/rows,dn-1-b@127.0.0.1:2/rows")
            .config(
                "dn-1-b",
                directory,
                new ClusterSecret(ClusterSecret.fresh()),
                LogBounds.standard());
    assertDoesNotThrow(() -> DnAdmission.check(gms.catalog(), KNOWN, member));
    gms.submit(
        new CatalogCommand.PutDnMember(
            KNOWN, new DnMember("dn-1-a", "host:1", DnMember.Keeps.ROWS)));
    assertDoesNotThrow(() -> DnAdmission.check(gms.catalog(), KNOWN, member));
    gms.submit(
        new CatalogCommand.PutDnMember(
            KNOWN, new DnMember("dn-1-b", "host:2", DnMember.Keeps.ROWS)));
    AlraiException refusal =
        assertThrows(AlraiException.class, () -> DnAdmission.check(gms.catalog(), KNOWN, member));
    assertTrue(
        refusal.sentence().startsWith("the log of dn-1-b is not in " + member.directory()),
        refusal.sentence());
    // it is tried again all the time: it must not begin anew as soon as its name is not known
    gms.submit(new CatalogCommand.DropDnMember(KNOWN, "dn-1-b"));
    assertThrows(AlraiException.class, () -> DnAdmission.check(gms.catalog(), KNOWN, member));
    Files.delete(member.directory().resolve("lost"));
    assertDoesNotThrow(() -> DnAdmission.check(gms.catalog(), KNOWN, member));
  }

  private GroupConfig founder() {
    return DnGroup.parse(KNOWN, "dn-1@127.0.0.1:1/rows")
        .config("dn-1", directory, new ClusterSecret(ClusterSecret.fresh()), LogBounds.standard());
  }

  @Test
  void theOnlyReplicaBecomesAGroupByAStatementAndNotByItsConfiguration() throws IOException {
    gms.submit(new CatalogCommand.RegisterDataNode(new DataNode(KNOWN, "host:1")));
    assertDoesNotThrow(() -> DnAdmission.check(gms.catalog(), KNOWN, founder()));
    gms.submit(new CatalogCommand.CreateSchema("shop", "a1", "utf8mb4", "utf8mb4_0900_ai_ci", 2));
    AlraiException refusal =
        assertThrows(
            AlraiException.class, () -> DnAdmission.check(gms.catalog(), KNOWN, founder()));
    assertTrue(refusal.sentence().startsWith("dn-1 has one replica"), refusal.sentence());
  }

  @Test
  void whoHasFoundedAGroupDoesNotStartAsTheOnlyReplica() throws IOException {
    gms.submit(new CatalogCommand.RegisterDataNode(new DataNode(KNOWN, "host:1")));
    Files.createDirectories(mysqld(KNOWN).directory().resolve("data"));
    gms.submit(
        new CatalogCommand.PutDnMember(
            KNOWN, new DnMember("dn-1-b", "host:2", DnMember.Keeps.ROWS)));
    assertDoesNotThrow(() -> check(KNOWN), "it waits to join");
    gms.submit(
        new CatalogCommand.PutDnMember(KNOWN, new DnMember("dn-1", "host:1", DnMember.Keeps.ROWS)));
    refused(KNOWN, "it would write without the others");
  }

  @Test
  void aNewClusterTakesAll() {
    assertDoesNotThrow(() -> check(STRANGE));
  }

  @Test
  void oneWithDataTakesThoseThatHaveTheirPart() throws IOException {
    gms.submit(new CatalogCommand.RegisterDataNode(new DataNode(KNOWN, "host:1")));
    gms.submit(new CatalogCommand.CreateSchema("shop", "a1", "utf8mb4", "utf8mb4_0900_ai_ci", 2));
    refused(KNOWN, "the data of dn-1 is not in " + mysqld(KNOWN).directory());
    Files.createDirectories(mysqld(KNOWN).directory());
    refused(KNOWN, "would start empty in the place of a DN that has rows");
    Files.createDirectories(mysqld(KNOWN).directory().resolve("data"));
    assertDoesNotThrow(() -> check(KNOWN));
    Files.createDirectories(mysqld(STRANGE).directory().resolve("data"));
    refused(STRANGE, "dn-2 is none of its DNs (dn-1)");
  }
}
