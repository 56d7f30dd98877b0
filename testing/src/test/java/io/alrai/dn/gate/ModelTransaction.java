package io.alrai.dn.gate;

import io.alrai.common.id.TransactionId;
import io.alrai.dn.gate.ModelMysqld.Connection;
import io.alrai.testing.history.Operation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A transaction that writes, as its COMMIT knows it. */
abstract class ModelTransaction {
  final List<Operation> operations = new ArrayList<>();
  final Map<ModelAgent, Connection> branches = new LinkedHashMap<>();

  /** The branches that changed something, as far as the coordinator knows. */
  final Set<ModelAgent> writers = new LinkedHashSet<>();

  /** The primary's answer to whether the coordinator's connection is there. */
  final boolean[] alive = {true};

  private final Map<ModelDn, ModelAgent> agents = new LinkedHashMap<>();
  private final ModelCn cn;
  private @Nullable TransactionId id;

  ModelTransaction(ModelCn cn) {
    this.cn = cn;
  }

  /** It begins, at this primary. */
  void named(TransactionId name) {
    id = name;
    cn.whenLost(() -> alive[0] = false);
  }

  TransactionId id() {
    TransactionId known = id;
    if (known == null) {
      throw new IllegalStateException("not begun");
    }
    return known;
  }

  /** Its agent of a DN, the same one until its end. */
  ModelAgent at(ModelDn dn) {
    return agents.computeIfAbsent(dn, ModelDn::leader);
  }

  ModelAgent primary() {
    return branches.keySet().iterator().next();
  }

  Connection branch(ModelAgent agent) {
    return branches.computeIfAbsent(
        agent,
        at -> {
          Connection branch = at.mysqld.connect();
          cn.whenLost(() -> at.rollback(branch, id().primary().equals(at.dn) ? id : null));
          return branch;
        });
  }

  /** Tells all branches to roll back; each hears it a little later. */
  void rollback(World world) {
    branches.forEach((agent, branch) ->
        world.after(
            world.delay(),
            () -> {
              if (agent.dn.equals(id().primary())) {
                agent.rollback(branch, id);
              } else {
                agent.abort(branch, id());
              }
            }));
  }

  /** Its client hears that it is aborted, and goes on. */
  abstract void abort();

  /** Its client hears how it ended. */
  void ended(boolean committed, ModelSession session) {
    session.next();
  }

  /** What it committed is visible everywhere, and has left no locks. */
  void finished() {}
}
