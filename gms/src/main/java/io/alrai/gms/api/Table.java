package io.alrai.gms.api;

import java.util.List;
import java.util.Optional;

/**
 * A logical table.
 *
 * @param id unique in the cluster, never reused
 * @param schema the logical schema
 * @param name as written; compared with regard to case, as MySQL on Linux
 * @param columns in order, invisible ones too
 * @param primaryKey column names; the implicit key's name where the table has none of its own
 * @param uniqueKeys the column names of each unique key besides the primary one
 * @param implicitPrimaryKey whether Alrai added the key
 * @param partitioning how rows are placed
 * @param tableGroupId whose partition groups hold the rows
 * @param columnIndexes none or one
 * @param triggers those of one moment in the order in which they run
 * @param ownIds whether the mysqld of its only partition gives the AUTO_INCREMENT ids, to triggers
 *     too, and no sequence does: SINGLE tables, but for those from before there was this
 * @param placedByDefault whether the statement that made it named no placement: it may be moved to
 *     where a foreign key or a trigger needs it
 */
public record Table(
    long id,
    String schema,
    String name,
    List<Column> columns,
    List<String> primaryKey,
    List<List<String>> uniqueKeys,
    boolean implicitPrimaryKey,
    Partitioning partitioning,
    long tableGroupId,
    List<ColumnIndexDefinition> columnIndexes,
    List<Trigger> triggers,
    boolean ownIds,
    boolean placedByDefault) {
  /** Name of the column that stands in for a missing primary key. */
  public static final String IMPLICIT_KEY = "__alrai_id";

  /** The table group of a session's temporary tables, which no catalog but its own has. */
  public static final long TEMPORARY_GROUP = -1;

  public Table {
    columns = List.copyOf(columns);
    primaryKey = List.copyOf(primaryKey);
    uniqueKeys = uniqueKeys.stream().map(List::copyOf).toList();
    columnIndexes = List.copyOf(columnIndexes);
    triggers = List.copyOf(triggers);
  }

  /** Whether it is one session's, on the connection that it keeps. */
  public boolean temporary() {
    return tableGroupId == TEMPORARY_GROUP;
  }

  /** Whether it was placed by default in more than one partition, and so may be moved into one. */
  public boolean movable() {
    return placedByDefault
        && !(partitioning instanceof Partitioning.Single)
        && !(partitioning instanceof Partitioning.Broadcast);
  }

  /** The column of that name, whatever its case. */
  public Optional<Column> column(String columnName) {
    for (Column column : columns) {
      if (column.name().equalsIgnoreCase(columnName)) {
        return Optional.of(column);
      }
    }
    return Optional.empty();
  }

  /** The column whose ids come from {@link #sequence}, or from the mysqld: {@link #ownIds}. */
  public Optional<Column> autoIncrementColumn() {
    return columns.stream().filter(Column::autoIncrement).findFirst();
  }

  /** Name of the sequence that feeds the AUTO_INCREMENT column. */
  public String sequence() {
    return "auto:" + id;
  }

  /** A copy under another id, and so with another sequence. */
  public Table withId(long newId) {
    return with(newId, name, columnIndexes, triggers, ownIds);
  }

  /** A copy under another name. */
  public Table withName(String newName) {
    return with(id, newName, columnIndexes, triggers, ownIds);
  }

  /** A copy with other column indexes. */
  public Table withColumnIndexes(List<ColumnIndexDefinition> others) {
    return with(id, name, others, triggers, ownIds);
  }

  /** A copy with other triggers. */
  public Table withTriggers(List<Trigger> others) {
    return with(id, name, columnIndexes, others, ownIds);
  }

  /** A copy that says whether ids come from its own sequence. */
  public Table withOwnIds(boolean own) {
    return with(id, name, columnIndexes, triggers, own);
  }

  /** A copy at another place. */
  public Table withPlacement(Partitioning other, long groupId) {
    return new Table(
        id,
        schema,
        name,
        columns,
        primaryKey,
        uniqueKeys,
        implicitPrimaryKey,
        other,
        groupId,
        columnIndexes,
        triggers,
        ownIds,
        placedByDefault);
  }

  private Table with(
      long newId,
      String newName,
      List<ColumnIndexDefinition> indexes,
      List<Trigger> newTriggers,
      boolean newOwnIds) {
    return new Table(
        newId,
        schema,
        newName,
        columns,
        primaryKey,
        uniqueKeys,
        implicitPrimaryKey,
        partitioning,
        tableGroupId,
        indexes,
        newTriggers,
        newOwnIds,
        placedByDefault);
  }
}
