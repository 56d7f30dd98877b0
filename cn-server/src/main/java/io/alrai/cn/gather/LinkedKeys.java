package io.alrai.cn.gather;

import io.alrai.cn.route.Router;
import io.alrai.cn.text.LiteralText;
import io.alrai.cn.text.RowSlots;
import io.alrai.cn.text.SessionText;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.GatherPlan.KeyLink;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.executor.operator.RowSource;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The values that confine the rows of a table which is still to be copied.
 *
 * @param link which columns
 * @param literals the values, in the form of a statement's bytes in ISO 8859-1
 * @param partitions where rows with the values are, one for each; none where that is not known
 */
record LinkedKeys(KeyLink link, List<String> literals, List<Integer> partitions) {
  /** Reads values, each once and none NULL. */
  static LinkedKeys read(KeyLink link, RowSource rows, Router router, LiteralText texts) {
    List<String> literals = new ArrayList<>();
    List<Integer> partitions = new ArrayList<>();
    List<ColumnDefinition> columns = rows.columns();
    ByteArrayOutputStream literal = new ByteArrayOutputStream(64);
    boolean placed = link.function().isPresent();
    while (rows.advance()) {
      literal.reset();
      texts.append(columns.getFirst(), rows.row(), 0, literal);
      literals.add(literal.toString(StandardCharsets.ISO_8859_1));
      if (placed) {
        RowSlots value = new RowSlots(columns, rows.row());
        int index = router.indexOfStored(link.function().get(), value, SessionText.COPIED);
        partitions.add(index);
        placed = index != Router.UNKNOWN;
      }
    }
    return new LinkedKeys(link, literals, placed ? partitions : List.of());
  }

  /** What is to be read where: the places that may have rows, each with its values. */
  Map<ShardPlace, List<String>> at(List<ShardPlace> places) {
    Map<ShardPlace, List<String>> found = new LinkedHashMap<>();
    for (ShardPlace place : places) {
      List<String> mine = partitions.isEmpty() ? literals : of(place);
      if (!mine.isEmpty()) {
        found.put(place, mine);
      }
    }
    return found;
  }

  private List<String> of(ShardPlace place) {
    List<String> mine = new ArrayList<>();
    for (int i = 0; i < literals.size(); i++) {
      if (partitions.get(i) == place.index()) {
        mine.add(literals.get(i));
      }
    }
    return mine;
  }
}
