package io.alrai.testing;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * How texts for mysqlds come about: of constants, quoted names and values, by {@code Sql}. Error
 * Prone checks the constants too, in builds with all checks; this runs in every one.
 */
final class TextRules {
  /**
   * Who takes over text that a client wrote or a mysqld printed. Before a class comes into the list
   * look at what it takes over: parsed as whole tokens, or read from a mysqld's own definition.
   */
  private static final Set<String> TAKES_OVER =
      Set.of(
          // statements of the client's
          "cn/admin/Assignments",
          "cn/admin/FilledTables",
          "cn/admin/OwnConnection",
          "cn/system/OwnRows",
          "cn/admin/RoutedStatements",
          "cn/admin/ShadowStatements",
          "cn/admin/TemporaryTableStatements",
          "cn/ddl/step/AlterRoutineSteps",
          "cn/ddl/step/AlterTableSteps",
          "cn/ddl/step/CreateTriggerSteps",
          "cn/ddl/step/CreateViewSteps",
          "cn/ddl/rule/NewTable",
          "cn/ddl/rule/RoutineTexts",
          "cn/ddl/rule/TriggerTexts",
          // values as literals, and words of SET
          "cn/admin/GlobalSettings",
          "cn/admin/VariableProbe",
          "cn/admin/VariableRules",
          "cn/gather/CopyScratch",
          "cn/gather/ScratchFunctions",
          "cn/routine/Conversion",
          "cn/settings/SessionSettings",
          "cn/tx/BranchBeginnings",
          // what a mysqld printed, or is to print
          "cn/columnar/RowTables",
          "cn/ddl/rule/CheckViewKeeper",
          "cn/ddl/step/CreateTableSteps",
          "cn/ddl/rule/DefinerAccounts",
          "cn/ddl/rule/ImplicitKey",
          "cn/ddl/step/MakeSingleSteps",
          "cn/ddl/step/MovedRows",
          "cn/ddl/rule/PhysicalText",
          "cn/ddl/job/ShadowGrants",
          // ids in hexadecimal, of the agents' own
          "cn/snapshot/OpeningSlot",
          "cn/snapshot/TransactionSnapshot",
          // views, as a CN opens them
          "dn/gate/live/ViewCall");

  /** Who makes parts of templates for shards, of tokens of the statement and of quoted names. */
  private static final Set<String> WRITES_TEMPLATES =
      Set.of(
          // EXPLAIN with its options, which a mysqld has read once
          "cn/explain/StatementSteps",
          "optimizer/route/gather/GatherPlanner",
          "optimizer/route/insert/InsertPlanner",
          "optimizer/route/insert/InsertSelectPlanner",
          "optimizer/route/LabelEdits",
          "optimizer/route/OnePlaceNaming",
          "optimizer/route/StoredCalls",
          "optimizer/route/write/WritePlanner",
          "optimizer/parse/SetParser",
          "optimizer/api/token/TemplateWriter",
          "optimizer/shardsql/NameEdits",
          "optimizer/api/sql/SqlBuilder",
          "optimizer/shardsql/TableNaming",
          "optimizer/shardsql/TextEdits");

  /** What sends texts, and takes them as {@code Sql}, or as bytes where these are the client's. */
  private static final Set<String> SINKS =
      Set.of(
          "cn/ddl/job/DdlShards",
          "cn/ddl/job/JobRun",
          "cn/route/Questions",
          "cn/branch/Commands",
          "cn/shard/SessionShards",
          "cn/shard/ShardQueries",
          "cn/shard/ShardStatement",
          "cn/shard/SideBranch",
          "cn/tx/branch/BranchEnding",
          "cn/snapshot/ViewEnding",
          "dn/backend/Answer",
          "dn/xa/OwnConnections");

  private final Map<String, Tree> sources;

  /** Over shipped files, by their names after {@code io/alrai/} without {@code .java}. */
  TextRules(Map<String, Tree> sources) {
    this.sources = sources;
  }

  /** Finds calls. */
  private interface Calls {
    void see(String name, MethodInvocationTree call, TreePath path);
  }

  private void calls(Calls seen) {
    sources.forEach((name, tree) ->
        new TreePathScanner<Void, Void>() {
          @Override
          public Void visitMethodInvocation(MethodInvocationTree call, Void none) {
            seen.see(name, call, getCurrentPath());
            return super.visitMethodInvocation(call, none);
          }
        }.scan(tree, null));
  }

