package io.alrai.executor.codegen;

import io.alrai.executor.codegen.PipelineSpec.Sink;
import io.alrai.executor.codegen.PipelineSpec.Source;
import io.alrai.executor.codegen.PipelineSpec.Step;
import io.alrai.executor.fragment.ValueKind;
import io.alrai.executor.memory.Mem;
import io.alrai.executor.vector.Lane;
import io.alrai.executor.vector.RowChunks;
import io.alrai.executor.vector.RowLayout;
import io.alrai.executor.vector.RowLayout.Form;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.util.List;

/**
 * Emits the loop over a source's rows: all steps inside each other, the sink innermost. A row that
 * a step drops jumps to where the enclosing loop goes on. Returns the row that it has come to.
 */
final class PipelineEmitter {
  /** Locals of {@link PipelineCode#run}. */
  static final int LANE = 1;

  static final int COLUMNS = 2;
  private static final int SELECTION = 3;
  private static final int BEGIN = 4;
  private static final int END = 5;

  private final PipelineSpec spec;
  private final List<ColumnForm> forms;
  private final boolean selected;
  private final CodeConstants constants;
  private final Emitter emitter;
  private final CodeBuilder code;
  private final int at;
  private final PauseEmitter pauses;

  PipelineEmitter(
      PipelineSpec spec,
      List<ColumnForm> forms,
      boolean selected,
      CodeConstants constants,
      CodeBuilder code) {
    this.spec = spec;
    this.forms = forms;
    this.selected = selected;
    this.constants = constants;
    this.code = code;
    this.emitter = new Emitter(code);
    code.iload(BEGIN);
    this.at = emitter.keepInt();
    this.pauses = new PauseEmitter(emitter);
  }

  void emit() {
    switch (spec.source()) {
      case Source.Batches batches -> batches(batches);
      case Source.Rows rows -> rows(rows);
    }
    pauses.leave();
    code.iload(at);
    code.ireturn();
  }

  private void batches(Source.Batches source) {
    int row = emitter.newInt();
    ScanColumns columns = new ScanColumns(emitter, source.types(), forms, row);
    Label loop = emitter.label();
    Label next = emitter.label();
    Label end = emitter.label();
    emitter.bind(loop);
    code.iload(at);
    code.iload(END);
    code.if_icmpge(end);
    if (selected) {
      code.aload(SELECTION);
      code.iload(at);
      code.iaload();
    } else {
      code.iload(at);
    }
    code.istore(row);
    step(0, columns, source.types().size(), next);
    emitter.bind(next);
    code.iinc(at, 1);
    code.goto_(loop);
    emitter.bind(end);
  }

  private void rows(Source.Rows source) {
    RowLayout layout = new RowLayout(source.types());
    code.aload(COLUMNS);
    code.iconst_0();
    code.laload();
    code.iload(BEGIN);
    code.i2l();
    code.loadConstant((long) layout.size());
    code.lmul();
    code.ladd();
    int row = emitter.keepLong();
    Label loop = emitter.label();
    Label next = emitter.label();
    Label end = emitter.label();
    emitter.bind(loop);
    code.iload(at);
    code.iload(END);
    code.if_icmpge(end);
    if (source.parted()) {
      code.aload(LANE);
      emitter.address(row, RowLayout.HASH);
      emitter.call(Mem.class, "longAt");
      emitter.call(Lane.class, "isForeign");
      code.ifne(next);
    }
    step(0, new RowColumns(emitter, layout, row), source.types().size(), next);
    emitter.bind(next);
    code.iinc(at, 1);
    emitter.address(row, layout.size());
    code.lstore(row);
    code.goto_(loop);
    emitter.bind(end);
  }

  private void step(int number, Columns columns, int width, Label next) {
    if (number == spec.steps().size()) {
      ScalarEmitter scalars = new ScalarEmitter(emitter, columns, constants);
      switch (spec.sink()) {
        case Sink.Rows rows -> store(rows, scalars, next);
        case Sink.Groups groups -> new GroupEmitter(emitter, scalars, columns, groups).emit(next);
      }
      return;
    }
    switch (spec.steps().get(number)) {
      case Step.Filter filter -> {
        new ScalarEmitter(emitter, columns, constants)
            .conditions()
            .jumpUnless(filter.predicate(), next);
        step(number + 1, columns, width, next);
      }
      case Step.Project project ->
          step(
              number + 1,
              new ProjectedColumns(emitter, columns, project.expressions(), constants),
              project.expressions().size(),
              next);
      case Step.Probe probe -> probe(number, probe, columns, width, next);
      case Step.KeyFilter filter -> probe(number, filter.probe(), columns, width, next);
    }
  }

  private void probe(int number, Step.Probe probe, Columns columns, int width, Label next) {
    new ProbeEmitter(emitter, pauses, constants, probe, columns, width)
        .emit(next, (joined, all, again) -> step(number + 1, joined, all, again));
  }

  private void store(Sink.Rows sink, ScalarEmitter scalars, Label next) {
    RowLayout layout = new RowLayout(sink.types());
    Value[] values = new Value[sink.values().size()];
    for (int key : sink.keys()) {
      values[key] = scalars.coerce(scalars.emit(sink.values().get(key)), sink.types().get(key));
      dropMissing(values[key], next);
    }
    for (int i = 0; i < values.length; i++) {
      if (values[i] == null) {
        values[i] = scalars.coerce(scalars.emit(sink.values().get(i)), sink.types().get(i));
      }
    }
    Hashes hashes = new Hashes(emitter);
    for (int key : sink.keys()) {
      hashes.add(values[key].withMissing(-1), sink.types().get(key));
    }
    code.aload(LANE);
    emitter.call(Lane.class, "rows");
    emitter.call(RowChunks.class, "append");
    int row = emitter.keepLong();
    emitter.address(row, RowLayout.HASH);
    code.lload(hashes.local());
    emitter.call(Mem.class, "putLong");
    for (int i = 0; i < values.length; i++) {
      scalars.store(values[i], row, layout, i);
    }
  }

  private void dropMissing(Value key, Label next) {
    if (key.canBeNull()) {
      Label present = emitter.label();
      code.iload(key.missing());
      code.ifeq(present);
      code.aload(LANE);
      emitter.call(Lane.class, "noteNullKey");
      code.goto_(next);
      emitter.bind(present);
    }
  }

  /** Emits {@link PipelineCode#judge}: a switch over the tests. */
  static void emitJudge(CodeConstants constants, CodeBuilder code) {
    Emitter emitter = new Emitter(code);
    for (int i = 0; i < constants.tests().size(); i++) {
      CodeConstants.DictionaryTest test = constants.tests().get(i);
      Label other = emitter.label();
      code.iload(1);
      code.loadConstant(i);
      code.if_icmpne(other);
      Label fails = emitter.label();
      new ScalarEmitter(emitter, new EntryColumn(), constants)
          .conditions()
          .jumpUnless(test.condition(), fails);
      code.iconst_1();
      code.ireturn();
      emitter.bind(fails);
      code.iconst_0();
      code.ireturn();
      emitter.bind(other);
    }
    code.iconst_0();
    code.ireturn();
  }

  /** The entry that is judged: the parameters of {@link PipelineCode#judge}. */
  private static final class EntryColumn implements Columns {
    private static final Value ENTRY =
        new Value(ValueKind.STRING, Form.TEXT, 2, 4, 6, Shape.whole());

    @Override
    public Value value(int column) {
      return ENTRY;
    }

    @Override
    public Shape shape(int column) {
      return Shape.whole();
    }

    @Override
    public void enterBranch() {}

    @Override
    public void leaveBranch() {}
  }
}
