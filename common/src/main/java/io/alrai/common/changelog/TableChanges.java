package io.alrai.common.changelog;

import java.util.List;

/**
 * What a transaction did to the rows of one physical table, in its order.
 *
 * @param schema as the DN's mysqld names it
 * @param table the same
 */
public record TableChanges(String schema, String table, List<RowChange> changes) {}
