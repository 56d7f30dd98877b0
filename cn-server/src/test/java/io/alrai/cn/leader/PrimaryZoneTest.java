package io.alrai.cn.leader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.system.DnGroups;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.dn.link.DnMembers;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.Zones;
import io.alrai.gms.api.node.ComputeNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class PrimaryZoneTest {
  private static final NodeId SELF = new NodeId("cn-1");
  private static final String HERE = "zone 'ä\"\\";

  private final FakeGroup one = new FakeGroup("dn-1-a", "dn-1-b");
  private final FakeGroup two = new FakeGroup("dn-2-a", "dn-2-b");
  private final Map<String, String> settings = new TreeMap<>();
  private final Map<DnId, DnMembers> dns = new LinkedHashMap<>();
  private List<String> cns = List.of("cn-2", "cn-1");
  private long nanos;
  private long leases = 1_001;
  private final PrimaryZone zone =
      new PrimaryZone(SELF, this::catalog, this::groups, () -> nanos, () -> 1_000);

  PrimaryZoneTest() {
    dns.put(new DnId("dn-1"), one);
    dns.put(new DnId("dn-2"), two);
    put((CatalogCommand.PutSetting) Zones.change(catalog(), "dn-1-b", HERE).orElseThrow());
    put((CatalogCommand.PutSetting) Zones.change(catalog(), "dn-2-a", "there").orElseThrow());
    put((CatalogCommand.PutSetting) Zones.choosePrimary(HERE));
  }

  private void put(CatalogCommand.PutSetting setting) {
    settings.put(setting.name(), setting.value());
  }

  private Catalog catalog() {
    return new Catalog(
        1,
        Map.of(),
        List.of(),
        cns.stream().map(name -> new ComputeNode(new NodeId(name), 0, "", 1, leases)).toList(),
        Map.of(),
        settings,
        Map.of());
  }

  private DnGroups groups() {
    return new DnGroups(dns, member -> Zones.of(catalog(), member));
  }

  private void looks(int times) {
    for (int i = 0; i < times; i++) {
      zone.look();
    }
  }

  @Test
  void whoFollowsThereInThreeLooksLeads() {
    looks(2);
    assertEquals("dn-1-a", one.leader);
    looks(1);
    assertEquals("dn-1-b", one.leader);
    assertEquals("dn-2-a", two.leader, "nobody of its group is in the zone");
    looks(5);
    assertEquals(1, one.changes, "who leads there stays");
  }

  @Test
  void whoLagsOrIsBrokenOrSilentDoesNot() {
    one.lagMillis = 1_001;
    looks(4);
    one.lagMillis = 0;
    one.error = "1062: it has a row that its leader has not";
    looks(4);
    one.error = "";
    one.state = "REBUILDING";
    looks(4);
    one.state = "FOLLOWING";
    one.silent = "dn-1-b";
    looks(4);
    one.silent = "";
    looks(2);
    assertEquals("dn-1-a", one.leader, "the looks before do not count");
    looks(1);
    assertEquals("dn-1-b", one.leader);
  }

  @Test
  void nobodyIsChosenWhileNobodyLeads() {
    one.silent = "dn-1-a";
    looks(4);
    assertEquals(0, one.changes);
  }

  @Test
  void aRefusalIsGivenAMinute() {
    one.refusal = "the log of dn-1-b is too short";
    looks(3);
    assertEquals(1, one.changes);
    nanos = TimeUnit.SECONDS.toNanos(59);
    looks(6);
    assertEquals(1, one.changes);
    nanos = TimeUnit.SECONDS.toNanos(60);
    one.refusal = "";
    looks(3);
    assertEquals("dn-1-b", one.leader);
  }

  @Test
  void anotherCnDoesItWhoseNameIsFirst() {
    cns = List.of("cn-0", "cn-1");
    looks(4);
    assertEquals("dn-1-a", one.leader);
    cns = List.of("cn-1");
    looks(3);
    assertEquals("dn-1-b", one.leader);
  }

  @Test
  void aCnWhoseLeaseIsOverDoesNothing() {
    cns = List.of("cn-0", "cn-1");
    leases = 1_000;
    looks(3);
    assertEquals("dn-1-b", one.leader);
  }

  @Test
  void withoutAZoneWhoeverLeadsStays() {
    settings.remove("config.primary_zone");
    looks(4);
    assertEquals("dn-1-a", one.leader);
  }

  @Test
  void aStatementSaysWhichGroupsStay() {
    assertEquals(
        List.of(
            "dn-2: no member in zone '"
                + HERE
                + "' can lead it now: [dn-2-a in 'there' is LEADING, dn-2-b in '' is FOLLOWING]"),
        ZoneLeaders.lead(groups(), HERE));
    assertEquals("dn-1-b", one.leader);
    assertEquals(1, ZoneLeaders.lead(groups(), HERE).size(), "once more changes nothing");
    assertEquals(1, one.changes);
  }

  @Test
  void aZoneThatIsNotThereIsRefused() {
    AlraiException wrong =
        assertThrows(AlraiException.class, () -> ZoneLeaders.lead(groups(), "nowhere"));
    assertTrue(wrong.is(ErrorCode.ER_WRONG_VALUE_FOR_VAR));
    assertTrue(wrong.sentence().endsWith("the zones are [there, " + HERE + "]"), wrong.sentence());
    settings.clear();
    wrong = assertThrows(AlraiException.class, () -> ZoneLeaders.lead(groups(), ""));
    assertTrue(wrong.sentence().contains("nobody is in any"), wrong.sentence());
  }

  @Test
  void theReasonWhereNoGroupChanges() {
    one.refusal = "the log of dn-1-b is too short";
    AlraiException why = assertThrows(AlraiException.class, () -> ZoneLeaders.lead(groups(), HERE));
    assertEquals(one.refusal, why.sentence());
  }
}
