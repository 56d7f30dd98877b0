package io.alrai.cn.ddl;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.SequenceRange;
import java.util.Collection;
import java.util.Map;
import java.util.function.Consumer;

/** A GMS whose client may die before or after each command. */
final class CrashingGms implements GmsService {
  private final GmsService gms;
  private final CrashPoints crashes;

  CrashingGms(GmsService gms, CrashPoints crashes) {
    this.gms = gms;
    this.crashes = crashes;
  }

  @Override
  public Catalog catalog() {
    return gms.catalog();
  }

  @Override
  public void onChange(Consumer<Catalog> listener) {
    gms.onChange(listener);
  }

  @Override
  public Catalog submit(CatalogCommand command) {
    crashes.point();
    if (crashes.silent()) {
      throw new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "no leader of the GMS answers");
    }
    Catalog after = gms.submit(command);
    crashes.write();
    crashes.point();
    if (crashes.isLost()) {
      throw crashes.loss();
    }
    return after;
  }

  @Override
  public void awaitCatalogEverywhere(long version) {
    crashes.point();
    gms.awaitCatalogEverywhere(version);
  }

  @Override
  public void awaitCatalogAtOthers(long version, NodeId self) {
    crashes.point();
    gms.awaitCatalogAtOthers(version, self);
  }

  @Override
  public SequenceRange reserve(String sequence, long count) {
    crashes.point();
    return gms.reserve(sequence, count);
  }

  @Override
  public Map<String, Long> lastNumbers(Collection<String> sequences) {
    return gms.lastNumbers(sequences);
  }

  @Override
  public void raise(String sequence, long value) {
    crashes.point();
    gms.raise(sequence, value);
  }

  @Override
  public HlcTimestamp timestamps(int count) {
    return gms.timestamps(count);
  }

  @Override
  public void close() {
    gms.close();
  }
}
