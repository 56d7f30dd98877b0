package io.alrai.cn.tx;

import io.alrai.cn.commit.SpanningTransactions;
import io.alrai.cn.tx.branch.OpenTransaction;
import io.alrai.cn.tx.branch.TransactionBranch;
import io.alrai.cn.tx.branch.TransactionNumbers;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.dn.link.Branch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The branches of a session's transaction, which of them decides, and the name of the XA branches.
 * Event loop only.
 */
final class TransactionBranches {
  private final TransactionNumbers numbers;
  private final SpanningTransactions spanning;
  private final Map<DnId, TransactionBranch> branches = new LinkedHashMap<>(4);
  private @Nullable TransactionId id;
  private @Nullable DnId primary;
  private boolean allXa;
  private boolean abandoned;

  /**
   * The branches of a session that has no transaction yet.
   *
   * @param spanning knows the transaction while it has a name
   */
  TransactionBranches(TransactionNumbers numbers, SpanningTransactions spanning) {
    this.numbers = numbers;
    this.spanning = spanning;
  }

  /** All branches, in the order in which DNs were touched. */
  Collection<TransactionBranch> all() {
    return branches.values();
  }

  boolean isEmpty() {
    return branches.isEmpty();
  }

  /** The branch on a DN if it has been touched. */
  @Nullable TransactionBranch get(DnId dn) {
    return branches.get(dn);
  }

  boolean isViewed(DnId dn) {
    TransactionBranch known = branches.get(dn);
    return known != null && known.viewed();
  }

  /** Adds a branch; closes it if the session ended while the branch was on its way. */
  void add(TransactionBranch branch) {
    branches.put(branch.branch().dn(), branch);
    if (abandoned) {
      branch.branch().close();
    }
  }

  /** Closes all, and whatever still comes: the session has ended for good. */
  void abandon() {
    abandoned = true;
    branches.values().forEach(branch -> branch.branch().close());
  }

  /** Removes a branch, which the caller ends. */
  void remove(DnId dn) {
    branches.remove(dn);
  }

  /** Whether it may have changed rows anywhere. */
  boolean wrote() {
    for (TransactionBranch branch : branches.values()) {
      if (branch.wrote()) {
        return true;
      }
    }
    return false;
  }

  /** On how many DNs it changed or locked rows. */
  long writers() {
    return branches.values().stream().filter(TransactionBranch::claims).count();
  }

  /** Makes all branches XA from now on, so that all can be prepared. */
  void makeAllXa() {
    allXa = true;
  }

  boolean allXa() {
    return allXa;
  }

  /** Whether another DN may decide: nothing is changed or locked on the primary or named by it. */
  boolean primaryMayMove() {
    TransactionBranch deciding = deciding();
    return id == null && (deciding == null || !deciding.claims());
  }

  /** The DN whose local commit decides; null while there is none. */
  @Nullable DnId primary() {
    return primary;
  }

  void primary(DnId dn) {
    primary = dn;
  }

  /** The primary's branch; null while there is none. */
  @Nullable TransactionBranch deciding() {
    DnId decider = primary;
    return decider == null ? null : branches.get(decider);
  }

  /** The name of its XA branches; absent while there are none. */
  Optional<TransactionId> id() {
    return Optional.ofNullable(id);
  }

  /** The transaction's name; if it has none, it gets one by the primary's connection. */
  TransactionId named(SessionTransaction owner) {
    TransactionId known = id;
    TransactionBranch deciding = deciding();
    if (known == null && deciding != null) {
      known = name(deciding.branch(), owner);
    }
    if (known == null) {
      throw new IllegalStateException("no primary yet");
    }
    return known;
  }

  /** Names the transaction by the connection of its primary's branch. */
  TransactionId name(Branch decider, SessionTransaction owner) {
    TransactionId named = numbers.next(decider.dn(), decider.serverConnectionId());
    id = named;
    spanning.enter(named, owner, decider.eventLoop());
    return named;
  }

  /** The transaction no longer has a primary or a name. */
  void forgetName() {
    TransactionId known = id;
    if (known != null) {
      spanning.leave(known);
    }
    id = null;
    primary = null;
  }

  /** The transaction has ended. */
  void clear() {
    branches.clear();
    allXa = false;
    forgetName();
  }

  /** The connections with a reply outstanding. */
  List<Branch> busy() {
    return branches.values().stream().map(TransactionBranch::branch).filter(Branch::busy).toList();
  }

  /** The branches as others may see them. */
  List<OpenTransaction.Part> seen() {
    List<OpenTransaction.Part> parts = new ArrayList<>();
    branches.forEach((dn, part) -> parts.add(part.seen(dn.equals(primary))));
    return parts;
  }
}
