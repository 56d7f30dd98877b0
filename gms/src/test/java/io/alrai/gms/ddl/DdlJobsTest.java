package io.alrai.gms.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob;
import io.alrai.gms.api.node.ComputeNode;
import io.alrai.gms.catalog.Samples;
import io.alrai.gms.topology.Leases;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class DdlJobsTest {
  private static final Map<Long, DdlJob> ONE =
      DdlJobs.add(Map.of(), Samples.job(1, Samples.CN1, "shop", "t"));

  private static void conflicts(Executable change) {
    AlraiException refusal = assertThrows(AlraiException.class, change);
    assertEquals(ErrorCode.ALRAI_CATALOG_CONFLICT.errno(), refusal.errno());
  }

  private static DdlJob job(Map<Long, DdlJob> jobs) {
    return Objects.requireNonNull(jobs.get(1L));
  }

  @Test
  void openJobsOnOneObjectExcludeEachOther() {
    conflicts(() -> DdlJobs.add(ONE, Samples.job(2, Samples.CN2, "shop", "t")));
    conflicts(() -> DdlJobs.add(ONE, Samples.job(2, Samples.CN2, "shop", "")));
    Map<Long, DdlJob> two = DdlJobs.add(ONE, Samples.job(2, Samples.CN2, "shop", "u"));
    two = DdlJobs.add(two, Samples.job(3, Samples.CN2, "other", "t"));
    assertEquals(3, two.size());
  }

  @Test
  void anEndedJobIsInNobodysWay() {
    Map<Long, DdlJob> done = DdlJobs.update(ONE, Samples.update(1, Samples.CN1, DdlJob.State.DONE));
    assertEquals(2, DdlJobs.add(done, Samples.job(2, Samples.CN2, "shop", "t")).size());
  }

  @Test
  void addingTwiceIsAddingOnce() {
    assertSame(ONE, DdlJobs.add(ONE, Samples.job(1, Samples.CN1, "shop", "t")));
    conflicts(() -> DdlJobs.add(ONE, Samples.job(1, Samples.CN1, "shop", "other")));
  }

  @Test
  void onlyTheOwnerUpdates() {
    conflicts(() -> DdlJobs.update(ONE, Samples.update(1, Samples.CN2, DdlJob.State.DONE)));
    conflicts(() -> DdlJobs.update(ONE, Samples.update(9, Samples.CN1, DdlJob.State.DONE)));
    DdlJob updated = job(DdlJobs.update(ONE, Samples.update(1, Samples.CN1, DdlJob.State.RUNNING)));
    assertEquals(Map.of("step", "2"), updated.progress());
  }

  @Test
  void statesFollowTheirGraph() {
    Map<Long, DdlJob> back =
        DdlJobs.update(ONE, Samples.update(1, Samples.CN1, DdlJob.State.ROLLING_BACK));
    conflicts(() -> DdlJobs.update(back, Samples.update(1, Samples.CN1, DdlJob.State.RUNNING)));
    conflicts(() -> DdlJobs.update(back, Samples.update(1, Samples.CN1, DdlJob.State.DONE)));
    Map<Long, DdlJob> failed =
        DdlJobs.update(back, Samples.update(1, Samples.CN1, DdlJob.State.FAILED));
    assertFalse(job(failed).open());
    assertSame(failed, DdlJobs.update(failed, Samples.update(1, Samples.CN1, DdlJob.State.FAILED)));
    conflicts(() -> DdlJobs.update(failed, Samples.update(1, Samples.CN1, DdlJob.State.DONE)));
  }

  @Test
  void aJobIsTakenOverWhenItsOwnersLeaseHasRunOut() {
    List<ComputeNode> nodes = Leases.renew(List.of(), Samples.renew(Samples.CN1, 0, 1000));
    conflicts(() -> DdlJobs.claim(ONE, nodes, new CatalogCommand.ClaimJob(1, Samples.CN2, 1999)));
    Map<Long, DdlJob> taken =
        DdlJobs.claim(ONE, nodes, new CatalogCommand.ClaimJob(1, Samples.CN2, 2000));
    assertEquals(Samples.CN2, job(taken).owner());
    conflicts(() -> DdlJobs.update(taken, Samples.update(1, Samples.CN1, DdlJob.State.DONE)));
    assertSame(taken, DdlJobs.claim(taken, nodes, new CatalogCommand.ClaimJob(1, Samples.CN2, 0)));
  }

  @Test
  void aCancelledJobIsRolledBackByItsOwner() {
    Map<Long, DdlJob> back = DdlJobs.cancel(ONE, new CatalogCommand.CancelJob(1, "no need"));
    assertEquals(DdlJob.State.ROLLING_BACK, job(back).state());
    assertEquals("no need", job(back).error());
    assertEquals(Samples.CN1, job(back).owner());
    assertSame(back, DdlJobs.cancel(back, new CatalogCommand.CancelJob(1, "again")));
    conflicts(() -> DdlJobs.update(back, Samples.update(1, Samples.CN1, DdlJob.State.RUNNING)));
    conflicts(() -> DdlJobs.update(back, Samples.update(1, Samples.CN1, DdlJob.State.DONE)));
    conflicts(() -> DdlJobs.cancel(back, new CatalogCommand.CancelJob(9, "none")));
    Map<Long, DdlJob> failed =
        DdlJobs.update(back, Samples.update(1, Samples.CN1, DdlJob.State.FAILED));
    conflicts(() -> DdlJobs.cancel(failed, new CatalogCommand.CancelJob(1, "late")));
  }

  @Test
  void whatGoesOnlyForwardIsNotCancelled() {
    Map<Long, DdlJob> forward =
        DdlJobs.update(
            ONE,
            new CatalogCommand.UpdateJob(
                1, Samples.CN1, DdlJob.State.RUNNING, Map.of(DdlJob.ONLY_FORWARD, "yes"), ""));
    conflicts(() -> DdlJobs.cancel(forward, new CatalogCommand.CancelJob(1, "late")));
  }

  @Test
  void whatFailsToGoForwardIsGivenUpByCancel() {
    Map<Long, DdlJob> failing =
        DdlJobs.update(
            ONE,
            new CatalogCommand.UpdateJob(
                1, Samples.CN1, DdlJob.State.RUNNING, Map.of(DdlJob.ONLY_FORWARD, "yes"), "no"));
    Map<Long, DdlJob> over = DdlJobs.cancel(failing, new CatalogCommand.CancelJob(1, "enough"));
    assertEquals(DdlJob.State.FAILED, job(over).state());
    assertTrue(job(over).error().startsWith("enough"), job(over).error());
    assertTrue(job(over).error().endsWith("failed with: no"), job(over).error());
    conflicts(() -> DdlJobs.update(over, Samples.update(1, Samples.CN1, DdlJob.State.RUNNING)));
  }

  @Test
  void whatAJobWaitsForIsShownUntilItsNextNote() {
    Map<String, String> step = Map.of(DdlJob.SHOWN_STEP, "ALTER", "step", "other");
    Map<Long, DdlJob> shown =
        DdlJobs.show(
            DdlJobs.update(ONE, Samples.update(1, Samples.CN1, DdlJob.State.RUNNING)),
            new CatalogCommand.ShowStep(1, Samples.CN1, step));
    assertEquals(Map.of("step", "2", DdlJob.SHOWN_STEP, "ALTER"), job(shown).progress());
    assertSame(shown, DdlJobs.show(shown, new CatalogCommand.ShowStep(1, Samples.CN1, step)));
    assertEquals(
        Map.of("step", "2"),
        job(DdlJobs.show(shown, new CatalogCommand.ShowStep(1, Samples.CN1, Map.of()))).progress());
    assertEquals(
        Map.of("step", "2"),
        job(DdlJobs.update(shown, Samples.update(1, Samples.CN1, DdlJob.State.RUNNING)))
            .progress());
    conflicts(() -> DdlJobs.show(shown, new CatalogCommand.ShowStep(1, Samples.CN2, step)));
  }

  @Test
  void anEndedJobIsNotClaimed() {
    Map<Long, DdlJob> done = DdlJobs.update(ONE, Samples.update(1, Samples.CN1, DdlJob.State.DONE));
    conflicts(() -> DdlJobs.claim(done, List.of(), new CatalogCommand.ClaimJob(1, Samples.CN1, 0)));
  }

  @Test
  void onlyTheLastFinishedJobsAreKept() {
    Map<Long, DdlJob> jobs = ONE;
    for (long id = 2; id <= 151; id++) {
      jobs = DdlJobs.add(jobs, Samples.job(id, Samples.CN1, "shop", "t" + id));
      jobs = DdlJobs.update(jobs, Samples.update(id, Samples.CN1, DdlJob.State.DONE));
    }
    assertEquals(DdlJobs.KEPT + 1, jobs.size());
    assertTrue(job(jobs).open());
    assertFalse(jobs.containsKey(51L));
    assertTrue(jobs.containsKey(52L));
  }
}
