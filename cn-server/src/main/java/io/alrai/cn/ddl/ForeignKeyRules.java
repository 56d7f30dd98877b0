package io.alrai.cn.ddl;

import io.alrai.cn.ddl.TableText.ForeignKey;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.TableGroup;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * Which foreign keys a mysqld can keep by itself: those whose child rows are always in the same
 * physical schema as their parent row.
 */
final class ForeignKeyRules {
  private static final String WHAT_HELPS =
      "make both tables SINGLE (those made after ALTER DATABASE .. DEFAULT PARTITIONS 1 are), or"
          + " partition both by the key's columns";

  private final Schema schema;

  ForeignKeyRules(Schema schema) {
    this.schema = schema;
  }

  /**
   * Checks all foreign keys of a table.
   *
   * @param table logical name
   * @param group where its rows are
   * @param unchecked whether the session does not check foreign keys: as in dumps, a parent may be
   *     missing then, where it will be SINGLE like its child
   * @throws AlraiException ER_NOT_SUPPORTED_YET with a sentence that says what to do
   */
  void check(
      String table,
      TableText text,
      Partitioning partitioning,
      TableGroup group,
      boolean unchecked) {
    boolean parentMayCome =
        unchecked && schema.defaultPartitions() == 1 && partitioning instanceof Partitioning.Single;
    for (ForeignKey key : text.foreignKeys()) {
      boolean comes = parentMayCome && !schema.tables().containsKey(key.parent());
      if (!comes || key.parentSchema().isPresent()) {
        check(table, key, partitioning, group);
      }
    }
  }

  private void check(String table, ForeignKey key, Partitioning partitioning, TableGroup group) {
    if (key.parentSchema().isPresent()) {
      throw refused(key, "it refers to another schema");
    }
    boolean toItself = key.parent().equals(table);
    Table parent = schema.tables().get(key.parent());
    if (parent == null && !toItself) {
      throw refused(
          key,
          "create table '"
              + key.parent()
              + "' first (in a database of DEFAULT PARTITIONS 1 it may come later)");
    }
    if (!toItself && parent != null && parent.tableGroupId() != group.id()) {
      throw refused(
          key,
          "tables '"
              + table
              + "' and '"
              + key.parent()
              + "' must be in the same table group: "
              + WHAT_HELPS);
    }
    Partitioning parents = toItself || parent == null ? partitioning : parent.partitioning();
    if (!together(key, partitioning, parents)) {
      throw refused(key, "a row and its parent may be in different partitions: " + WHAT_HELPS);
    }
  }

  /**
   * A placement that keeps the rows of a table that names none with their parents': one partition
   * if all parents are in one, else the partitions of a parent. Empty when there is none.
   */
  Optional<Partitioning> placementOfParents(
      String table, TableDefinition definition, TableText text) {
    List<ForeignKey> keys =
        text.foreignKeys().stream().filter(key -> !key.parent().equals(table)).toList();
    List<Partitioning> parents = new ArrayList<>();
    for (ForeignKey key : keys) {
      Table parent = schema.tables().get(key.parent());
      if (parent != null) {
        parents.add(parent.partitioning());
        Optional<Partitioning> with = withParent(definition, key, parent.partitioning());
        if (with.isPresent()) {
          return with;
        }
      }
    }
    boolean single =
        !parents.isEmpty() && parents.stream().allMatch(Partitioning.Single.class::isInstance);
    return single ? Optional.of(new Partitioning.Single()) : Optional.empty();
  }

  private static Optional<Partitioning> withParent(
      TableDefinition definition, ForeignKey key, Partitioning parent) {
    if (!(parent instanceof Partitioning.Key byKey)) {
      return Optional.empty();
    }
    List<String> columns = new ArrayList<>();
    for (String referred : byKey.columns()) {
      int at = indexOf(key.parentColumns(), referred);
      if (at < 0) {
        return Optional.empty();
      }
      columns.add(definition.column(key.columns().get(at)).orElseThrow().name());
    }
    return definition.keyWithout(new HashSet<>(columns)).isPresent()
        ? Optional.empty()
        : Optional.of(new Partitioning.Key(columns, byKey.count()));
  }

  private static boolean together(ForeignKey key, Partitioning child, Partitioning parent) {
    if (child instanceof Partitioning.Single || child instanceof Partitioning.Broadcast) {
      return true;
    }
    if (child instanceof Partitioning.Spread) {
      return false;
    }
    List<String> referred = new ArrayList<>();
    for (String column : PlacementRules.columnsOf(child)) {
      int at = indexOf(key.columns(), column);
      if (at < 0) {
        return false;
      }
      referred.add(key.parentColumns().get(at));
    }
    List<String> wanted = PlacementRules.columnsOf(parent);
    for (int i = 0; i < wanted.size(); i++) {
      if (!wanted.get(i).equalsIgnoreCase(referred.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static int indexOf(List<String> names, String name) {
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i).equalsIgnoreCase(name)) {
        return i;
      }
    }
    return -1;
  }

  private static AlraiException refused(ForeignKey key, String why) {
    return new AlraiException(
        ErrorCode.ER_NOT_SUPPORTED_YET,
        "This version of Alrai doesn't yet support 'FOREIGN KEY "
            + key.name()
            + "' as it stands: "
            + why);
  }
}
