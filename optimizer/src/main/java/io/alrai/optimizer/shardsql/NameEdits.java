package io.alrai.optimizer.shardsql;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.executor.fragment.SqlTemplate.Piece;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.bind.BlockFacts;
import io.alrai.optimizer.bind.Relation;
import io.alrai.optimizer.bind.Scope;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes a text name physical tables instead of logical ones. */
public final class NameEdits {
  private final Analysis analysis;
  private final TextEdits edits;
  private final TableNaming naming;
  private final Map<Integer, String> forcedAliases = new HashMap<>();

  private NameEdits(Analysis analysis, TextEdits edits, TableNaming naming) {
    this.analysis = analysis;
    this.edits = edits;
    this.naming = naming;
  }

  /** Adds the replacements. */
  public static void apply(Analysis analysis, TextEdits edits, TableNaming naming) {
    NameEdits names = new NameEdits(analysis, edits, naming);
    names.findCollisions();
    analysis.tables().forEach(names::table);
    for (BlockFacts facts : analysis.blocks()) {
      facts.expressions().forEach(expr -> names.expression(expr, facts.scope()));
    }
  }

  /** Tables of one name from two schemas. */
  private void findCollisions() {
    for (BlockFacts facts : analysis.blocks()) {
      for (Relation relation : facts.scope().relations()) {
        if (relation instanceof Relation.Base base) {
          forcedAlias(base, facts.scope())
              .ifPresent(alias -> forcedAliases.put(relation.id(), alias));
        }
      }
    }
  }

  /**
   * The alias that tells a table without one from another of its name, beside it or in a query
   * around: texts do not name schemas before columns.
   */
  public static Optional<String> forcedAlias(Relation.Base base, Scope scope) {
    if (base.reference().alias().isPresent()) {
      return Optional.empty();
    }
    boolean collides =
        scope.relations().stream()
            .anyMatch(
                other -> other.id() != base.id() && other.visibleName().equals(base.visibleName()));
    Optional<Scope> around = scope.outer();
    while (!collides && around.isPresent()) {
      collides = around.get().relations().stream().anyMatch(other -> hides(base, other));
      around = around.get().outer();
    }
    return collides
        ? Optional.of(base.table().schema() + "__" + base.table().name())
        : Optional.empty();
  }

  /** Whether a name of one table would hide that of another schema's. */
  private static boolean hides(Relation.Base inner, Relation outer) {
    return outer instanceof Relation.Base base
        && base.visibleName().equals(inner.visibleName())
        && !base.table().schema().equals(inner.table().schema());
  }

  private void table(Relation.Base base) {
    TableRef.Named reference = base.reference();
    Optional<Piece> schema = naming.schema(base, reference.schema().isPresent());
    String name = naming.name(base);
    List<Piece> pieces = new ArrayList<>();
    if (schema.isPresent()) {
      pieces.add(schema.get());
      pieces.add(new Piece.Text("." + Identifier.quote(name)));
    } else if (!name.equals(base.table().name())) {
      pieces.add(new Piece.Text(Identifier.quote(name)));
    }
    Optional<String> alias = Optional.ofNullable(forcedAliases.get(base.id()));
    if (alias.isEmpty() && !name.equals(base.table().name()) && reference.alias().isEmpty()) {
      alias = Optional.of(base.table().name());
    }
    if (pieces.isEmpty() && alias.isEmpty()) {
      return;
    }
    if (pieces.isEmpty()) {
      pieces.add(new Piece.Text(Identifier.quote(name)));
    }
    alias.ifPresent(text -> pieces.add(new Piece.Text(" AS " + Identifier.quote(text))));
    edits.replace(reference.nameSpan(), pieces.toArray(Piece[]::new));
  }

  private void expression(Expr expr, Scope scope) {
    expr.walk(inner -> {
      if (inner instanceof Expr.Name name) {
        qualifier(name.parts().subList(0, name.parts().size() - 1), name.column(), scope);
      } else if (inner instanceof Expr.Star star) {
        qualifier(star.qualifier(), "*", scope);
      }
    });
  }

  private void qualifier(List<Identifier> parts, String column, Scope scope) {
    if (parts.isEmpty()) {
      return;
    }
    Optional<String> alias = forcedAlias(parts, column, scope);
    if (alias.isPresent()) {
      Span span = parts.getFirst().span().to(parts.getLast().span());
      edits.replace(span, Identifier.quote(alias.get()));
    } else if (parts.size() == 2) {
      edits.remove(new Span(parts.getFirst().span().start(), parts.getLast().span().start()));
    }
  }

  private Optional<String> forcedAlias(List<Identifier> parts, String column, Scope scope) {
    if (forcedAliases.isEmpty()) {
      return Optional.empty();
    }
    List<Identifier> whole = new ArrayList<>(parts);
    whole.add(parts.getLast());
    Expr.Name name = new Expr.Name(parts.getFirst().span(), whole);
    Optional<Scope> current = Optional.of(scope);
    while (current.isPresent()) {
      List<Relation> meant =
          current.get().relations().stream()
              .filter(relation -> Scope.qualifies(relation, name))
              .toList();
      if (meant.size() > 1) {
        throw new AlraiException(
            ErrorCode.ER_NON_UNIQ_ERROR,
            "Column '" + parts.getLast().name() + "." + column + "' in field list is ambiguous");
      }
      if (!meant.isEmpty()) {
        return Optional.ofNullable(forcedAliases.get(meant.getFirst().id()));
      }
      current = current.get().outer();
    }
    return Optional.empty();
  }
}
