package io.alrai.dn.fetch;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The packages of an archive, and what each needs. */
final class PackageIndex {
  private static final Set<String> FIELDS =
      Set.of(
          "Package",
          "Version",
          "Architecture",
          "Depends",
          "Pre-Depends",
          "Provides",
          "Filename",
          "Size",
          "SHA256");

  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9+.-]*");
  private static final Pattern VERSION = Pattern.compile("[A-Za-z0-9.+~:-]+");

  /** A path that leads down only. */
  private static final Pattern FILE =
      Pattern.compile("(?!(.*/)?\\.\\./)[A-Za-z0-9][A-Za-z0-9.+~_/-]*\\.deb");

  private static final Pattern SIZE = Pattern.compile("\\d{1,12}");
  private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");

  /**
   * One package of the archive.
   *
   * @param needs Pre-Depends and Depends, as the archive has them
   * @param file path below the archive's root
   * @param size of the file, in bytes
   * @param sha256 of the file
   */
  record Package(
      String name, String version, String needs, String file, long size, String sha256) {}

  private final Map<String, Package> packages = new HashMap<>();

  /** What a name that is no package stands for: relations to the packages that provide it. */
  private final Map<String, List<Provider>> providers = new HashMap<>();

  private record Provider(Package by, String version) {}

  private PackageIndex() {}

  /**
   * Reads a list of packages.
   *
   * @param architecture Debian's name for it; packages for others are left out
   * @throws FetchException when it is not as it should be
   */
  static PackageIndex read(BufferedReader in, String architecture)
      throws IOException, FetchException {
    PackageIndex index = new PackageIndex();
    Stanzas stanzas = new Stanzas(in, FIELDS);
    for (var stanza = stanzas.next(); stanza != null; stanza = stanzas.next()) {
      String of = stanza.getOrDefault("Architecture", "");
      if (of.equals(architecture) || of.equals("all")) {
        index.add(stanza);
      }
    }
    return index;
  }

  private void add(Map<String, String> stanza) throws FetchException {
    String name = field(stanza, "Package", NAME);
    String needs = stanza.getOrDefault("Pre-Depends", "");
    if (stanza.containsKey("Depends")) {
      needs = needs.isEmpty() ? stanza.get("Depends") : needs + ", " + stanza.get("Depends");
    }
    Package one =
        new Package(
            name,
            field(stanza, "Version", VERSION),
            needs,
            field(stanza, "Filename", FILE),
            Long.parseLong(field(stanza, "Size", SIZE)),
            field(stanza, "SHA256", DIGEST));
    packages.merge(name, one, PackageIndex::newer);
    if (stanza.containsKey("Provides")) {
      for (List<Relation> given : Relation.list(stanza.get("Provides"))) {
        Relation relation = given.getFirst();
        providers
            .computeIfAbsent(relation.name(), _ -> new ArrayList<>())
            .add(new Provider(one, relation.version()));
      }
    }
  }

  private static String field(Map<String, String> stanza, String name, Pattern form)
      throws FetchException {
    String value = stanza.getOrDefault(name, "");
    if (!form.matcher(value).matches()) {
      throw new FetchException(
          "its list of packages has none or a wrong "
              + name
              + " for "
              + stanza.getOrDefault("Package", "a package"));
    }
    return value;
  }

  private static Package newer(Package one, Package other) {
    return new DebianVersion(one.version()).compareTo(new DebianVersion(other.version())) >= 0
        ? one
        : other;
  }

  /**
   * These packages and all that they need, each once. Conflicts are not looked at: nothing is
   * installed.
   *
   * @param leftOut names that nothing is fetched for
   * @throws FetchException when something is not there
   */
  List<Package> withAllTheyNeed(List<String> wanted, Predicate<String> leftOut)
      throws FetchException {
    Map<String, Package> chosen = new LinkedHashMap<>();
    Deque<Package> open = new ArrayDeque<>();
    for (String name : wanted) {
      Package one =
          choose(new Relation(name, "", ""))
              .orElseThrow(() -> new FetchException("it has no package " + name));
      if (chosen.putIfAbsent(one.name(), one) == null) {
        open.add(one);
      }
    }
    while (!open.isEmpty()) {
      Package needing = open.remove();
      for (List<Relation> alternatives : Relation.list(needing.needs())) {
        if (alternatives.stream().noneMatch(one -> isMet(one, chosen, leftOut))) {
          Package found = first(alternatives, needing);
          chosen.put(found.name(), found);
          open.add(found);
        }
      }
    }
    return List.copyOf(chosen.values());
  }

  private boolean isMet(Relation one, Map<String, Package> chosen, Predicate<String> leftOut) {
    Package there = chosen.get(one.name());
    return leftOut.test(one.name())
        || (there != null && one.isMetBy(there.version()))
        || providersOf(one).stream().anyMatch(by -> chosen.containsKey(by.name()));
  }

  private Package first(List<Relation> alternatives, Package needing) throws FetchException {
    for (Relation one : alternatives) {
      Optional<Package> found = choose(one);
      if (found.isPresent()) {
        return found.get();
      }
    }
    throw new FetchException(
        "its package "
            + needing.name()
            + " needs "
            + String.join(" or ", alternatives.stream().map(Relation::toString).toList())
            + ", which it does not have at the moment");
  }

  private Optional<Package> choose(Relation relation) {
    Package real = packages.get(relation.name());
    if (real != null && relation.isMetBy(real.version())) {
      return Optional.of(real);
    }
    return providersOf(relation).stream().findFirst();
  }

  private List<Package> providersOf(Relation relation) {
    return providers.getOrDefault(relation.name(), List.of()).stream()
        .filter(provider ->
            relation.operator().isEmpty()
                || (!provider.version().isEmpty() && relation.isMetBy(provider.version())))
        .map(Provider::by)
        .filter(by -> packages.get(by.name()) == by)
        .toList();
  }
}
