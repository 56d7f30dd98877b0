package io.alrai.cn.ddl;

import io.alrai.cn.ddl.job.ColumnIndexBuilds;
import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.Table;
import java.util.Optional;

/** Builds column indexes at once, or never. */
final class FakeBuilds implements ColumnIndexBuilds {
  Optional<AlraiException> refusal = Optional.empty();
  Optional<AlraiException> failure = Optional.empty();
  int built;

  @Override
  public void check(Table table) {
    refusal.ifPresent(reason -> {
      throw reason;
    });
  }

  @Override
  public void await(Table table) {
    failure.ifPresent(reason -> {
      throw reason;
    });
    built++;
  }
}
