package io.alrai.executor.codegen;

import io.alrai.executor.codegen.PipelineSpec.Step;
import io.alrai.executor.fragment.PlanNode.JoinKind;
import io.alrai.executor.fragment.ValueType;
import io.alrai.executor.memory.Mem;
import io.alrai.executor.vector.JoinTable;
import io.alrai.executor.vector.Lane;
import io.alrai.executor.vector.RowLayout;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.util.ArrayList;
import java.util.List;

/**
 * Emits the probe of a join's table.
 *
 * <pre>
 *  advance: no row left?  INNER, SEMI: next   ANTI: body, then next   LEFT: once with NULLs
 *           no match?     row = row.next, advance
 *           ANTI: next
 *  body:    what follows
 *           INNER, LEFT: row = row.next, advance
 * </pre>
 */
final class ProbeEmitter {
  private final Emitter emitter;
  private final CodeBuilder code;
  private final PauseEmitter pauses;
  private final CodeConstants constants;
  private final Step.Probe probe;
  private final Columns columns;
  private final int width;
  private final ScalarEmitter scalars;
  private final RowLayout layout;

  /** The code after the join. */
  interface Body {
    void emit(Columns joined, int width, Label next);
  }

  ProbeEmitter(
      Emitter emitter,
      PauseEmitter pauses,
      CodeConstants constants,
      Step.Probe probe,
      Columns columns,
      int width) {
    this.emitter = emitter;
    this.pauses = pauses;
    this.code = emitter.code();
    this.constants = constants;
    this.probe = probe;
    this.columns = columns;
    this.width = width;
    this.scalars = new ScalarEmitter(emitter, columns, constants);
    this.layout = new RowLayout(probe.buildTypes());
  }

  void emit(Label next, Body body) {
    int row = emitter.constant(0);
    int any = emitter.zero();
    List<Value> keys = lookUp(row, next);
    pauses.enter(row, any);
    switch (probe.kind()) {
      case INNER -> inner(row, keys, next, body);
      case LEFT -> left(row, any, keys, next, body);
      case SEMI -> {
        advance(row, keys, next);
        body.emit(columns, width, next);
        code.goto_(next);
      }
      case ANTI, NULL_AWARE_ANTI -> {
        Label none = emitter.label();
        advance(row, keys, none);
        code.goto_(next);
        emitter.bind(none);
        body.emit(columns, width, next);
        code.goto_(next);
      }
    }
    pauses.leave();
  }

  /** Puts the first row of the key's bucket into the local, 0 for none. */
  private List<Value> lookUp(int row, Label next) {
    List<Value> keys = new ArrayList<>();
    Hashes hashes = new Hashes(emitter);
    Label found = emitter.label();
    columns.enterBranch();
    if (probe.kind() == JoinKind.NULL_AWARE_ANTI) {
      table();
      emitter.call(JoinTable.class, "hasNullKey");
      code.ifne(next);
    }
    List<Value> values = new ArrayList<>();
    for (int i = 0; i < probe.keys().size(); i++) {
      values.add(scalars.coerce(scalars.emit(probe.keys().get(i)), keyType(i)));
    }
    // after all columns, as the code at found reads all of them
    for (int i = 0; i < values.size(); i++) {
      if (values.get(i).canBeNull()) {
        missingKey(values.get(i), next, found);
      }
      keys.add(values.get(i).withMissing(-1));
      hashes.add(keys.getLast(), keyType(i));
    }
    if (probe.sliced()) {
      table();
      code.lload(hashes.local());
      emitter.call(JoinTable.class, "isElsewhere");
      code.ifne(next);
    }
    table();
    emitter.call(JoinTable.class, "buckets");
    table();
    emitter.call(JoinTable.class, "mask");
    code.lload(hashes.local());
    emitter.call(JoinTable.class, "head");
    code.lstore(row);
    columns.leaveBranch();
    emitter.bind(found);
    return keys;
  }

  private ValueType keyType(int key) {
    return probe.buildTypes().get(probe.keyColumns().get(key));
  }

  /** A NULL has no partner: what that means depends on the join. */
  private void missingKey(Value value, Label next, Label found) {
    Label present = emitter.label();
    code.iload(value.missing());
    code.ifeq(present);
    switch (probe.kind()) {
      case INNER, SEMI -> code.goto_(next);
      case LEFT, ANTI -> {
        if (probe.sliced()) {
          table();
          emitter.call(JoinTable.class, "isLater");
          code.ifne(next);
        }
        code.goto_(found);
      }
      case NULL_AWARE_ANTI -> {
        table();
        emitter.call(JoinTable.class, "isEmpty");
        code.ifeq(next);
        code.goto_(found);
      }
    }
    emitter.bind(present);
  }

  private void table() {
    code.aload(PipelineEmitter.LANE);
    code.loadConstant(probe.join());
    emitter.call(Lane.class, "join");
  }

  /** Goes on with the next matching row in the local, or jumps if there is none. */
  private void advance(int row, List<Value> keys, Label none) {
    Label again = emitter.label();
    Label differs = emitter.label();
    Label matches = emitter.label();
    emitter.bind(again);
    code.lload(row);
    code.lconst_0();
    code.lcmp();
    code.ifeq(none);
    columns.enterBranch();
    RowKeys rowKeys = new RowKeys(emitter, scalars);
    for (int i = 0; i < keys.size(); i++) {
      rowKeys.jumpIfDifferent(keys.get(i), layout, probe.keyColumns().get(i), row, differs);
    }
    if (probe.residual().isPresent()) {
      Columns joined = joined(row);
      new ScalarEmitter(emitter, joined, constants)
          .conditions()
          .jumpUnless(probe.residual().get(), differs);
    }
    columns.leaveBranch();
    code.goto_(matches);
    emitter.bind(differs);
    follow(row);
    code.goto_(again);
    emitter.bind(matches);
  }

  private void follow(int row) {
    code.lload(row);
    emitter.call(Mem.class, "longAt");
    code.lstore(row);
    pauses.unlessGoesOn();
  }

  private Columns joined(int row) {
    return new JoinedColumns(columns, width, new RowColumns(emitter, layout, row));
  }

  private void inner(int row, List<Value> keys, Label next, Body body) {
    Label loop = emitter.label();
    Label again = emitter.label();
    emitter.bind(loop);
    advance(row, keys, next);
    columns.enterBranch();
    body.emit(joined(row), width + probe.visible(), again);
    columns.leaveBranch();
    emitter.bind(again);
    follow(row);
    code.goto_(loop);
  }

  /** A row without a partner keeps 0 in its local variable; the NULLs are in another. */
  private void left(int row, int any, List<Value> keys, Label next, Body body) {
    int partner = emitter.newLong();
    Label loop = emitter.label();
    Label none = emitter.label();
    Label pair = emitter.label();
    Label again = emitter.label();
    emitter.bind(loop);
    advance(row, keys, none);
    code.iconst_1();
    code.istore(any);
    code.lload(row);
    code.lstore(partner);
    code.goto_(pair);
    emitter.bind(none);
    code.iload(any);
    code.ifne(next);
    code.aload(PipelineEmitter.LANE);
    code.loadConstant(probe.join());
    emitter.call(Lane.class, "nullRow");
    code.lstore(partner);
    emitter.bind(pair);
    columns.enterBranch();
    body.emit(joined(partner), width + probe.visible(), again);
    columns.leaveBranch();
    emitter.bind(again);
    code.lload(row);
    code.lconst_0();
    code.lcmp();
    code.ifeq(next);
    follow(row);
    code.goto_(loop);
  }
}
