package io.alrai.cn.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What a JVM hands on to those of roles; caches of classes are in {@link ClassCacheTest}. */
class RoleOptionsTest {
  private static final List<String> OPTIONS =
      List.of(
          "-Xmx9m",
          "-Dalrai.roles.small=-Xmn6m  -Xss1m",
          "-Dalrai.own=begin",
          "-Xmn1m",
          "-Dalrai.own=end",
          "-Da=b");

  private static List<String> of(String role) {
    return RoleOptions.of(OPTIONS, "a.jar", role);
  }

  @Test
  void whatStandsBetweenTheMarksIsForItselfAlone() {
    assertEquals(List.of("-Xmx9m", "-Da=b"), of("cn"));
    assertEquals(List.of("-Xmx9m", "-Da=b"), of("node"));
  }

  @Test
  void theGmsIsSmallAndAPersonsOptionsComeLater() {
    assertEquals(List.of("-Xmx9m", "-Xmn6m", "-Xss1m", "-Da=b"), of("gms"));
  }

  @Test
  void withoutMarksAllIsHandedOn() {
    assertEquals(List.of("-Xmx9m"), RoleOptions.of(List.of("-Xmx9m"), "a.jar", "dn"));
  }
}
