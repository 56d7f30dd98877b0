package io.alrai.optimizer.api.explain;

import io.alrai.executor.fragment.KeyColumn;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.executor.fragment.Targets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Targets as one line. */
final class TargetText {
  private TargetText() {}

  static String of(Targets targets) {
    return switch (targets) {
      case Targets.Keys keys ->
          "by "
              + keys.function().columns().stream()
                  .map(KeyColumn::name)
                  .collect(Collectors.joining(", ", "(", ")"))
              + " in "
              + keys.tuples().stream().map(TargetText::tuple).collect(Collectors.joining(", "))
              + " of "
              + count(keys.places().size());
      case Targets.All all -> all.places().isEmpty() ? "none alone" : "all " + places(all.places());
      case Targets.One one -> "always " + one.place().physicalSchema() + " on " + one.place().dn();
      case Targets.AnyDn any -> "any DN" + under(any.physicalSchema().name());
      case Targets.EveryDn every -> "every DN" + under(every.physicalSchema().name());
    };
  }

  private static String under(String schema) {
    return schema.isEmpty() ? "" : " under " + schema;
  }

  private static String tuple(List<Integer> slots) {
    return slots.stream().map(slot -> "?" + slot).collect(Collectors.joining(", ", "(", ")"));
  }

  private static String count(int places) {
    return places + (places == 1 ? " partition group" : " partition groups");
  }

  private static String places(List<ShardPlace> places) {
    Map<String, List<String>> byDn = new TreeMap<>();
    for (ShardPlace place : places) {
      byDn.computeIfAbsent(place.dn().name(), dn -> new ArrayList<>())
          .add(place.physicalSchema().name());
    }
    return byDn.entrySet().stream()
        .map(entry -> entry.getKey() + ": " + String.join(" ", entry.getValue()))
        .collect(Collectors.joining("; ", count(places.size()) + " (", ")"));
  }
}
