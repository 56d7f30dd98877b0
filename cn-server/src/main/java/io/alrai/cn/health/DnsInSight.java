package io.alrai.cn.health;

import io.alrai.cn.branch.DnLinks;
import io.alrai.common.id.DnId;
import io.alrai.common.metrics.Readiness;
import io.alrai.dn.link.DnLink;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Whether a node sees its DNs. One that sees none is of no use. One that sees some serves: were it
 * taken out for the others, the loss of one DN would take all CNs out.
 */
public final class DnsInSight {
  private final DnLinks links;

  private DnsInSight(DnLinks links) {
    this.links = links;
  }

  /** Has the node's readiness depend on them. */
  public static void watch(DnLinks links, Readiness readiness) {
    DnsInSight seen = new DnsInSight(links);
    readiness.needs(seen::none);
    readiness.notes(seen::silent);
  }

  private Optional<String> none() {
    List<DnLink> all = links.all();
    if (all.isEmpty()) {
      return Optional.of("it knows no DN: none has registered with the GMS");
    }
    return all.stream().anyMatch(DnLink::answers)
        ? Optional.empty()
        : Optional.of(
            "no DN answers it: "
                + all.stream().map(DnLink::dn).map(DnId::name).collect(Collectors.joining(", ")));
  }

  private List<String> silent() {
    return links.all().stream()
        .filter(link -> !link.answers())
        .map(link -> link.dn() + " does not answer it")
        .toList();
  }
}
