package io.alrai.dn.raft;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A group of three members, of which two were lost and may come back; two CNs and an agent of
 * another DN, each of which may lose the GMS; a person who makes the third member the group.
 * Immutable; time does not pass.
 *
 * @param forced whom the catalog says to be the group, in generation 1; -1: nobody
 * @param back which members run, as bits: the first one, and those that have come back
 * @param moved which are of generation 1, as bits
 * @param term the term of the last leader of generation 0, 0 for none
 * @param leads who leads in it; -1: nobody
 * @param written by whom something was acknowledged in generation 1; -1: nobody yet
 * @param users the CNs, and last the agent
 * @param wrong what must not be; empty for nothing
 */
record ForceState(
    int forced,
    int back,
    int moved,
    int term,
    int leads,
    int written,
    List<User> users,
    String wrong) {
  static final int MEMBERS = 3;
  private static final int MOST_TERM = 2;

  /** The first term of generation 1 where it is above all. */
  private static final int ABOVE = 100;

  /**
   * Who believes leaders.
   *
   * @param hears whether it hears the GMS
   * @param leased whether the GMS counts on it
   * @param confirmed whether a person has said that it has ended
   * @param ended whether it has
   * @param knows whether it follows a catalog that has generation 1
   * @param said whether the GMS has heard that it does
   * @param known whether the GMS knows of it at all
   * @param begun whether it runs
   * @param atOnce whether it says so in the moment in which it does: fewer states
   * @param believed the highest term that it has heard of
   */
  record User(
      boolean hears,
      boolean leased,
      boolean confirmed,
      boolean ended,
      boolean knows,
      boolean said,
      boolean known,
      boolean begun,
      boolean atOnce,
      int believed) {
    static final User FIRST = new User(true, true, false, false, false, false, true, true, true, 0);
    static final User EXACT =
        new User(true, true, false, false, false, false, true, true, false, 0);
    static final User LATE =
        new User(true, true, false, false, false, false, false, false, false, 0);

    User cut() {
      return new User(false, leased, confirmed, ended, knows, said, known, begun, atOnce, believed);
    }

    User runOut() {
      return new User(hears, false, confirmed, ended, knows, said, known, begun, atOnce, believed);
    }

    User saidToHaveEnded(boolean has) {
      return new User(hears, leased, true, has, knows, said, known, begun, atOnce, believed);
    }

    User told() {
      return new User(
          hears, leased, confirmed, ended, true, said || atOnce, known, begun, atOnce, believed);
    }

    User says() {
      return new User(hears, leased, confirmed, ended, knows, true, known, begun, atOnce, believed);
    }

    /** What it registers with is in the catalog that it has by then. */
    User registers(boolean forced) {
      return new User(
          hears, leased, confirmed, ended, knows || forced, forced, true, true, atOnce, believed);
    }

    User begins(boolean forced) {
      return new User(
          hears, leased, confirmed, ended, forced, false, false, true, atOnce, believed);
    }

    User believes(int term) {
      return new User(hears, leased, confirmed, ended, knows, said, known, begun, atOnce, term);
    }
  }

  /** Something that may happen next. */
  record Next(String by, ForceState state) {}

  static final ForceState FIRST =
      new ForceState(-1, 0b001, 0, 0, -1, -1, List.of(User.FIRST, User.FIRST, User.FIRST), "");

  /** Where a CN begins later than the others. */
  static final ForceState LATE =
      new ForceState(-1, 0b001, 0, 0, -1, -1, List.of(User.LATE, User.EXACT), "");

  Optional<String> fault() {
    return wrong.isEmpty() ? Optional.empty() : Optional.of(wrong);
  }

  List<Next> next(ForceRules rules) {
    List<Next> next = new ArrayList<>();
    ofPerson(rules, next);
    ofMembers(rules, next);
    for (int user = 0; user < users.size(); user++) {
      ofUser(rules, user, next);
    }
    return next;
  }

  private void ofPerson(ForceRules rules, List<Next> next) {
    for (int member = 0; member < 2; member++) {
      if (isBack(member) && (forced < 0 || !rules.theCatalogDecides() && forced != member)) {
        next.add(new Next("force " + member, with(member, back, moved, term, leads)));
      }
    }
    for (int user = 0; user < users.size(); user++) {
      User now = users.get(user);
      if (forced >= 0 && now.known() && !now.leased() && !now.confirmed()) {
        next.add(
            new Next(
                user + " is said to have ended",
                with(user, now.saidToHaveEnded(rules.whoIsSaidToHaveEndedHas()))));
      }
    }
  }

  private void ofMembers(ForceRules rules, List<Next> next) {
    for (int member = 0; member < MEMBERS; member++) {
      if (!isBack(member)) {
        next.add(
            new Next(member + " comes back", with(forced, back | bit(member), moved, term, leads)));
      }
      if (isBack(member) && !isMoved(member) && majority() && term < MOST_TERM) {
        next.add(new Next(member + " is elected", with(forced, back, moved, term + 1, member)));
      }
    }
    if (forced >= 0 && !isMoved(forced) && nobodyIsWaitedFor(rules)) {
      next.add(
          new Next(
              forced + " becomes the group",
              with(forced, back, moved | bit(forced), term, leads == forced ? -1 : leads)));
    }
    if (!rules.idsOfTheirOwn() && moved != 0 && leads >= 0 && term < firstTerm(rules)) {
      next.add(
          new Next(
              "the others hear its term", with(forced, back, moved, firstTerm(rules) + 1, leads)));
    }
  }

  private boolean nobodyIsWaitedFor(ForceRules rules) {
    for (int user = 0; user < users.size(); user++) {
      User now = users.get(user);
      boolean waits = user == users.size() - 1 ? rules.waitsForAgents() : rules.waitsForCns();
      boolean over = !rules.leasesEndNoWait() && !now.leased();
      if (waits && !over && now.known() && !now.said() && !now.confirmed()) {
        return false;
      }
    }
    return true;
  }

  private void ofUser(ForceRules rules, int user, List<Next> next) {
    User now = users.get(user);
    if (now.hears()) {
      next.add(new Next(user + " loses the GMS", with(user, now.cut())));
    } else if (now.leased()) {
      next.add(new Next("the lease of " + user + " runs out", with(user, now.runOut())));
    }
    ofCatalog(rules, user, next);
    if (now.ended() || !now.begun()) {
      return;
    }
    int least =
        now.knows() && rules.catalogsTermIsTheLeast()
            ? Math.max(now.believed(), firstTerm(rules))
            : now.believed();
    if (leads >= 0 && isBack(leads) && !isMoved(leads) && majority() && term >= least) {
      next.add(
          new Next(
              user + " believes " + leads + " in term " + term,
              written < 0
                  ? with(user, now.believes(term))
                  : wrong("one of generation 0 is believed after something was written in 1")));
    }
    for (int member = 0; member < MEMBERS; member++) {
      if (isMoved(member) && isBack(member) && firstTerm(rules) >= now.believed()) {
        next.add(
            new Next(
                user + " writes at " + member + " in generation 1",
                written < 0 || written == member
                    ? written(member).with(user, now.believes(firstTerm(rules)))
                    : wrong("two are the group in generation 1")));
      }
    }
  }

  private void ofCatalog(ForceRules rules, int user, List<Next> next) {
    User now = users.get(user);
    if (!now.hears()) {
      return;
    }
    boolean isForced = forced >= 0;
    if (!now.begun() && !rules.registersFirst()) {
      next.add(new Next(user + " begins", with(user, now.begins(isForced))));
    } else if (!now.known()) {
      next.add(new Next(user + " registers", with(user, now.registers(isForced))));
    } else if (isForced && !now.knows()) {
      next.add(new Next(user + " hears of it", with(user, now.told())));
    }
    if (isForced && now.known() && !now.said() && (now.knows() || !rules.saysWhatItFollows())) {
      next.add(new Next(user + " says that it knows", with(user, now.says())));
    }
  }

  private static int firstTerm(ForceRules rules) {
    return rules.termsAbove() ? ABOVE : 1;
  }

  /** Whether so many of generation 0 run that they agree. */
  private boolean majority() {
    return Integer.bitCount(back & ~moved) * 2 > MEMBERS;
  }

  private boolean isBack(int member) {
    return (back & bit(member)) != 0;
  }

  private boolean isMoved(int member) {
    return (moved & bit(member)) != 0;
  }

  private static int bit(int member) {
    return 1 << member;
  }

  private ForceState with(int nowForced, int nowBack, int nowMoved, int nowTerm, int nowLeads) {
    return new ForceState(nowForced, nowBack, nowMoved, nowTerm, nowLeads, written, users, wrong);
  }

  private ForceState with(int user, User now) {
    List<User> changed = new ArrayList<>(users);
    changed.set(user, now);
    return new ForceState(forced, back, moved, term, leads, written, List.copyOf(changed), wrong);
  }

  private ForceState written(int by) {
    return new ForceState(forced, back, moved, term, leads, by, users, wrong);
  }

  private ForceState wrong(String what) {
    return new ForceState(forced, back, moved, term, leads, written, users, what);
  }
}
