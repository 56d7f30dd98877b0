package io.alrai.cn.ddl.rule;

import io.alrai.common.error.AlraiException;
import java.util.Collection;
import java.util.Set;

/**
 * A statement needs tables together that are apart. Where they were placed by default they can be
 * moved into one partition, and the statement be done again; else its refusal stands.
 */
public final class TablesApart extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient String schema;
  private final transient Set<String> tables;
  private final AlraiException refusal;

  /**
   * What is apart.
   *
   * @param tables that are needed in one partition; some may be there already
   * @param refusal why the statement cannot be done as they are
   */
  public TablesApart(String schema, Collection<String> tables, AlraiException refusal) {
    super(refusal.sentence(), refusal);
    this.schema = schema;
    this.tables = Set.copyOf(tables);
    this.refusal = refusal;
  }

  public String schema() {
    return schema;
  }

  public Set<String> tables() {
    return tables;
  }

  public AlraiException refusal() {
    return refusal;
  }
}
