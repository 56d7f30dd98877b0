package io.alrai.cn.gather;

import io.alrai.common.id.DnId;
import io.alrai.executor.fragment.GatherPlan;
import io.alrai.executor.fragment.GatherPlan.Source;
import io.alrai.executor.fragment.JoinPlan;
import io.alrai.executor.operator.HeldRows;
import io.alrai.executor.operator.RowSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/** Few rows, held in the memory of this process. */
final class HeldScratch implements ScratchSite {
  private static final long MOST_BYTES = 1L << 20;

  private final Map<String, Part> parts = new LinkedHashMap<>();
  private long left = MOST_BYTES;

  private record Part(Source source, HeldRows rows) {
    int column(String name) {
      return source.columns().indexOf(name);
    }
  }

  /** Thrown when there are more rows than may be held. */
  static final class Full extends RuntimeException {
    private static final long serialVersionUID = 1;

    Full() {
      super("more than " + MOST_BYTES + " bytes of rows", null, false, false);
    }
  }

  /** Held rows for the members of a join. */
  HeldScratch(JoinPlan plan) {
    for (JoinPlan.Member member : plan.members()) {
      HeldRows rows = new HeldRows(member.width());
      parts.put(member.source().scratchName(), new Part(member.source(), rows));
    }
  }

  /** The rows of each member. */
  List<HeldRows> rows() {
    return parts.values().stream().map(Part::rows).toList();
  }

  private Part part(String scratchName) {
    return Objects.requireNonNull(parts.get(scratchName));
  }

  @Override
  public boolean isAt(DnId dn) {
    return false;
  }

  @Override
  public void addHere(Source source, byte[] select) {
    throw new IllegalStateException("no mysqld writes here");
  }

  /**
   * {@inheritDoc}
   *
   * @throws Full when there is no room
   */
  @Override
  public void add(Source source, RowSource rows) {
    left -= part(source.scratchName()).rows().add(rows, left);
    if (left < 0) {
      throw new Full();
    }
  }

  @Override
  public RowSource values(GatherPlan.KeyLink link, int most) {
    Part part = part(link.source());
    return part.rows().values(part.column(link.sourceColumn()));
  }

  /** The columns as the client sees them. */
  @Override
  public <T> T reading(Supplier<T> work) {
    return work.get();
  }

  @Override
  public void filled(Source source) {}
}
