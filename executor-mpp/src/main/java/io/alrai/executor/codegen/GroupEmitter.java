package io.alrai.executor.codegen;

import io.alrai.executor.codegen.PipelineSpec.Sink;
import io.alrai.executor.fragment.PlanNode.AggregateCall;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ValueKind;
import io.alrai.executor.fragment.ValueType;
import io.alrai.executor.memory.Mem;
import io.alrai.executor.vector.GroupTable;
import io.alrai.executor.vector.Lane;
import io.alrai.executor.vector.RowLayout;
import io.alrai.executor.vector.RowLayout.Form;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.util.ArrayList;
import java.util.List;

/** Emits the search for a row's group and what the row adds to it. */
final class GroupEmitter {
  private final Emitter emitter;
  private final CodeBuilder code;
  private final ScalarEmitter scalars;
  private final Columns columns;
  private final Sink.Groups sink;
  private final RowLayout layout;

  GroupEmitter(Emitter emitter, ScalarEmitter scalars, Columns columns, Sink.Groups sink) {
    this.emitter = emitter;
    this.code = emitter.code();
    this.scalars = scalars;
    this.columns = columns;
    this.sink = sink;
    this.layout = new RowLayout(sink.types());
  }

  void emit(Label next) {
    int group = sink.keys().isEmpty() ? onlyGroup() : groupOfKeys();
    for (int i = 0; i < sink.calls().size(); i++) {
      Label done = emitter.label();
      columns.enterBranch();
      update(sink.calls().get(i), sink.keys().size() + i, group, done);
      columns.leaveBranch();
      emitter.bind(done);
    }
    code.goto_(next);
  }

  private void table() {
    code.aload(PipelineEmitter.LANE);
    emitter.call(Lane.class, "groups");
  }

  private int onlyGroup() {
    table();
    emitter.call(GroupTable.class, "single");
    int group = emitter.keepLong();
    Label found = emitter.label();
    code.lload(group);
    code.lconst_0();
    code.lcmp();
    code.ifne(found);
    table();
    emitter.call(GroupTable.class, "insertSingle");
    code.lstore(group);
    initialise(group);
    emitter.bind(found);
    return group;
  }

  private int groupOfKeys() {
    List<Value> keys = new ArrayList<>();
    Hashes hashes = new Hashes(emitter);
    for (Scalar key : sink.keys()) {
      keys.add(key(key, hashes));
    }
    table();
    code.lload(hashes.local());
    emitter.call(GroupTable.class, "head");
    int group = emitter.keepLong();
    Label search = emitter.label();
    Label differs = emitter.label();
    Label absent = emitter.label();
    Label found = emitter.label();
    emitter.bind(search);
    code.lload(group);
    code.lconst_0();
    code.lcmp();
    code.ifeq(absent);
    emitter.address(group, RowLayout.HASH);
    emitter.call(Mem.class, "longAt");
    code.lload(hashes.local());
    code.lcmp();
    code.ifne(differs);
    RowKeys rowKeys = new RowKeys(emitter, scalars);
    for (int i = 0; i < keys.size(); i++) {
      rowKeys.jumpIfDifferent(keys.get(i), layout, i, group, differs);
    }
    code.goto_(found);
    emitter.bind(differs);
    code.lload(group);
    emitter.call(Mem.class, "longAt");
    code.lstore(group);
    code.goto_(search);
    emitter.bind(absent);
    table();
    code.lload(hashes.local());
    emitter.call(GroupTable.class, "insert");
    code.lstore(group);
    for (int i = 0; i < keys.size(); i++) {
      scalars.store(keys.get(i), group, layout, i);
    }
    initialise(group);
    emitter.bind(found);
    return group;
  }

