package io.alrai.cn.systemd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.health.DrainBounds;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What systemd reads; {@code dist/check-deb} has systemd itself look at the units. */
class UnitFileTest {
  private static final UnitFile USUAL = UnitFile.node("alrai", "/var/lib/alrai", "/usr/lib/alrai");

  private static List<String> lines(UnitFile unit) {
    return unit.text().lines().toList();
  }

  private static String value(UnitFile unit, String key) {
    List<String> found = lines(unit).stream().filter(line -> line.startsWith(key + "=")).toList();
    assertEquals(1, found.size(), key);
    return found.getFirst().substring(key.length() + 1);
  }

  @Test
  void thePackageHasAUnitForEachRole() {
    List<UnitFile> units = UnitFile.ofPackage("/usr/lib/alrai");
    assertEquals(
        List.of(
            "alrai.service",
            "alrai-node.service",
            "alrai-gms@.service",
            "alrai-dn@.service",
            "alrai-logger@.service",
            "alrai-columnar@.service",
            "alrai-cn@.service"),
        units.stream().map(UnitFile::name).toList());
    assertEquals(USUAL, units.get(1));
    assertEquals(
        "/usr/lib/alrai/bin/alrai cn --config /etc/alrai/%i.properties",
        value(units.getLast(), "ExecStart"));
    for (UnitFile unit : units) {
      Set<String> keys = new HashSet<>();
      for (String line : lines(unit)) {
        assertTrue(line.matches("|#.*|\\[\\w+]|[A-Z][A-Za-z]+=.*"), line);
        assertTrue(
            !line.contains("=") || line.startsWith("#") || keys.add(line.split("=")[0]), line);
      }
      assertEquals("notify", value(unit, "Type"));
      assertEquals("alrai", value(unit, "User"));
      assertFalse(unit.text().contains("null"), unit.text());
    }
  }

  @Test
  void transactionsHaveTheirTimeBeforeAnythingIsKilled() {
    long drain = DrainBounds.USUAL.listenSeconds() + DrainBounds.USUAL.mostSeconds();
    long rest = Long.parseLong(value(USUAL, "TimeoutStopSec")) - drain;
    assertTrue(rest >= 60, "only " + rest + " s for mysqlds");
  }

  @Test
  void dataOutsideOfTheStateDirectoryMayBeWritten() {
    UnitFile other = UnitFile.node("db", "/data/x", "/opt/alrai");
    assertEquals("+/usr/bin/install -d -o db -m 700 /data/x", value(other, "ExecStartPre"));
    assertEquals("-/data/x", value(other, "ReadWritePaths"));
    assertEquals("strict", value(other, "ProtectSystem"));
    for (String below : List.of("/var/lib/alrai", "/var/lib/alrai/a")) {
      assertFalse(UnitFile.node("db", below, "/opt").text().contains("ReadWritePaths"), below);
    }
    assertTrue(UnitFile.node("db", "/var/lib/alrai2", "/").text().contains("ReadWritePaths"));
  }
}
