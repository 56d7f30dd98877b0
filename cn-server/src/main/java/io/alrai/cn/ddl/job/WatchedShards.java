package io.alrai.cn.ddl.job;

import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.dn.link.DnMembers;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The mysqlds as one job uses them: each statement is a step that can be seen. Thread-safe. */
final class WatchedShards implements DdlShards {
  private final DdlShards shards;
  private final JobAtWork job;

  WatchedShards(DdlShards shards, JobAtWork job) {
    this.shards = shards;
    this.job = job;
  }

  @Override
  public List<DnId> dns() {
    return shards.dns();
  }

  @Override
  public Map<DnId, DnMembers> members() {
    return shards.members();
  }

  @Override
  public Executed execute(DnId dn, String currentSchema, Map<String, String> settings, Sql sql) {
    try (JobStep step = begin(dn, sql)) {
      return shards.observed(step::runs).execute(dn, currentSchema, settings, sql);
    }
  }

  @Override
  public List<SqlWarning> executeAsAdmin(
      DnId dn, String currentSchema, Map<String, String> settings, Sql sql) {
    try (JobStep step = begin(dn, sql)) {
      return shards.observed(step::runs).executeAsAdmin(dn, currentSchema, settings, sql);
    }
  }

  @Override
  public List<List<String>> query(DnId dn, String currentSchema, Sql sql) {
    try (JobStep step = begin(dn, sql)) {
      return shards.observed(step::runs).query(dn, currentSchema, sql);
    }
  }

  @Override
  public void read(DnId dn, Map<String, String> settings, Sql sql, Consumer<String> row) {
    try (JobStep step = begin(dn, sql)) {
      shards.observed(step::runs).read(dn, settings, sql, row);
    }
  }

  @Override
  public String shadowAccount() {
    return shards.shadowAccount();
  }

  private JobStep begin(DnId dn, Sql sql) {
    return job.begin(dn.name(), sql.text());
  }
}
