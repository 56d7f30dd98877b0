package io.alrai.gms.api;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A stored function, which is in the shadow schema of every DN. If its body needs no more than its
 * parameters, it runs there, wherever it is called, and its text is nowhere else. Else CNs
 * interpret it.
 *
 * @param schema its schema's name
 * @param name unique among the functions of its schema without regard to case
 * @param definer the account {@code user@host} in whose name it runs
 * @param ofInvoker whether it runs with the rights of its caller; else with its definer's
 * @param varying what gives another value on each server, such as {@code UUID}; empty when nothing
 *     does
 * @param calls names of the functions that its body calls, MySQL's own too, in lower case
 * @param program what CNs interpret: the body as one procedure's, whose last parameter is the
 *     result; empty where mysqlds run it
 */
public record StoredFunction(
    String schema,
    String name,
    String definer,
    boolean ofInvoker,
    String varying,
    Set<String> calls,
    List<Procedure> program) {
  /** A function that mysqlds run. */
  public StoredFunction(
      String schema,
      String name,
      String definer,
      boolean ofInvoker,
      String varying,
      Set<String> calls) {
    this(schema, name, definer, ofInvoker, varying, calls, List.of());
  }

  /** Copies the set, in the order of its names, and the list. */
  public StoredFunction {
    calls = Collections.unmodifiableSortedSet(new TreeSet<>(calls));
    program = List.copyOf(program);
  }

  /** By what it is found in its schema: as {@link Procedure#key}. */
  public String key() {
    return Procedure.key(name);
  }

  /** The body that CNs interpret; empty where mysqlds run it. */
  public Optional<Procedure> interpreted() {
    return program.stream().findFirst();
  }

  /** A copy with other rights. */
  public StoredFunction withSecurity(boolean invoker) {
    return new StoredFunction(
        schema,
        name,
        definer,
        invoker,
        varying,
        calls,
        program.stream().map(each -> each.withSecurity(invoker)).toList());
  }
}
