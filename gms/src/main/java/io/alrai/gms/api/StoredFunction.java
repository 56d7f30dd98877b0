package io.alrai.gms.api;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * A stored function, which is in the shadow schema of every DN and runs there, wherever it is
 * called. Its text is nowhere else; here is what a plan must know of it.
 *
 * @param schema its schema's name
 * @param name unique among the functions of its schema without regard to case
 * @param definer the account {@code user@host} in whose name it runs
 * @param creator the account that made it, which may call and change it
 * @param ofInvoker whether it runs with the rights of who calls it; else with its definer's
 * @param varying what gives another value on each server, such as {@code UUID}; empty when nothing
 *     does
 * @param calls names of the functions that its body calls, MySQL's own too, in lower case
 */
public record StoredFunction(
    String schema,
    String name,
    String definer,
    String creator,
    boolean ofInvoker,
    String varying,
    Set<String> calls) {
  /** Copies the set, in the order of its names. */
  public StoredFunction {
    calls = Collections.unmodifiableSortedSet(new TreeSet<>(calls));
  }

  /** What it is found by in its schema: as {@link Procedure#key}. */
  public String key() {
    return Procedure.key(name);
  }

  /** The same with other rights. */
  public StoredFunction withSecurity(boolean invoker) {
    return new StoredFunction(schema, name, definer, creator, invoker, varying, calls);
  }
}
