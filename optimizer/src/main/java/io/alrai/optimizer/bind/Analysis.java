package io.alrai.optimizer.bind;

import io.alrai.gms.api.Table;
import io.alrai.optimizer.bind.Relation.Output;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The analysis of one statement: every table in it, the facts of its blocks, whether each shard can
 * answer for its own rows (no {@link #obstacle}), and the key values that all partitioned tables
 * are confined to. One thread.
 */
public final class Analysis {
  private final Names names;
  private final Literals literals;
  private final List<Relation.Base> tables = new ArrayList<>();
  private final IdentityHashMap<Query.Block, BlockFacts> blocks = new IdentityHashMap<>();
  private final Set<TableRef> withoutAlias = new HashSet<>();
  private final Set<List<Integer>> tuples = new LinkedHashSet<>();
  private final Set<Query.CommonTable> inProgress = new LinkedHashSet<>();
  private Optional<String> obstacle = Optional.empty();
  private boolean unpinned;
  private boolean systemTables;
  private int relations;

  /** With these names and literals. */
  public Analysis(Names names, Literals literals) {
    this.names = names;
    this.literals = literals;
  }

  /** Analyses the outermost query. */
  public QueryFacts query(Query query) {
    QueryFacts facts = new QueryAnalysis(this).query(query, Surroundings.none());
    if (facts.open()) {
      unpinned = true;
    }
    return facts;
  }

  /** Every use of a table of the catalog; a table of a CTE once for each use of the CTE. */
  public List<Relation.Base> tables() {
    return tables;
  }

  /** Whether a reference is that of TABLE, which takes no alias. */
  public boolean isWithoutAlias(TableRef.Named reference) {
    return withoutAlias.contains(reference);
  }

  /** The facts of a block; of its last use for a block within a CTE. */
  public Optional<BlockFacts> block(Query.Block block) {
    return Optional.ofNullable(blocks.get(block));
  }

  /** Facts of all blocks. */
  public List<BlockFacts> blocks() {
    return List.copyOf(blocks.values());
  }

  /** Why no shard can answer for its own rows; empty when each can. */
  public Optional<String> obstacle() {
    return obstacle;
  }

  /** The key tuples that confine every partitioned table; empty when some table is not confined. */
  public Optional<List<List<Integer>>> tuples() {
    return unpinned || tuples.isEmpty() ? Optional.empty() : Optional.of(List.copyOf(tuples));
  }

  /** Whether tables of information_schema or others of the mysqld itself occur. */
  public boolean systemTables() {
    return systemTables;
  }

  /** Kinds of expressions in a scope. */
  public ValueKinds kinds(Scope scope) {
    return new ValueKinds(scope, literals, block -> block(block).map(BlockFacts::scope));
  }

  /** What names mean. */
  public Names names() {
    return names;
  }

  Literals literals() {
    return literals;
  }

  void hinder(String reason) {
    if (obstacle.isEmpty()) {
      obstacle = Optional.of(reason);
    }
  }

  void unpin() {
    unpinned = true;
  }

  void pin(Set<List<Integer>> found) {
    tuples.addAll(found);
  }

  void withoutAlias(TableRef reference) {
    withoutAlias.add(reference);
  }

  void remember(BlockFacts facts) {
    blocks.put(facts.block(), facts);
  }

  int nextRelation() {
    return relations++;
  }

  Relation.Base base(TableRef.Named reference) {
    Table table = names.table(reference.schema(), reference.name());
    Relation.Base base = new Relation.Base(nextRelation(), reference, table);
    tables.add(base);
    return base;
  }

  Relation.Derived systemTable(TableRef.Named reference) {
    systemTables = true;
    return new Relation.Derived(nextRelation(), reference.visibleName(), Optional.empty());
  }

  Relation.Derived derived(String name, Optional<List<Output>> outputs) {
    return new Relation.Derived(nextRelation(), name, outputs);
  }

  boolean enter(Query.CommonTable table) {
    return inProgress.add(table);
  }

  void leave(Query.CommonTable table) {
    inProgress.remove(table);
  }
}
