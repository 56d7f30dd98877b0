package io.alrai.cn.columnar;

import io.alrai.columnar.check.IndexCheck;
import io.alrai.columnar.scan.ZoneFilter;
import io.alrai.columnar.serve.IndexSnapshot;
import io.alrai.columnar.version.PartitionSnapshot;
import io.alrai.gms.api.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/** Reports of the indexes of this process. */
public final class LocalReports implements IndexReports {
  private static final long MOST_MILLIS = 2_000;

  private final ColumnarService service;

  /** Reports of the indexes that a service keeps. */
  public LocalReports(ColumnarService service) {
    this.service = service;
  }

  @Override
  public Optional<Report> report(Table table) {
    return service
        .of(table)
        .map(index ->
            new Report(index.parts().size(), index.figures(), freshness(index), feeders(index)));
  }

  private static List<String> feeders(TableIndex index) {
    return index.parts().stream()
        .map(part -> part.follower().feeder())
        .distinct()
        .sorted()
        .toList();
  }

  private Optional<Long> freshness(TableIndex index) {
    if (!index.isReady()) {
      return Optional.empty();
    }
    long start = System.nanoTime();
    CompletableFuture<IndexSnapshot> opening = index.openAt(service.now());
    try {
      opening.get(MOST_MILLIS, TimeUnit.MILLISECONDS).close();
      return Optional.of(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    } catch (ExecutionException | TimeoutException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } finally {
      opening.cancel(false);
    }
  }

  @Override
  public Optional<List<Checked>> compare(Table table) {
    Optional<TableIndex> index = service.of(table).filter(TableIndex::isReady);
    if (index.isEmpty()) {
      return Optional.empty();
    }
    List<Checked> checked = new ArrayList<>();
    for (TableIndex.Part part : index.get().parts()) {
      checked.add(new Checked(part.schema(), part.follower().dn().name(), compared(table, part)));
    }
    return Optional.of(checked);
  }

  private IndexCheck.Outcome compared(Table table, TableIndex.Part part) {
    RowTexts texts = new RowTexts(part.columns().shape());
    List<Integer> all = IntStream.range(0, part.columns().expressions().size()).boxed().toList();
    try (SnapshotView view = service.build().view(part.follower().dn())) {
      CompletableFuture<PartitionSnapshot> opening = part.partition().openAt(view.at());
      part.follower().reach(view.at(), () -> !opening.isDone());
      try (PartitionSnapshot snapshot = Waits.get(opening)) {
        return new IndexCheck(part.columns().shape())
            .compare(
                () -> snapshot.scan(all, ZoneFilter.ALL),
                rows ->
                    view.query(
                        part.columns().select(part.schema(), table.name()),
                        row -> rows.accept(texts.read(row))));
      } finally {
        opening.cancel(false);
      }
    }
  }
}
