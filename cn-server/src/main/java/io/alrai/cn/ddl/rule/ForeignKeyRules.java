package io.alrai.cn.ddl.rule;

import io.alrai.cn.ddl.job.PlacementRules;
import io.alrai.cn.ddl.job.TableDefinition;
import io.alrai.cn.ddl.job.TableText;
import io.alrai.cn.ddl.job.TableText.ForeignKey;
import io.alrai.common.error.AlraiException;
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
public final class ForeignKeyRules {
  private static final String WHAT_HELPS =
      "make both tables SINGLE (ALTER TABLE t SINGLE), or partition both by the key's columns";

  private final Schema schema;

  public ForeignKeyRules(Schema schema) {
    this.schema = schema;
  }

  /**
   * Where a table is, or would be.
   *
   * @param name logical name
   * @param group where its rows are
   */
  public record Placed(String name, Partitioning partitioning, TableGroup group) {}

  /**
   * Looks at all foreign keys of a table.
   *
   * @param unchecked whether the session does not check foreign keys: as in dumps, a parent may be
   *     missing then, if it can be in one partition with its child
   * @return why they cannot be kept there, ER_NOT_SUPPORTED_YET with a sentence that says what to
   *     do
   */
  Optional<AlraiException> refusal(Placed table, TableText text, boolean unchecked) {
    boolean parentMayCome = unchecked && table.partitioning instanceof Partitioning.Single;
    for (ForeignKey key : text.foreignKeys()) {
      boolean comes = parentMayCome && !schema.tables().containsKey(key.parent());
      if (!comes || key.parentSchema().isPresent()) {
        Optional<AlraiException> refusal = refusal(table, key);
        if (refusal.isPresent()) {
          return refusal;
        }
      }
    }
    return Optional.empty();
  }

  private Optional<AlraiException> refusal(Placed table, ForeignKey key) {
    if (key.parentSchema().isPresent()) {
      return refused(key, "it refers to another schema");
    }
    if (key.parent().equals(table.name)) {
      return refusal(table, key, table.partitioning, table.group.id());
    }
    Table parent = schema.tables().get(key.parent());
    return parent == null
        ? refused(key, "create table '" + key.parent() + "' first, or this one SINGLE")
        : refusal(table, key, parent.partitioning(), parent.tableGroupId());
  }

  private static Optional<AlraiException> refusal(
      Placed table, ForeignKey key, Partitioning parents, long parentsGroup) {
    if (parentsGroup != table.group.id()) {
      return refused(
          key,
          "tables '"
              + table.name
              + "' and '"
              + key.parent()
              + "' must be in the same table group: "
              + WHAT_HELPS);
    }
    return together(key, table.partitioning, parents)
        ? Optional.empty()
        : refused(key, "a row and its parent may be in different partitions: " + WHAT_HELPS);
  }

  /**
   * Looks at the foreign keys of a table that is there already to one that would come.
   *
   * @param text of the table that is there
   */
  Optional<AlraiException> refusal(Table child, TableText text, TableGroup group, Placed parent) {
    Placed placed = new Placed(child.name(), child.partitioning(), group);
    return text.foreignKeys().stream()
        .filter(key -> key.parent().equals(parent.name))
        .flatMap(key -> refusal(placed, key, parent.partitioning, parent.group.id()).stream())
        .findFirst();
  }

  /**
   * A placement that keeps the rows of a table that names none with their parents': one partition
   * if all parents are in one, else the partitions of a parent. Empty when there is none.
   */
  public Optional<Partitioning> placementOfParents(
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

  private static Optional<AlraiException> refused(ForeignKey key, String why) {
    return Optional.of(
        AlraiException.unsupported("'FOREIGN KEY " + key.name() + "' as it stands: " + why));
  }
}
