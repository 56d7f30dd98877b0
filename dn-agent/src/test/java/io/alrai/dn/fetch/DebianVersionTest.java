package io.alrai.dn.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class DebianVersionTest {
  /** As dpkg --compare-versions puts them. */
  private static final List<String> IN_ORDER =
      List.of(
          "0~~",
          "0~",
          "0",
          "0.9",
          "1~rc1-1",
          "1-1~bpo1",
          "1-1",
          "1-1+b1",
          "1-1.1",
          "1a",
          "1+b",
          "1.0",
          "1.2",
          "1.2a",
          "1.2.1",
          "1.10",
          "2.38-1",
          "2.41",
          "9.7.4-2",
          "20080614-0",
          "1:0.1",
          "2:0");

  @Test
  void theOrderIsThatOfDpkg() {
    for (int i = 0; i < IN_ORDER.size(); i++) {
      for (int j = 0; j < IN_ORDER.size(); j++) {
        DebianVersion one = new DebianVersion(IN_ORDER.get(i));
        DebianVersion other = new DebianVersion(IN_ORDER.get(j));
        assertEquals(
            Integer.signum(Integer.compare(i, j)),
            Integer.signum(one.compareTo(other)),
            one + " and " + other);
      }
    }
  }

  @Test
  void zerosInFrontAndAnEmptyRevisionDoNotCount() {
    assertEquals(0, new DebianVersion("1.01-0").compareTo(new DebianVersion("0:1.1")));
  }

  @Test
  void relationsHold() {
    DebianVersion version = new DebianVersion("2.41-1");
    assertTrue(version.is(">=", new DebianVersion("2.38")));
    assertTrue(version.is("=", new DebianVersion("2.41-1")));
    assertFalse(version.is("<<", new DebianVersion("2.41-1")));
    assertTrue(version.is("<=", new DebianVersion("2.41-1")));
    assertFalse(version.is(">>", new DebianVersion("2.41-1")));
  }
}
