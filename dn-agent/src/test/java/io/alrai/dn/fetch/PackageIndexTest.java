package io.alrai.dn.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import org.junit.jupiter.api.Test;

class PackageIndexTest {
  private final StringBuilder list = new StringBuilder();

  private void has(String name, String version, String fields) {
    has(name, version, "amd64", fields);
  }

  private void has(String name, String version, String architecture, String fields) {
    list.append(
        """
        Package: %s
        Version: %s
        Architecture: %s
        Description: nobody reads it
         nor this
        %sFilename: pool/%s_%s.deb
        Size: 5
        SHA256: %s

        """
            .formatted(
                name,
                version,
                architecture,
                fields.isEmpty() ? "" : fields + "\n",
                name,
                version,
                "0".repeat(64)));
  }

  private PackageIndex index() throws IOException, FetchException {
    return PackageIndex.read(new BufferedReader(new StringReader(list.toString())), "amd64");
  }

  private List<String> needed(String name) throws IOException, FetchException {
    return index().withAllTheyNeed(List.of(name), "perl"::equals).stream()
        .map(one -> one.name() + " " + one.version())
        .toList();
  }

  @Test
  void allThatIsNeededComesOnce() throws Exception {
    has("a", "1", "Depends: b (>= 1), c:any, perl:any\nPre-Depends: d");
    has("b", "2", "Depends: c, a");
    has("c", "1", "");
    has("d", "1", "Depends: c [amd64]");
    has("perl", "5", "Depends: e");
    assertEquals(List.of("a 1", "d 1", "b 2", "c 1"), needed("a"));
  }

  @Test
  void theNewestOfThisArchitectureIsTaken() throws Exception {
    has("a", "1.9", "");
    has("a", "1.10", "");
    has("a", "1.2", "");
    has("a", "3", "arm64", "");
    assertEquals(List.of("a 1.10"), needed("a"));
  }

  @Test
  void ofAlternativesTheFirstThatIsThereIsTaken() throws Exception {
    has("a", "1", "Depends: none | b (>> 1) | c | d");
    has("b", "1", "");
    has("c", "1", "");
    has("d", "1", "");
    assertEquals(List.of("a 1", "c 1"), needed("a"));
  }

  @Test
  void anAlternativeThatIsComingAnywayIsEnough() throws Exception {
    has("a", "1", "Depends: c, b | c");
    has("b", "1", "");
    has("c", "1", "");
    assertEquals(List.of("a 1", "c 1"), needed("a"));
  }

  @Test
  void aNameMayBeGivenByAnotherPackage() throws Exception {
    has("a", "1", "Depends: virtual, versioned (>= 2), virtual");
    has("b", "1", "Provides: virtual, versioned (= 1)");
    has("c", "1", "Provides: versioned (= 2)");
    assertEquals(List.of("a 1", "b 1", "c 1"), needed("a"));
  }

  @Test
  void whatIsNotThereIsNamed() {
    has("a", "1", "Depends: b (>= 2) | virtual");
    has("b", "1", "");
    FetchException failure = assertThrows(FetchException.class, () -> needed("a"));
    assertTrue(failure.sentence().contains("a needs b (>= 2) or virtual"), failure.sentence());
    assertEquals(
        "it has no package z", assertThrows(FetchException.class, () -> needed("z")).sentence());
  }

  @Test
  void wrongListsAreRefused() {
    for (String bad :
        List.of(
            "Package: a\nVersion: 1\nArchitecture: all\nFilename: ../a.deb\nSize: 1\nSHA256: "
                + "0".repeat(64),
            "Package: a\nVersion: 1\nArchitecture: all\nFilename: x/../../a.deb\nSize: 1\nSHA256: "
                + "0".repeat(64),
            "Package: a\nVersion: 1\nArchitecture: all\nFilename: a.deb\nSize: -1\nSHA256: "
                + "0".repeat(64),
            "Package: a\nVersion: 1\nArchitecture: all\nFilename: a.deb\nSize: 1\nSHA256: 00",
            "Package: a\nPackage: b\n",
            "no field\n")) {
      assertThrows(
          FetchException.class,
          () -> PackageIndex.read(new BufferedReader(new StringReader(bad)), "amd64"),
          bad);
    }
  }

  @Test
  void aNeedOfAnUnknownFormIsRefused() {
    has("a", "1", "Depends: b (~ 2)");
    assertThrows(FetchException.class, () -> needed("a"));
  }
}