  /** A string of a dictionary brings its hash along. */
  private Value key(Scalar key, Hashes hashes) {
    int entry = key instanceof Scalar.Column column ? columns.dictionaryCode(column.index()) : -1;
    if (entry < 0) {
      Value value = scalars.coerce(scalars.emit(key), key.type());
      hashes.add(value, key.type());
      return value;
    }
    int column = ((Scalar.Column) key).index();
    code.aload(PipelineEmitter.LANE);
    code.loadConstant(columns.scanColumn(column));
    emitter.call(Lane.class, "entries");
    code.lload(entry);
    code.loadConstant((long) Lane.ENTRY_BYTES);
    code.lmul();
    code.ladd();
    int known = emitter.keepLong();
    int[] parts = new int[3];
    for (int i = 0; i < parts.length; i++) {
      emitter.address(known, (long) i * Long.BYTES);
      emitter.call(Mem.class, "longAt");
      parts[i] = emitter.keepLong();
    }
    hashes.addHash(parts[0]);
    int missing = key.type().nullable() ? columns.value(column).missing() : -1;
    return new Value(ValueKind.STRING, Form.TEXT, parts[1], parts[2], missing, Shape.whole());
  }

  /** All but COUNT are NULL at first. */
  private void initialise(int group) {
    for (int i = 0; i < sink.calls().size(); i++) {
      int missing = layout.nullOffset(sink.keys().size() + i);
      if (missing >= 0) {
        emitter.address(group, missing);
        code.lconst_1();
        emitter.call(Mem.class, "putByte");
      }
    }
  }

  private void update(AggregateCall call, int column, int group, Label done) {
    if (call.distinct()) {
      throw new IllegalStateException("DISTINCT is an aggregation of its own");
    }
    switch (call.function()) {
      case COUNT -> {
        for (Scalar argument : call.arguments()) {
          if (argument.type().nullable()) {
            dropMissing(scalars.emit(argument), done);
          }
        }
        emitter.address(group, layout.offset(column));
        emitter.call(Mem.class, "increment");
      }
      case SUM -> sum(call, column, group, done);
      case MIN, MAX -> extreme(call, column, group, done);
      case ANY_VALUE -> {
        Value value = scalars.coerce(scalars.emit(call.arguments().getFirst()), call.type());
        dropMissing(value, done);
        scalars.storeValue(value, group, layout.offset(column));
        setPresent(group, column);
      }
      case AVG -> throw new IllegalStateException("AVG is a sum and a count");
    }
  }

  private void dropMissing(Value value, Label target) {
    if (value.canBeNull()) {
      code.iload(value.missing());
      code.ifne(target);
    }
  }

  private void setPresent(int group, int column) {
    if (layout.nullOffset(column) >= 0) {
      emitter.address(group, layout.nullOffset(column));
      code.lconst_0();
      emitter.call(Mem.class, "putByte");
    }
  }

  private void sum(AggregateCall call, int column, int group, Label done) {
    NumberEmitter numbers = scalars.numbers();
    Value value = scalars.emit(call.arguments().getFirst());
    dropMissing(value, done);
    setPresent(group, column);
    ValueType type = call.type();
    if (type.kind() == ValueKind.DECIMAL) {
      Value scaled = numbers.round(value, type.scale());
      emitter.address(group, layout.offset(column));
      emitter.longs(scaled.first());
      if (scaled.form() == Form.WIDE) {
        emitter.longs(scaled.second());
      }
      boolean wideState = RowLayout.form(type) == Form.WIDE;
      if (!wideState) {
        throw Refusals.notTaken("a sum as " + type);
      }
      emitter.call(Mem.class, scaled.form() == Form.WIDE ? "addWide" : "addToWide");
      return;
    }
    emitter.address(group, layout.offset(column));
    if (type.kind() == ValueKind.DOUBLE) {
      code.dload(numbers.floating(value).first());
      emitter.call(Mem.class, "addDouble");
    } else {
      code.lload(value.first());
      emitter.call(Mem.class, "addLong");
    }
  }

  private void extreme(AggregateCall call, int column, int group, Label done) {
    Value value = scalars.coerce(scalars.emit(call.arguments().getFirst()), call.type());
    dropMissing(value, done);
    Value best = new RowColumns(emitter, layout, group).value(column);
    Label better = emitter.label();
    if (best.canBeNull()) {
      code.iload(best.missing());
      code.ifne(better);
    }
    scalars.conditions().compareValues(value, best, call.type().collation(), false);
    if (call.function() == io.alrai.executor.fragment.AggregateFunction.MIN) {
      code.ifge(done);
    } else {
      code.ifle(done);
    }
    emitter.bind(better);
    scalars.storeValue(value, group, layout.offset(column));
    setPresent(group, column);
  }
}
