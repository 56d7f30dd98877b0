package io.alrai.cn.ddl.member;

import io.alrai.cn.ddl.job.BeforeJob;
import io.alrai.cn.ddl.job.DdlOutcome;
import io.alrai.cn.ddl.job.DdlSteps;
import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.DdlJob;
import io.alrai.gms.api.DdlJob.Target;
import io.alrai.optimizer.api.MembersStatement;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The steps of one job; what they need of the statement is in the job's notes. */
public abstract sealed class MemberSteps implements DdlSteps
    permits AddLearnerSteps, AddMemberSteps, DropMemberSteps, RebuildMemberSteps {
  private static final String DN = "dn";
  private static final String MEMBER = "member";
  private static final String KEEPS_ROWS = "keeps-rows";

  private final String dn;
  private final String member;

  /**
   * Steps of a member.
   *
   * @param dn empty for whichever has it
   */
  MemberSteps(String dn, String member) {
    this.dn = dn;
    this.member = member;
  }

  /** The steps of a statement that changes members. */
  public static MemberSteps of(MembersStatement.AsJob statement) {
    return switch (statement) {
      case MembersStatement.Add(String member, String dn, boolean keepsRows) ->
          new AddMemberSteps(dn, member, keepsRows);
      case MembersStatement.AddLearner(String member, String dn) -> new AddLearnerSteps(dn, member);
      case MembersStatement.Drop(String member, String dn) -> new DropMemberSteps(dn, member);
      case MembersStatement.Rebuild(String member, Optional<String> dn) ->
          new RebuildMemberSteps(dn.orElse(""), member);
    };
  }

  /** The steps of a job that another CN has begun; empty where it is about no members. */
  public static Optional<MemberSteps> of(DdlJob job) {
    Map<String, String> notes = job.progress();
    String dn = notes.getOrDefault(DN, "");
    String member = notes.getOrDefault(MEMBER, "");
    return switch (job.kind()) {
      case AddMemberSteps.KIND ->
          Optional.of(new AddMemberSteps(dn, member, notes.containsKey(KEEPS_ROWS)));
      case AddLearnerSteps.KIND -> Optional.of(new AddLearnerSteps(dn, member));
      case DropMemberSteps.KIND -> Optional.of(new DropMemberSteps(dn, member));
      case RebuildMemberSteps.KIND -> Optional.of(new RebuildMemberSteps(dn, member));
      default -> Optional.empty();
    };
  }

  /** The DN's name; empty for whichever has the member. */
  final String dn() {
    return dn;
  }

  final String member() {
    return member;
  }

  /** No schema's name ends in a blank, so that none is taken for these. */
  @Override
  public final Set<Target> targets() {
    Target ofMember = Target.of("member " + member + " ");
    return dn.isEmpty() || this instanceof RebuildMemberSteps
        ? Set.of(ofMember)
        : Set.of(ofMember, Target.of("members of " + dn + " "));
  }

  @Override
  public final Optional<DdlOutcome> check(Catalog catalog) {
    return Optional.empty();
  }

  @Override
  public Map<String, String> firstNotes(Catalog catalog, BeforeJob before) {
    return Map.of(DN, dn, MEMBER, member);
  }

  /** The notes of one that keeps rows. */
  static Map<String, String> withRows(Map<String, String> notes) {
    Map<String, String> all = new TreeMap<>(notes);
    all.put(KEEPS_ROWS, "yes");
    return all;
  }

  /** A refusal is one: the group is as it was. */
  @Override
  public final boolean goesOnAfter(AlraiException reason) {
    return false;
  }
}