  /** Words are constants: whoever has a name or a value has {@code name}, {@code string}. */
  List<String> wordsThatAreNoConstants() {
    List<String> broken = new ArrayList<>();
    calls((name, call, path) -> {
      String called = call.getMethodSelect().toString();
      boolean words =
          called.equals("Sql.of")
              || called.equals("Sql.join")
              || (called.endsWith(".words") && call.getArguments().size() == 1);
      if (words
          && !name.equals("common/sql/Sql")
          && !isConstant(call.getArguments().get(0), path)) {
        broken.add(name + ": " + call);
      }
    });
    return broken;
  }

  private static boolean isConstant(ExpressionTree words, TreePath path) {
    return switch (words) {
      case LiteralTree literal -> literal.getValue() instanceof String;
      case ParenthesizedTree inner -> isConstant(inner.getExpression(), path);
      case BinaryTree sum ->
          sum.getKind() == Tree.Kind.PLUS
              && isConstant(sum.getLeftOperand(), path)
              && isConstant(sum.getRightOperand(), path);
      case ConditionalExpressionTree either ->
          isConstant(either.getTrueExpression(), path)
              && isConstant(either.getFalseExpression(), path);
      case MemberSelectTree constant ->
          constant.getIdentifier().toString().matches("[A-Z][A-Z0-9_]*");
      case IdentifierTree name ->
          name.getName().toString().matches("[A-Z][A-Z0-9_]*")
              || isConstantParameter(name.getName().toString(), path);
      default -> false;
    };
  }

  private static boolean isConstantParameter(String name, TreePath path) {
    for (Tree tree : path) {
      if (tree instanceof MethodTree method) {
        return method.getParameters().stream()
            .anyMatch(parameter ->
                parameter.getName().contentEquals(name)
                    && parameter.getModifiers().toString().contains("CompileTimeConstant"));
      }
    }
    return false;
  }

  /** Who takes over texts, and who may. */
  Map.Entry<Set<String>, Set<String>> takesOver() {
    Set<String> found = new TreeSet<>();
    calls((name, call, path) -> {
      String called = call.getMethodSelect().toString();
      boolean takesOver = called.equals("Sql.client") || called.endsWith(".written");
      if (takesOver && (name.startsWith("cn/") || name.startsWith("dn/"))) {
        found.add(name);
      }
    });
    return Map.entry(new TreeSet<>(TAKES_OVER), found);
  }

  /** Who makes parts of templates out of strings, and who may. */
  Map.Entry<Set<String>, Set<String>> writesTemplates() {
    Set<String> found = new TreeSet<>();
    sources.forEach((name, tree) ->
        new TreePathScanner<Void, Void>() {
          @Override
          public Void visitNewClass(NewClassTree made, Void none) {
            if (made.getIdentifier().toString().endsWith("Piece.Text")) {
              found.add(name);
            }
            return super.visitNewClass(made, none);
          }
        }.scan(tree, null));
    return Map.entry(new TreeSet<>(WRITES_TEMPLATES), found);
  }

  /** Methods of what sends texts that take strings; a name alone is a class that is gone. */
  Set<String> sinksOfStrings() {
    Set<String> broken = new TreeSet<>();
    for (String name : SINKS) {
      Tree tree = sources.get(name);
      if (tree == null) {
        broken.add(name);
        continue;
      }
      new TreePathScanner<Void, Void>() {
        @Override
        public Void visitMethod(MethodTree method, Void none) {
          for (VariableTree parameter : method.getParameters()) {
            boolean text =
                parameter.getName().toString().matches("sql|text|statements?")
                    && String.valueOf(parameter.getType()).matches("(java.lang.)?String(\\[\\])?");
            if (text) {
              broken.add(name + "." + method.getName());
            }
          }
          return super.visitMethod(method, none);
        }
      }.scan(tree, null);
    }
    return broken;
  }

  /** Bytes are a client's, or of a template: a text of the CN's says itself how it is encoded. */
  List<String> textsSentAsBytes() {
    List<String> broken = new ArrayList<>();
    calls((name, call, path) -> {
      String called = call.getMethodSelect().toString();
      boolean sends =
          called.matches("(.*\\.)?(start|startCopy|update|text|query|wholeFloats)")
              && name.startsWith("cn/")
              && !name.equals("cn/branch/Commands");
      if (sends && call.getArguments().stream().anyMatch(each -> encodes(each))) {
        broken.add(name + ": " + call);
      }
    });
    return broken;
  }

  private static boolean encodes(ExpressionTree argument) {
    return argument instanceof MethodInvocationTree call
        && call.getMethodSelect().toString().endsWith(".getBytes");
  }
}
