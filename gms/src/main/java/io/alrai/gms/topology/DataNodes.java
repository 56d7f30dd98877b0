package io.alrai.gms.topology;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DataNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** The DNs of a cluster, ordered by name. Stateless. */
public final class DataNodes {
  private DataNodes() {}

  /**
   * The DNs after a command about one.
   *
   * @param holdsData whether the cluster has what a new DN does not
   * @throws AlraiException ER_NOT_SUPPORTED_YET for a new one that registers then
   */
  public static List<DataNode> after(
      List<DataNode> known, CatalogCommand.OnDataNode command, boolean holdsData) {
    return switch (command) {
      case CatalogCommand.PutDataNode put -> put(known, put.node());
      case CatalogCommand.RegisterDataNode(DataNode node) -> {
        if (holdsData) {
          requireKnown(known, node.id());
        }
        yield put(known, node);
      }
    };
  }

  private static List<DataNode> put(List<DataNode> known, DataNode node) {
    if (known.contains(node)) {
      return known;
    }
    List<DataNode> next = new ArrayList<>(known);
    next.removeIf(other -> other.id().equals(node.id()));
    next.add(node);
    next.sort(Comparator.comparing(DataNode::id));
    return List.copyOf(next);
  }

  /**
   * That a DN is one of a cluster with data.
   *
   * @throws AlraiException ER_NOT_SUPPORTED_YET
   */
  public static void requireKnown(List<DataNode> known, DnId dn) {
    if (known.stream().noneMatch(node -> node.id().equals(dn))) {
      throw AlraiException.unsupported(
          "adding a DN to a cluster that has databases: "
              + dn
              + " is none of its DNs ("
              + known.stream().map(each -> each.id().name()).collect(Collectors.joining(", "))
              + "), start all DNs before the first CREATE DATABASE");
    }
  }
}
