package io.alrai.optimizer.bind;

import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether the groups, windows and distinct rows of a block never cross shards. */
public final class Locality {
  private final Query.Block block;
  private final Scope scope;
  private final Equalities equalities;
  private final Literals literals;

  /** Of that block. */
  public Locality(Query.Block block, Scope scope, Equalities equalities, Literals literals) {
    this.block = block;
    this.scope = scope;
    this.equalities = equalities;
    this.literals = literals;
  }

  /** Whether each shard's part of the result is part of the whole, duplicates apart. */
  public boolean holds(List<Anchor> anchors, List<ColumnRef> outputs) {
    return groupsAreLocal(anchors)
        && windowsAreLocal(anchors)
        && (block.selection().distinct().isEmpty() || covers(anchors, outputs));
  }

  /** Whether there are no groups, or none has rows on two shards. */
  public boolean groupsAreLocal(List<Anchor> anchors) {
    if (!isGrouped()) {
      return true;
    }
    if (block.grouping().isEmpty() || block.grouping().get().rollup()) {
      return false;
    }
    List<ColumnRef> keys = new ArrayList<>();
    for (Expr.OrderItem key : block.grouping().get().keys()) {
      groupKey(key.expr()).ifPresent(keys::add);
    }
    return covers(anchors, keys);
  }

  /** Whether the block has groups or aggregates. */
  public boolean isGrouped() {
    boolean keys = block.grouping().map(grouping -> !grouping.keys().isEmpty()).orElse(false);
    return keys
        || block.selection().items().stream()
            .anyMatch(item -> !Functions.aggregates(item.expr()).isEmpty())
        || block
            .grouping()
            .flatMap(Query.Grouping::having)
            .map(having -> !Functions.aggregates(having).isEmpty())
            .orElse(false);
  }

  private Optional<ColumnRef> groupKey(Expr expr) {
    Expr bare = expr.bare();
    Optional<Integer> position = literals.position(bare);
    if (position.isPresent()) {
      int index = position.get() - 1;
      List<Query.SelectItem> items = block.selection().items();
      return index >= 0 && index < items.size()
          ? column(items.get(index).expr().bare())
          : Optional.empty();
    }
    if (!(bare instanceof Expr.Name name)) {
      return Optional.empty();
    }
    Optional<ColumnRef> here = scope.resolveHere(name);
    if (here.isPresent() || name.table().isPresent()) {
      return here;
    }
    return block.selection().items().stream()
        .filter(item ->
            item.alias().isPresent()
                && literals.name(item.alias().get()).equalsIgnoreCase(name.column()))
        .findFirst()
        .flatMap(item -> column(item.expr().bare()));
  }

  private Optional<ColumnRef> column(Expr expr) {
    return expr instanceof Expr.Name name ? scope.resolve(name) : Optional.empty();
  }

  /** Whether there are no window functions, or no window has rows on two shards. */
  public boolean windowsAreLocal(List<Anchor> anchors) {
    for (Query.SelectItem item : block.selection().items()) {
      for (Expr.Call call : Functions.windowCalls(item.expr())) {
        if (!isLocal(call, anchors)) {
          return false;
        }
      }
    }
    return block.qualify().isEmpty()
        || Functions.windowCalls(block.qualify().get()).stream()
            .allMatch(call -> isLocal(call, anchors));
  }

  /** Whether the windows that ORDER BY names never cross shards. */
  public boolean windowsAreLocal(List<Expr.OrderItem> orderBy, List<Anchor> anchors) {
    return orderBy.stream()
        .flatMap(item -> Functions.windowCalls(item.expr()).stream())
        .allMatch(call -> isLocal(call, anchors));
  }

  private boolean isLocal(Expr.Call call, List<Anchor> anchors) {
    List<ColumnRef> columns = new ArrayList<>();
    Optional<Expr.Window> window = call.window();
    // Windows may be named in a circle, which only a mysqld refuses: no chain is longer than all of
    // them.
    for (int links = 0; window.isPresent() && links <= block.windows().size(); links++) {
      for (Expr expr : window.get().partitionBy()) {
        column(expr.bare()).ifPresent(columns::add);
      }
      window = window.get().base().flatMap(this::named);
    }
    return covers(anchors, columns);
  }

  private Optional<Expr.Window> named(String name) {
    return block.windows().stream()
        .filter(window -> window.name().equalsIgnoreCase(name))
        .findFirst()
        .map(Query.NamedWindow::window);
  }

  /** Whether some relation's whole key is among the columns. */
  public boolean covers(List<Anchor> anchors, List<ColumnRef> columns) {
    return anchors.isEmpty()
        || anchors.stream().anyMatch(anchor -> anchor.coveredBy(columns, equalities));
  }
}
