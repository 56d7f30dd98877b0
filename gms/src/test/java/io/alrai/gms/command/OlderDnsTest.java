package io.alrai.gms.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.node.DataNode;
import io.alrai.gms.api.node.DnMember;
import io.alrai.gms.catalog.CatalogState;
import io.alrai.gms.catalog.Samples;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Logs and snapshots from before DNs could have several replicas. */
class OlderDnsTest {
  private final GmsCodec codec = new GmsCodec();

  @Test
  void dnsFromBeforeTheyCouldHaveSeveralReplicasHaveOne() {
    String older =
        "{\"format\":1,\"body\":{\"request\":\"c:1\",\"command\":{\"is\":\"Change\",\"command\":"
            + "{\"is\":\"RegisterDataNode\",\"node\":{\"id\":{\"name\":\"dn-1\"},"
            + "\"address\":\"host:1\"}}}}}";
    assertEquals(
        new LogEntry(
            "c:1",
            new LogCommand.Change(
                new CatalogCommand.RegisterDataNode(new DataNode(Samples.DN1, "host:1")))),
        codec.decode(older.getBytes(StandardCharsets.UTF_8), LogEntry.class));
    Catalog catalog = CatalogState.EMPTY.apply(Samples.ground()).catalog();
    String now = new String(codec.encode(catalog), StandardCharsets.UTF_8);
    String noGroups =
        now.replace(",\"linkedNodes\":[]", "")
            .replaceAll(",\"forced\":\\{.*?\\[\\]\\}", "")
            .replace(",\"members\":[],\"term\":0", "");
    assertTrue(noGroups.length() < now.length(), now);
    assertFalse(noGroups.contains("forced"), noGroups);
    assertEquals(catalog, codec.decode(noGroups.getBytes(StandardCharsets.UTF_8), Catalog.class));
  }

  @Test
  void membersFromBeforeGroupsCouldBeForcedAreOfTheFirstGeneration() {
    String older =
        "{\"format\":1,\"body\":{\"request\":\"c:1\",\"command\":{\"is\":\"Change\",\"command\":"
            + "{\"is\":\"PutDnMember\",\"dn\":{\"name\":\"dn-1\"},"
            + "\"member\":{\"name\":\"dn-1-a\",\"address\":\"host:1\",\"keeps\":\"ROWS\"}}}}}";
    assertEquals(
        new LogEntry(
            "c:1",
            new LogCommand.Change(
                new CatalogCommand.PutDnMember(
                    Samples.DN1, new DnMember("dn-1-a", "host:1", DnMember.Keeps.ROWS)))),
        codec.decode(older.getBytes(StandardCharsets.UTF_8), LogEntry.class));
  }
}
