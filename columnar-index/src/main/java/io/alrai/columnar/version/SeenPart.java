package io.alrai.columnar.version;

import io.alrai.columnar.scan.Zone;
import io.alrai.columnar.scan.ZoneMap;

/** A part as it was when a snapshot was opened. */
record SeenPart(StoredRows part, int rows, StoredRows.Sight sight) implements ZoneMap {
  @Override
  public Zone zone(int ordinal) {
    return part instanceof StoredRows.Base base ? base.group().zone(ordinal) : new Zone.Unknown();
  }
}
