package io.alrai.dn.link;

import java.util.List;

/**
 * What a member would go on with as the whole group, and who else answers it.
 *
 * @param generation of its log
 * @param term of the last entry in its log, committed or not
 * @param index of that entry; -1 for none
 * @param writtenMillis about when it was written, by its leader's clock
 * @param others the other voters
 */
public record GroupOutlook(
    long generation, long term, long index, long writtenMillis, List<Other> others) {
  public GroupOutlook {
    others = List.copyOf(others);
  }

  /**
   * Another voter.
   *
   * @param answers whether it does; where it does not the rest says nothing
   * @param term of its last entry
   * @param index of its last entry
   */
  public record Other(String name, boolean answers, long term, long index) {}

  /** Whether a majority of the voters answers: they can be helped in order. */
  public boolean hasMajority() {
    long living = 1 + others.stream().filter(Other::answers).count();
    return living * 2 > others.size() + 1;
  }
}
